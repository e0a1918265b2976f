// Agents that only a configuration describes: real programs with no hook and no transcript.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { spawnOutput } from '../../src/wire/starting.ts';
import { lastWords } from '../support/last-words.ts';
import { eventually } from '../support/sandbox.ts';
import { openStand, type Server, type Stand, type Worker } from './crew.ts';
import { lineAgent } from './line-agent.ts';
import { wordsOn } from './words.ts';

let stand: Stand;
let server: Server;
let config: string;
let notes: string;
const write = (agents: Readonly<Record<string, unknown>>) => writeFileSync(config, JSON.stringify({ agents }));
const agents = () => ({
  python: { command: 'python3 -q -i', prompt: '^>>> ', quiet_ms: 400, exit: [{ text: 'exit()' }, 'Enter'] },
  line: {
    command: ['python3', join(stand.sandbox.root, 'agent.py')],
    prompt: '^you> ',
    busy: 'ctrl-c stops it',
    busy_rows: 1,
    dialog: { permission: '\\[y/n\\]' },
    quiet_ms: 400,
    resume_args: ['--continue'],
    pass_env: ['LINE_AGENT_NOTES'],
  },
  broken: { command: 'no-such-program-anywhere', prompt: '^> ' },
  never: { command: ['sh', '-c', 'echo up; exec sleep 1000'], prompt: '^ready> ' },
  dies: { command: ['sh', '-c', `${lastWords('no licence')}; exit 3`], prompt: '^> ' },
});
const serve = () => stand.serve({ CREWMUX_CONFIG: config, LINE_AGENT_NOTES: notes });
beforeAll(async () => {
  stand = openStand();
  config = join(stand.sandbox.root, 'config.json');
  notes = join(stand.sandbox.root, 'notes');
  writeFileSync(join(stand.sandbox.root, 'agent.py'), lineAgent);
  write(agents());
  server = await serve();
});
afterAll(() => stand.dispose());

const told = z.object({
  workers: z.array(
    z.looseObject({ session_id: z.string(), status: z.string(), turn: z.record(z.string(), z.unknown()).optional() }),
  ),
});

const bare = { agent_type: 'line', use_worktree: false };
const line = (more: Readonly<Record<string, unknown>> = {}): Promise<Worker> =>
  server.one({ ...bare, skip_permissions: undefined, ...more });

describe('a program of which only the screen tells', () => {
  it('becomes ready, takes its first prompt, works, rests, and is closed without a trace', async () => {
    const prompt = `print('x' * 3)`;
    const worker = await server.one({ agent_type: 'python', skip_permissions: undefined, prompt });
    expect(worker).toMatchObject({ agent_type: 'python', permission_mode: 'unknown', branch: expect.any(String) });
    expect(await server.wait([worker])).toMatchObject({ all_idle: true, attention: [] });
    expect(stand.screen(worker)).toContain("print('x' * 3)\nxxx\n>>>");
    const seen = await server.look(worker.session_id);
    expect(seen).toMatchObject({
      status: 'idle',
      evidence: { source: 'screen' },
      turn: { ended_at: expect.any(String) },
    });
    expect(seen.turn?.ended_by).toBeUndefined();
    expect(await server.close(worker)).toMatchObject({ success: true, worktree: 'removed' });
    expect(existsSync(worker.worktree_path ?? '')).toBe(false);
  });

  it('is never idle while it works, whether it shows that or not', async () => {
    const worker = await line();
    for (const text of ['work 1', 'tick 4', 'ponder 1']) {
      const before = spans().length;
      const sent = server.message(worker, text);
      const idle: { readonly from: number; readonly to: number }[] = [];
      await eventually(`${text} is done and over`, async () => {
        const from = Date.now();
        if ((await server.look(worker.session_id)).status === 'idle') idle.push({ from, to: Date.now() });
        return (idle.at(-1)?.from ?? 0) > (spans()[before]?.end ?? Number.POSITIVE_INFINITY);
      });
      expect(await sent).toMatchObject({ verdict: 'submitted', evidence: { source: 'screen' } });
      const { begin, end } = spans()[before] ?? { begin: 0, end: 0 };
      expect(idle.filter(({ from, to }) => from >= begin && to < end)).toEqual([]);
    }
    await server.close(worker);
  });

  it('takes no second message while it may be at work, and is stopped by its own key', async () => {
    const worker = await line();
    const sent = await server.message(worker, 'work 600');
    expect(sent).toMatchObject({
      verdict: 'submitted',
      evidence: { detail: expect.stringContaining('ctrl-c stops it') },
    });
    expect(await server.look(worker.session_id)).toMatchObject({ status: 'working', evidence: { source: 'screen' } });
    expect(await server.message(worker, 'and more')).toMatchObject({ verdict: 'held' });
    expect(await server.interrupt(worker)).toBe('interrupted');
    expect(stand.screen(worker)).toContain('stopped');
    expect(stand.screen(worker)).not.toContain('and more');
    expect(await server.message(worker, 'hello again')).toMatchObject({ verdict: 'submitted' });
    await server.close(worker);
  });

  it('waits when it asks, is typed into by nobody then, and goes on when a person answers', async () => {
    const worker = await line({ prompt: 'ask' });
    const asking = await server.until(worker.session_id, 'waiting');
    expect(asking).toMatchObject({ waiting_for: 'permission', evidence: { detail: 'Run this command? [y/n]' } });
    expect(await server.message(worker, 'hello')).toMatchObject({ verdict: 'held' });
    expect(await server.wait([worker])).toMatchObject({ attention: [{ waiting_for: 'permission' }] });
    stand.keys(worker, 'y', 'Enter');
    await server.until(worker.session_id, 'idle');
    expect(stand.screen(worker)).toContain('answered y\nyou>');
    await server.close(worker);
  });

  it('keeps a message back while a person types, and is not idle meanwhile', async () => {
    const worker = await line();
    stand.keys(worker, '-l', 'half a thou');
    await server.until(worker.session_id, 'working');
    expect(await server.message(worker, 'mine')).toMatchObject({ success: false });
    const kept = server.message(worker, 'mine', { keep: true, wait_mode: 'all', timeout: 60 });
    await eventually('it is kept', async () => (await server.look(worker.session_id)).pending_messages === 1);
    expect(stand.screen(worker)).toMatch(/you> half a thou$/m);
    stand.keys(worker, 'C-u');
    expect(await kept).toMatchObject({ verdict: 'submitted' });
    expect(await kept).not.toHaveProperty('reply');
    expect(await server.message(worker, 'mine')).toMatchObject({ verdict: 'submitted' });
    await server.close(worker);
  });

  it('refuses texts that would not arrive as one, and lets a long one arrive whole', async () => {
    const worker = await line();
    expect(await server.message(worker, 'two\nlines')).toMatchObject({
      verdict: 'failed',
      hint: expect.stringContaining('multiline'),
    });
    expect(await server.message(worker, '/quit')).toMatchObject({
      verdict: 'failed',
      hint: expect.stringContaining('as_command'),
    });
    const long = `${'0123456789'.repeat(2_000)}, the end of it`;
    expect(await server.message(worker, long)).toMatchObject({ verdict: 'submitted' });
    await server.wait([worker]);
    expect(stand.screen(worker).slice(-200)).toContain(`heard ${long.length} 56789, the end of it`);
    await server.close(worker);
  });

  it('is found again by the next server, at work or at rest, and keeps what it wrote', async () => {
    const worker = await line({ use_worktree: true });
    await server.message(worker, 'write kept.txt');
    await server.wait([worker]);
    await server.message(worker, 'work 600');
    await server.connection.close();
    server = await serve();
    await server.until(worker.session_id, 'starting');
    await eventually('its work is seen', async () =>
      /it shows: /.test((await server.look(worker.session_id)).evidence.detail),
    );
    stand.keys(worker, 'C-c');
    await server.until(worker.session_id, 'idle');
    expect(stand.screen(worker)).toContain('stopped');
    expect(await server.close(worker)).toMatchObject({ success: true, worktree: 'kept' });
    expect(existsSync(join(worker.worktree_path ?? '', 'kept.txt'))).toBe(true);
  });

  it('is in the same state for the command line as for its server, since the same time', async () => {
    const worker = await line();
    const { session_id } = worker;
    const seenBy = async () => {
      const { workers } = told.parse(JSON.parse((await wordsOn(stand)('status', '--json')).stdout));
      return workers.find((one) => one.session_id === session_id);
    };
    for (const [keys, status] of [
      [['work 600', 'Enter'], 'working'],
      [['C-c'], 'idle'],
    ] as const) {
      stand.keys(worker, ...keys);
      const { turn } = await server.until(session_id, status);
      await eventually(`crewmux status says ${status}`, async () => (await seenBy())?.status === status);
      const seen = await seenBy();
      expect(seen).toMatchObject({ status, evidence: { source: 'screen' } });
      expect(seen?.turn).toEqual(turn);
    }
    await server.close(worker);
  });

  it('is dead when it dies, and comes back by the words that go on with its conversation', async () => {
    const worker = await line();
    await server.message(worker, 'die');
    const dead = await server.until(worker.session_id, 'dead');
    expect(dead.evidence).toMatchObject({ source: 'pane', detail: 'exit code 7' });
    const again = await server.call('restart_workers', spawnOutput, { session_ids: [worker.session_id] });
    expect(again).toMatchObject({ failed: [], warnings: [], sessions: [{ status: 'idle' }] });
    expect(stand.screen({ ...again.sessions[0], ...worker })).toContain('line agent --continue');
    await server.close(worker);
  });

  it('has no logs and no usage, and says so', async () => {
    const worker = await line({ use_worktree: true, prompt: 'hello' });
    const id = { session_id: worker.session_id };
    const { page_info } = await server.call('read_worker_logs', z.object({ page_info: z.looseObject({}) }), id);
    expect(page_info).toMatchObject({ total_messages: 0, note: expect.stringContaining('read_worker_screen') });
    const examined = await server.call('examine_worker', z.looseObject({}), id);
    expect({ usage: 0, ...examined }).toMatchObject({ usage: 0, conversation_stats: null, git: { dirty_files: 0 } });
    await server.close(worker);
  });

  it('is reached by no rule, whoever sets one is told, and it is not started where something is denied', async () => {
    const set = (scope: string, rules: object) =>
      server.call('set_permissions', z.looseObject({}), { scope, ...rules });
    await set('role:asker', { ask: ['Bash(rm *)'] });
    await set('role:denied', { deny: ['Bash(rm *)'] });
    const made = await server.spawn({ ...bare, role: 'asker' }, bare, { ...bare, role: 'denied' });
    const [told, untold] = made.sessions;
    expect(made.warnings.filter((warning) => warning.includes('permission rules'))).toHaveLength(1);
    expect(made.warnings.join()).toContain(`${told?.name}: these permission rules do not reach`);
    expect(made.failed).toMatchObject([{ error: expect.stringContaining('denies Bash(rm *)') }]);
    await expect(set(`worker:${untold?.session_id}`, { deny: ['Bash'] })).rejects.toThrow(/cannot be held/);
    for (const one of made.sessions) await server.close(one);
  });

  it('is unknown, and not idle, once nobody describes it any more', async () => {
    const worker = await line();
    const { line: _, ...others } = agents();
    write(others);
    await eventually('its screen means nothing', async () => {
      const { status, evidence } = await server.look(worker.session_id);
      return status === 'working' && evidence.detail === 'the screen stands still and shows no prompt';
    });
    expect(await server.message(worker, 'hello')).toMatchObject({
      verdict: 'failed',
      evidence: { detail: expect.stringContaining('any more') },
    });
    write(agents());
    await server.until(worker.session_id, 'idle');
    await server.close(worker);
  });
});

describe('a description that does not fit', () => {
  it('is refused for an agent that is not there, and nothing is made', async () => {
    const made = await server.spawn({ agent_type: 'gemini' }, { agent_type: 'broken' });
    expect(made.sessions).toEqual([]);
    expect(made.failed).toMatchObject([
      { step: 'check', error: expect.stringContaining('Known: claude, codex, python, line, broken, never, dies') },
      {
        step: 'check',
        error: expect.stringMatching(/^agent_missing: /),
        hint: expect.stringContaining('agents.broken.command'),
      },
    ]);
    expect(readdirSync(stand.repo)).not.toContain('gemini');
  });

  it('is refused where it has no words for what is asked', async () => {
    const { failed } = await server.spawn(
      { agent_type: 'line', skip_permissions: true },
      { agent_type: 'line', model: 'large' },
      { agent_type: 'line', mcp_config: {} },
      { agent_type: 'line', prompt: 'two\nlines' },
    );
    expect(failed.map(({ error, hint }) => `${error} ${hint}`)).toMatchObject([
      expect.stringContaining('agents.line.skip_permissions_args'),
      expect.stringContaining('agents.line.model_args'),
      expect.stringContaining('mcp_config'),
      expect.stringContaining('multiline'),
    ]);
  });

  it('leaves a program that never shows the prompt starting, with its first prompt untyped and said to be', async () => {
    const made = await server.spawn({ agent_type: 'never', prompt: 'hello' });
    expect(made.sessions).toMatchObject([
      { status: 'starting', evidence: { source: 'screen', detail: 'the screen stands still and shows no prompt' } },
    ]);
    expect(made.warnings.join()).toContain('its first prompt was not typed');
    for (const one of made.sessions) expect(await server.close(one)).toMatchObject({ worktree: 'removed' });
  });

  it('quotes a program that ends at once, and takes its worktree back', async () => {
    const made = await server.spawn({ agent_type: 'dies' });
    expect(made.failed).toMatchObject([{ step: 'start', error: expect.stringContaining('no licence') }]);
    expect(
      stand.sandbox
        .git(stand.repo, 'worktree', 'list')
        .split('\n')
        .filter((row) => row.includes('dies')),
    ).toEqual([]);
  });
});

/** When each line was worked on, as the program itself noted it. */
function spans(): readonly { readonly begin: number; readonly end: number }[] {
  const rows = existsSync(notes) ? readFileSync(notes, 'utf8').trim().split('\n') : [];
  const at = (what: string) => rows.filter((row) => row.endsWith(what)).map((row) => Number(row.split(' ')[0]));
  const ends = at('end');
  return at('begin').flatMap((begin, i) => (ends[i] === undefined ? [] : [{ begin, end: ends[i] }]));
}
