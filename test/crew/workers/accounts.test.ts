// What tells the accounts of workers apart.
import { describe, expect, test } from 'vitest';
import type { Agent } from '../../../src/agents/agent.ts';
import { claudeAgent as claude } from '../../../src/agents/claude/claude.ts';
import { codexAgent as codex } from '../../../src/agents/codex/codex.ts';
import { AccountMemory } from '../../../src/crew/workers/account-memory.ts';
import { accountKey } from '../../../src/crew/workers/accounts.ts';

type Env = Readonly<Record<string, string>>;
const home = { HOME: '/home/ada' };

describe('two workers', () => {
  test.each<[what: string, a: [Agent, Env], b: [Agent, Env], isSame: boolean]>([
    ['with one home have one account', [claude, home], [claude, { ...home, LANG: 'C' }], true],
    ['of two agents have two', [claude, home], [codex, home], false],
    ['with two folders have two', [claude, home], [claude, { ...home, CLAUDE_CONFIG_DIR: '/other' }], false],
    [
      'with one key have one, whatever their folders',
      [claude, { HOME: '/a', ANTHROPIC_API_KEY: 'sk-1' }],
      [claude, { HOME: '/b', ANTHROPIC_API_KEY: 'sk-1' }],
      true,
    ],
    [
      'with two tokens have two',
      [claude, { ...home, CLAUDE_CODE_OAUTH_TOKEN: 't1' }],
      [claude, { ...home, CLAUDE_CODE_OAUTH_TOKEN: 't2' }],
      false,
    ],
    ['of Codex go by its folder', [codex, home], [codex, { ...home, CODEX_HOME: '/other' }], false],
    [
      'of Codex do not go by a key that it does not use',
      [codex, home],
      [codex, { ...home, OPENAI_API_KEY: 'k' }],
      true,
    ],
  ])('%s', (_, a, b, isSame) => {
    expect(accountKey(...a) === accountKey(...b)).toBe(isSame);
  });

  test('are told apart without a key in any word', () => {
    const secret = 'sk-ant-api03-very-secret-key';
    const key = accountKey(claude, { ...home, ANTHROPIC_API_KEY: secret });
    expect(key).toMatch(/^claude [0-9a-f]{16}$/);
    expect(key).not.toContain(secret.slice(0, 6));
  });
});

describe('what a server has seen of an account', () => {
  const figure = { at: 1_000, resetsAt: 9_000_000 };

  test('is not seen anew by the same figure, once a turn has shown that it works again', () => {
    const memory = new AccountMemory();
    memory.noteFigure('a', figure);
    expect(memory.note('a', { workedAt: 2_000 })).toEqual({ sign: figure, workedAt: 2_000 });
    memory.noteFigure('a', { ...figure, at: 3_000 });
    expect(memory.note('a', {}).sign).toEqual(figure);
  });

  test('counts a worker that could not be sent on as none', async () => {
    const memory = new AccountMemory();
    memory.note('a', { sign: { at: 1, resetsAt: 2 } });
    const send = (verdict: string) => memory.sendOn('a', { at: 7, send: async () => ({ verdict }) });
    await send('held');
    expect(memory.sentOn('a')).toBeUndefined();
    await send('unconfirmed');
    expect(memory.sentOn('a')).toEqual({ at: 7, isProved: false });
    await send('submitted');
    expect(memory.sentOn('a')).toEqual({ at: 7, isProved: true });
  });
});
