// What both agents have used, to the token and the cent, with nothing configured; their model tells known usage.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { spawnOutput } from '../../src/wire/starting.ts';
import { usage } from '../../src/wire/usage.ts';
import { eventually } from '../support/sandbox.ts';
import { answer, needSuch } from './asking.ts';
import { makeCodexHome } from './codex-home.ts';
import { openRealCrew, type RealCrew, type Worker } from './crew.ts';

let crew: RealCrew;
beforeAll(async () => {
  crew = await openRealCrew(makeCodexHome);
  const line = { type: 'command', command: 'read -r told; echo "my own line, ${#told}" | tr -d 0-9' };
  writeFileSync(join(crew.home.sandbox.dir('home/.claude'), 'settings.json'), JSON.stringify({ statusLine: line }));
});
afterAll(() => crew.dispose());

const anything = z.looseObject({});
const examined = z.looseObject({ usage: usage.exactOptional() });
const rows = z.array(z.object({ name: z.string(), usage }));

const used = async ({ session_id }: Worker) => (await crew.call('examine_worker', examined, { session_id })).usage;

/** Of so many messages of 100 tokens and 12 of an answer, and one of 1,000. */
const tokens = (messages: number) => ({
  input_tokens: 1_000 + messages * 100,
  output_tokens: (1 + messages) * 12,
  cache_tokens: 0,
});
const costs = (of: Worker, usd: number, messages: number) =>
  eventually(
    `${of.name} has cost ${usd} by its agent`,
    async () => {
      const now = await used(of);
      return now?.cost?.source === 'agent' && now.cost.usd === usd && now;
    },
    20_000,
  ).then(
    (now) => expect(now).toMatchObject(tokens(messages)),
    async (error: unknown) => {
      throw new Error(`${String(error)}; last: ${JSON.stringify(await used(of))}`);
    },
  );
const say = (to: Worker, text: string) => crew.message(to, text, { wait_mode: 'all' });

test('usage is that of the agents over subagents, compaction, a restart, a fork and /clear', async () => {
  const claude = await crew.one({ name: 'Clara', prompt: 'USAGE 1000\nSAY one' });
  const codex = await crew.one({ name: 'Cody', agent_type: 'codex', prompt: 'USAGE 1000 300\nSAY one' });
  await crew.idle(claude);
  await costs(claude, 0.00424, 0);
  expect(crew.screen(claude)).toContain('my own line,');
  await say(claude, 'AGENT SAY from below\nSAY two');
  // Its own two messages, that of the subagent, and that on the news of it.
  await costs(claude, 0.0068, 4);
  await crew.message(claude, '/compact', { as_command: true });
  // No line of the transcript tells what a summary takes.
  await costs(claude, 0.00744, 4);
  const fork = await crew.one({ name: 'Fork', resume: claude.session_id, fork: true, prompt: 'SAY forked' });
  await crew.idle(fork);
  await eventually('the fork has its own cost', async () => (await used(fork))?.cost?.usd === 0.00064);
  await crew.call('close_workers', anything, { session_ids: [claude.session_id] });
  const again = await crew.call('restart_workers', spawnOutput, { session_ids: [claude.session_id] });
  expect(again.failed).toEqual([]);
  await crew.until(claude.session_id, 'idle');
  await say(claude, 'SAY back');
  await costs(claude, 0.00808, 5);
  await crew.message(claude, '/clear', { as_command: true });
  await eventually('the conversation is another', async () => {
    const { agent_session_id: now } = await crew.look(claude.session_id);
    return now !== claude.agent_session_id;
  });
  await say(claude, 'SAY clear');
  await costs(claude, 0.00872, 6);
  await crew.idle(codex);
  const estimate = { usd: 0.00404, source: 'estimate' };
  const counted = { input_tokens: 700, cache_tokens: 300, output_tokens: 13, cost: estimate };
  await eventually('the tokens of Codex are counted', async () => (await used(codex)) !== undefined);
  expect(await used(codex)).toMatchObject(counted);
  await crew.call('close_workers', anything, { session_ids: [claude.session_id, codex.session_id] });
  const told = execFileSync(process.execPath, [crew.program, 'usage', '--json'], {
    ...{ cwd: crew.repo, encoding: 'utf8', env: { ...crew.home.env, CREWMUX_PROJECT_DIR: crew.repo } },
  });
  const byName = new Map(rows.parse(JSON.parse(told)).map((row) => [row.name, row.usage]));
  expect(byName.get('Clara')).toMatchObject({ ...tokens(6), cost: { usd: 0.00872, source: 'agent' } });
  expect(byName.get('Cody')).toMatchObject(counted);
  expect(byName.get('Fork')).toMatchObject({ input_tokens: 100, output_tokens: 12 });
});

test('a prompt past max_turns is held until the offered call is made, for both agents side by side', async () => {
  const asTheyCome = { sandbox: null, permission_mode: null, max_turns: 1, prompt: 'SAY first' };
  const { sessions } = await crew.spawn({ ...asTheyCome }, { ...asTheyCome, agent_type: 'codex' });
  const heard = (of: Worker, text: string) =>
    crew.home.model.requests.filter(({ cwd, texts }) => cwd === of.project_path && texts.at(-1) === text);
  const bounded = async (worker: Worker) => {
    await crew.idle(worker);
    expect(heard(worker, 'SAY first')).toHaveLength(1);
    const held = await crew.message(worker, 'SAY second');
    expect(held).toMatchObject({ success: false, verdict: 'held', reason: 'over_limit' });
    const need = await needSuch(crew, worker, ({ waiting_for }) => waiting_for === 'limit');
    expect(need).toMatchObject({ limit: { kind: 'turns' }, answer_with: [expect.stringContaining('"allow"')] });
    expect(held.hint).toContain(need.answer_with[0]);
    expect(await answer(crew, need)).toMatchObject({ success: true, status: 'idle' });
    expect(await say(worker, 'SAY second')).toMatchObject({ verdict: 'submitted' });
    expect(await crew.message(worker, 'SAY third', { keep: true })).toMatchObject({
      verdict: 'kept',
      reason: 'over_limit',
    });
    await answer(crew, await needSuch(crew, worker, ({ request_id }) => request_id === 'limit-turns-1'));
    await eventually('what was kept is typed', async () => heard(worker, 'SAY third').length > 0);
    // Its bound is reached again, and needs somebody.
    await crew.wait([worker.session_id], { on_attention: 'ignore' });
    expect(['SAY second', 'SAY third'].map((text) => heard(worker, text).length)).toEqual([1, 1]);
    expect(crew.falseIdles(worker)).toEqual([]);
  };
  expect(sessions.map(({ agent_type }) => agent_type)).toEqual(['claude', 'codex']);
  await Promise.all(sessions.map(bounded));
});
