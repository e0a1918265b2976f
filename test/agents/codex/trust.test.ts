import fc from 'fast-check';
import { expect, it } from 'vitest';
import { trust } from '../../../src/agents/codex/trust.ts';

const isTrusted = (text: string, folder = '/project', isRepository = true) =>
  trust.isTrusted(text, { folder, isRepository, env: {} });
const table = (name: string, level = '"trusted"') =>
  `model = "m"\n[projects.${name}]\nx = 1\ntrust_level = ${level}\n[other]\ny = 2\n`;

it.each([
  ['a repository that was trusted is', table('"/project"'), true],
  ['one in single quotes is too', table("'/project'", "'trusted'"), true],
  ['one whose line has a remark is too', table('"/project" ', '"trusted" # by me'), true],
  ['one written on Windows lines is too', table('"/project"').replaceAll('\n', '\r\n'), true],
  ['a repository is not for a folder around it', table('"/"'), false],
  ['a repository is not for its neighbour', table('"/project-2"'), false],
  ['a question turned down is no trust', table('"/project"', '"untrusted"'), false],
  ['a remark is no trust', '[projects."/project"]\n# trust_level = "trusted"\n', false],
  ['the trust of a later table is another one', '[projects."/project"]\n[x]\ntrust_level = "trusted"\n', false],
  ['a table below it is another one', '[projects."/project".x]\ntrust_level = "trusted"\n', false],
  ['a line that goes on is no trust', table('"/project"', '"trusted" if asked'), false],
  ['no file tells of none', '', false],
])('%s', (_, text, expected) => {
  expect(isTrusted(text)).toBe(expected);
});

it('a folder in no repository is never asked about', () => {
  expect(isTrusted('', '/project', false)).toBe(true);
});

it('is remembered in the folder of Codex, or in the one that is named', () => {
  expect(trust.fileFor({ HOME: '/home/user' })).toBe('/home/user/.codex/config.toml');
  expect(trust.fileFor({ HOME: '/home/user', CODEX_HOME: '/conf' })).toBe('/conf/config.toml');
});

it('a folder is trusted as it is spelled, whatever its name', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (name) => {
      expect(isTrusted(table(JSON.stringify(name)), name)).toBe(true);
    }),
  );
});
