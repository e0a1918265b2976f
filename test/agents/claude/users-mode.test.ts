// The permission mode in the user's own settings of Claude Code.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { usersMode } from '../../../src/agents/claude/users-mode.ts';

const settings = (defaultMode: unknown) => JSON.stringify({ permissions: { defaultMode } });

it.each([
  ['acceptEdits', 'acceptEdits'],
  ['plan', 'plan'],
  ['auto', 'auto'],
  ['dontAsk', 'dontAsk'],
  ['manual', 'manual'],
  ['default', 'manual'],
  ['bypassPermissions', undefined],
  ['later', undefined],
  [7, undefined],
])('%s in the settings is the mode %s of a worker', (written, mode) => {
  expect(usersMode.modeIn(settings(written))).toBe(mode);
});

it('reads no mode from anything else', () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => usersMode.modeIn(text) === undefined));
});

it('looks where the agent of the worker does', () => {
  expect(usersMode.fileFor({ HOME: '/home/me' })).toBe('/home/me/.claude/settings.json');
  expect(usersMode.fileFor({ HOME: '/home/me', CLAUDE_CONFIG_DIR: '/conf' })).toBe('/conf/settings.json');
});
