import { describe, expect, it } from 'vitest';
import { claudeAgent } from '../../../src/agents/claude/claude.ts';

describe('a process', () => {
  it.each([
    [['claude'], {}],
    [['/opt/claude.exe', '--model', 'opus', '--permission-mode=plan'], { model: 'opus', permissionMode: 'plan' }],
    [['claude', '--dangerously-skip-permissions', '--', '-p'], { skipPermissions: true }],
  ])('is Claude Code on the screen, started as it says: %j', (argv, expected) => {
    expect(claudeAgent.readProcess({ argv })).toEqual(expected);
  });

  it.each([[['claude', '-p', 'do it']], [['claude', 'mcp', 'list']], [['vim', 'claude']], [[]]])(
    'is none: %j',
    (argv) => {
      expect(claudeAgent.readProcess({ argv })).toBeUndefined();
    },
  );
});
