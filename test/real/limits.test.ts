// Usage limits as the real CLIs tell of them: seen at once, with the second at which they are over, and gone on from.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../support/sandbox.ts';
import { patient } from './asking.ts';
import type { ClaudeHome } from './claude-home.ts';
import { makeCodexHome } from './codex-home.ts';
import { openRealCrew, type RealCrew, type Worker } from './crew.ts';
import type { ModelRequest } from './fake/server.ts';

/** Claude Code hears of limits only with a subscription. */
async function subscribedHome(): Promise<ClaudeHome> {
  const home = await makeCodexHome();
  const { ANTHROPIC_API_KEY: _, ...env } = home.env;
  return { ...home, env: { ...env, CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-fake', CLAUDE_CODE_MAX_RETRIES: '1' } };
}

let crew: RealCrew;
beforeAll(async () => {
  crew = await openRealCrew(subscribedHome);
  const config = join(crew.home.sandbox.dir('home/.config/crewmux'), 'config.json');
  writeFileSync(config, JSON.stringify({ limits: { resume_after_reset: true } }));
});
afterAll(() => crew.dispose());

const answered = z.looseObject({ success: z.boolean(), option: z.string().optional() });

async function limited(agent: 'claude' | 'codex', seconds: number): Promise<Worker> {
  const from = Date.now();
  const worker = await crew.one({ agent_type: agent, prompt: `LIMIT ${seconds} 1` });
  const seen = await eventually('the reset is known', async () => {
    const one = await crew.look(worker.session_id);
    // Until its own turn meets it, the limit is that of a worker before it.
    return one.waiting_for === 'limit' && one.turn?.ended_by === 'limit' && one.limit?.resets_at !== undefined && one;
  });
  const resetMs = Date.parse(seen.limit?.resets_at ?? '');
  expect(resetMs).toBeGreaterThanOrEqual(from + (seconds - 1) * 1_000);
  expect(resetMs).toBeLessThanOrEqual(Date.now() + (seconds + 1) * 1_000);
  return seen;
}

const prompts = (of: Worker, { home } = crew) =>
  home.model.requests.filter((r) => r.cwd === of.project_path).map((r) => r.texts.at(-1) ?? '');

/** Whoever has paid knows better than the limit. */
const paid = { wait_mode: 'all', delivery: 'steer' };

// Before the account is spent for longer.
test('a worker of Codex is sent on once when its limit is over', async () => {
  // By the time anybody looks it may be over.
  const seconds = 5;
  const worker = await crew.one({ agent_type: 'codex', prompt: `LIMIT ${seconds} 1` });
  const isFirst = (r: ModelRequest) => r.cwd === worker.project_path;
  const refused = await crew.home.model.waitFor('the refused', isFirst);
  const isNext = (r: ModelRequest) => isFirst(r) && (r.texts.at(-1) ?? '').includes('limit is over');
  const sentOn = await crew.home.model.waitFor('it is sent on', isNext);
  expect(sentOn.at - refused.at).toBeGreaterThan((seconds - 1) * 1_000);
  await crew.idle(worker);
  expect(prompts(worker).filter((text) => text.includes('limit is over'))).toHaveLength(1);
  expect(crew.falseIdles(worker)).toEqual([]);
});

describe.concurrent('a worker whose account is spent', () => {
  test('of Claude Code says when that is over and that it goes on by itself, until a person takes that back', async () => {
    const worker = await limited('claude', 4_000);
    const ended = await crew.wait([worker.session_id]);
    expect(ended.attention[0]).toMatchObject({
      waiting_for: 'limit',
      detail: expect.stringMatching(/goes on by itself after /),
      answer_with: [expect.stringMatching(/^message_workers \{/)],
    });
    await crew.message(worker, '/rate-limit-options', { as_command: true });
    const need = await eventually('the menu is told', async () => {
      const { attention } = await crew.wait([worker.session_id], { on_attention: 'any' });
      return attention[0]?.options !== undefined && attention[0];
    });
    expect(need).toMatchObject({ waiting_for: 'limit', options: expect.arrayContaining(['Upgrade your plan']) });
    const option = need.options?.find((label) => /continue automatically/.test(label)) ?? '';
    const args = { session_id: worker.session_id, decision: 'choose', option };
    expect(await patient(() => crew.call('answer_worker', answered, args))).toMatchObject({ success: true, option });
    await eventually('it does not go on by itself', async () => {
      const { limit } = await crew.look(worker.session_id);
      return limit !== undefined && limit.goes_on === undefined;
    });
    expect(await crew.message(worker, 'SAY paid', paid)).toMatchObject({ verdict: 'submitted' });
    expect(await crew.look(worker.session_id)).toMatchObject({ status: 'idle' });
  });

  test('of Codex says when that is over', async () => {
    const worker = await limited('codex', 4_000);
    expect(await crew.message(worker, 'SAY paid', paid)).toMatchObject({ verdict: 'submitted' });
    expect(await crew.look(worker.session_id)).toMatchObject({ status: 'idle' });
  });
});

test('a limit that one worker meets keeps a message to the other until it is over, with nothing configured', async () => {
  const fresh = await openRealCrew(subscribedHome);
  try {
    const [ada, bea] = await Promise.all(['ada', 'bea'].map((name) => fresh.one({ name })));
    if (ada === undefined || bea === undefined) throw new Error('not spawned');
    await fresh.message(ada, 'LIMIT 12 1');
    const stopped = await eventually('the reset is known', async () => {
      const one = await fresh.look(ada.session_id);
      return one.limit?.resets_at !== undefined && one;
    });
    const resets_at = stopped.limit?.resets_at ?? '';
    const kept = await fresh.message(bea, 'SAY later');
    expect(kept).toMatchObject({ success: true, verdict: 'kept', evidence: { source: 'us' } });
    expect(kept.evidence.detail).toContain(resets_at);
    expect(await fresh.until(bea.session_id, 'waiting')).toMatchObject({
      ...{ waiting_for: 'limit', pending_messages: 1, limit: { kind: 'account', resets_at } },
    });
    const asked = await fresh.home.model.waitFor('what was kept', ({ texts }) => texts.at(-1) === 'SAY later');
    expect(performance.timeOrigin + asked.at).toBeGreaterThan(Date.parse(resets_at));
    await fresh.idle(bea);
    expect(prompts(bea, fresh).filter((text) => text === 'SAY later')).toHaveLength(1);
    // Its agent goes on by itself, or waits: crewmux only watches.
    expect(prompts(ada, fresh).filter((text) => text.includes('limit is over'))).toEqual([]);
    expect(fresh.falseIdles(bea)).toEqual([]);
  } finally {
    await fresh.dispose();
  }
});
