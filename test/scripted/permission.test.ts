import { expect, it } from 'vitest';
import { byMode } from '../../src/scripted/permission.ts';

const bash = (command: string) => ({ id: 't', name: 'Bash', input: { command } });
const write = { id: 't', name: 'Write', input: { file_path: '/a' } };
const question = { id: 't', name: 'AskUserQuestion', input: {} };

it.each([
  ['default', bash('ls -l'), [], 'yes'],
  ['default', bash('ls; rm x'), [], undefined],
  ['default', bash('touch x'), [], undefined],
  ['default', write, [], undefined],
  ['acceptEdits', write, [], 'yes'],
  ['acceptEdits', bash('touch x'), [], undefined],
  ['bypassPermissions', bash('rm -rf x'), [], 'yes'],
  ['bypassPermissions', question, [], undefined],
  ['dontAsk', bash('touch x'), [], 'no'],
  ['default', bash('npm test -- x'), ['Bash(npm test:*)'], 'yes'],
  ['default', bash('npm tests'), ['Bash(npm test:*)'], undefined],
  ['default', write, ['Write'], 'yes'],
] as const)('in mode %s, %j with the rules %j: %s', (mode, use, rules, expected) => {
  expect(byMode(mode, use, rules)).toBe(expected);
});
