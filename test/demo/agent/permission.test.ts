import { expect, it } from 'vitest';
import { byMode } from '../../../src/demo/agent/permission.ts';
import { noRules } from '../../../src/model/rule.ts';

const bash = (command: string) => ({ id: 't', name: 'Bash', input: { command } });
const write = { id: 't', name: 'Write', input: { file_path: '/a' } };
const question = { id: 't', name: 'AskUserQuestion', input: {} };

it.each([
  ['default', bash('ls -l'), {}, 'yes'],
  ['default', bash('ls; rm x'), {}, undefined],
  ['default', bash('touch x'), {}, undefined],
  ['default', write, {}, undefined],
  ['acceptEdits', write, {}, 'yes'],
  ['acceptEdits', bash('touch x'), {}, undefined],
  ['bypassPermissions', bash('rm -rf x'), {}, 'yes'],
  ['bypassPermissions', question, {}, undefined],
  ['dontAsk', bash('touch x'), {}, 'no'],
  ['default', bash('npm test -- x'), { allow: ['Bash(npm test:*)'] }, 'yes'],
  ['default', bash('npm tests'), { allow: ['Bash(npm test:*)'] }, undefined],
  ['default', write, { allow: ['Write'] }, 'yes'],
  ['bypassPermissions', bash('touch x'), { deny: ['Bash(touch *)'] }, 'no'],
  ['acceptEdits', write, { deny: ['Edit'] }, 'no'],
  ['default', bash('touch x'), { allow: ['Bash'], ask: ['Bash(touch *)'] }, undefined],
  ['bypassPermissions', bash('touch x'), { ask: ['Bash'] }, 'yes'],
] as const)('in mode %s, %j with the rules %j: %s', (mode, use, rules, expected) => {
  expect(byMode(mode, use, { ...noRules, ...rules })).toBe(expected);
});
