import fc from 'fast-check';
import { expect, it } from 'vitest';
import { trust } from '../../../src/agents/claude/trust.ts';

const env = { HOME: '/home/user' };
const remembered = (folder: string, hasTrustDialogAccepted: unknown = true) =>
  JSON.stringify({ numStartups: 3, projects: { [folder]: { hasTrustDialogAccepted, history: [] }, '/odd': 7 } });
const isTrusted = (text: string, folder: string, more: object = {}) =>
  trust.isTrusted(text, { folder, isRepository: true, env, ...more });

it.each([
  ['a repository that was trusted is', remembered('/project'), '/project', {}, true],
  ['a repository is not for a folder around it', remembered('/'), '/project', {}, false],
  ['a plain folder is for a folder around it', remembered('/place'), '/place/notes', { isRepository: false }, true],
  ['nothing is for the root', remembered('/'), '/place/notes', { isRepository: false }, false],
  ['a question turned down is no trust', remembered('/project', false), '/project', {}, false],
  ['a file that is torn tells of none', remembered('/project').slice(0, 40), '/project', {}, false],
  ['no file tells of none', '', '/project', {}, false],
  ['a sandbox asks nobody', '', '/project', { env: { ...env, CLAUDE_CODE_SANDBOXED: '1' } }, true],
])('%s', (_, text, folder, more, expected) => {
  expect(isTrusted(text, folder, more)).toBe(expected);
});

it('is remembered beside the configuration folder, or in the one that is named', () => {
  expect(trust.fileFor(env)).toBe('/home/user/.claude.json');
  expect(trust.fileFor({ ...env, CLAUDE_CONFIG_DIR: '/conf' })).toBe('/conf/.claude.json');
});

it('no file makes a folder trusted by accident', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(isTrusted(text, '/project')).toBe(false);
      expect(isTrusted(text, '__proto__')).toBe(false);
    }),
  );
});
