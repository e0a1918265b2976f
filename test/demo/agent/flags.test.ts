import { describe, expect, it } from 'vitest';
import { claudeAgent } from '../../../src/agents/claude/claude.ts';
import { readFlags } from '../../../src/demo/agent/flags.ts';
import { noRules } from '../../../src/model/rule.ts';

const launched = claudeAgent.launch({
  workerId: 'w1',
  name: 'ada',
  cwd: '/project',
  launchDir: '/launch',
  signalsPath: '/launch/signals.jsonl',
  tripwire: [],
  rules: noRules,
  command: [],
  program: [],
  agentSessionId: 'fork',
  resume: { agentSessionId: 'old', fork: true },
  prompt: '-v is no flag here',
  model: 'm',
  skipPermissions: false,
  appendSystemPrompt: 'Be brief.',
  mcpServers: { one: { command: 'x' } },
  env: {},
});

describe('the command line', () => {
  it('of a launch is understood whole', () => {
    expect(readFlags(launched.argv)).toEqual({
      agentSessionId: 'fork',
      resume: 'old',
      goesOnWithNewest: false,
      fork: true,
      name: 'ada',
      settings: ['/launch/settings.json'],
      permissionMode: 'default',
      model: 'm',
      prompt: '-v is no flag here',
      asksVersion: false,
    });
  });

  it.each([
    ['an unknown option', ['--no-such'], "error: unknown option '--no-such'"],
    ['a prompt that begins with a dash', ['-x is odd'], "error: unknown option '-x is odd'"],
    ['an option without its value', ['--name'], "error: option '--name <value>' argument missing"],
  ])('with %s is refused', (_, argv, complaint) => {
    expect(readFlags(argv)).toEqual({ complaint });
  });

  it('may be short', () => {
    expect(readFlags(['-c', '-n', 'ada'])).toMatchObject({
      goesOnWithNewest: true,
      name: 'ada',
      permissionMode: 'auto',
    });
    expect(readFlags(['--dangerously-skip-permissions'])).toMatchObject({ permissionMode: 'bypassPermissions' });
  });
});
