import { describe, expect, it } from 'vitest';
import { readProcess } from '../../../src/agents/claude/process.ts';

describe('a process', () => {
  it.each([
    [['claude'], {}],
    [['/opt/claude.exe', '--model', 'opus', '--permission-mode=plan'], { model: 'opus', permissionMode: 'plan' }],
    [['claude', '--dangerously-skip-permissions', '--', '-p'], { skipPermissions: true }],
    [
      ['claude', '--settings', '/launch/settings-unasked.json', '--permission-mode', 'acceptEdits'],
      { skipPermissions: true, permissionMode: 'bypassPermissions' },
    ],
    [['claude', '--settings', '/launch/settings.json', '--permission-mode', 'plan'], { permissionMode: 'plan' }],
  ])('is Claude Code on the screen, started as it says: %j', (argv, expected) => {
    expect(readProcess({ argv })).toEqual(expected);
  });

  it.each([[['claude', '-p', 'do it']], [['claude', 'mcp', 'list']], [['vim', 'claude']], [[]]])(
    'is none: %j',
    (argv) => {
      expect(readProcess({ argv })).toBeUndefined();
    },
  );
});
