// Eight servers of one project, killed at any moment while they talk, adopt, land and queue tasks: nothing happens twice.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import { z } from 'zod';
import { claudeAgent } from '../../src/agents/claude/claude.ts';
import { parseJson } from '../../src/model/json.ts';
import { readLog } from '../../src/store/read-log.ts';
import { listTasksOutput, submitTaskOutput } from '../../src/wire/tasks.ts';
import type { Server, Stand, Worker } from '../e2e/crew.ts';
import { openJobStand } from '../e2e/job-stand.ts';
import { isAlive } from '../support/mcp.ts';
import { eventually } from '../support/sandbox.ts';
import { drill, type Luck, numberIn } from './drill.ts';

const seats = 8;
const crewSize = 3;
/** Beside what it takes to begin and to settle. */
const playMs = Math.max(15, numberIn('CREWMUX_DRILL_SECONDS', 15)) * 1_000;
const mostTasks = 6;
/** One act in so many kills a server. */
const killOdds = 14;

const acts = fc.constantFrom(...(['say', 'say', 'say', 'say', 'adopt', 'look', 'look', 'land', 'task'] as const));
type Act = typeof acts extends fc.Arbitrary<infer T> ? T : never;

interface Said {
  readonly text: string;
  readonly to: string;
  /** `cut`: its server was killed before it answered. */
  readonly verdict: string;
}

interface Play {
  readonly stand: Stand & { readonly serveJobs: () => Promise<Server> };
  readonly luck: Luck;
  readonly workers: readonly Worker[];
  /** Each the newest server of its seat. */
  readonly servers: Promise<Server>[];
  readonly said: Said[];
  readonly landed: Set<string>;
  readonly tasks: Set<string>;
  readonly counts: Record<Act | 'kill', number>;
  acts: number;
}

drill(
  'eight servers that are killed at any moment deliver, land, drive and log nothing twice',
  async (luck) => {
    const stand = openJobStand({ limits: { max_parallel: 2 } });
    try {
      const servers = Array.from({ length: seats }, () => stand.serveJobs());
      const [first] = await Promise.all(servers);
      if (first === undefined) throw new Error('no server');
      const workers = await first.spawn(...Array.from({ length: crewSize }, () => ({ skip_permissions: true })));
      const counts = { say: 0, adopt: 0, look: 0, land: 0, task: 0, kill: 0 };
      const play: Play = {
        ...{ stand, luck, workers: workers.sessions, servers, counts, said: [], acts: 0 },
        ...{ landed: new Set<string>(), tasks: new Set<string>() },
      };
      expect(play.workers).toHaveLength(crewSize);
      const until = performance.now() + playMs;
      await Promise.all(servers.map((_, seat) => playSeat(play, seat, until)));
      console.log(`Seed ${luck.seed}: ${JSON.stringify(play.counts)}`);
      await mustAgree(play);
    } finally {
      await stand.dispose();
    }
  },
  { ceilingMs: playMs },
);

/** One act after the other, each of the server that has the seat by then. */
async function playSeat(play: Play, seat: number, until: number): Promise<void> {
  while (performance.now() < until) {
    const server = await play.servers[seat];
    if (server === undefined) throw new Error('an empty seat');
    const act = play.luck.draw(acts);
    play.counts[act] += 1;
    play.acts += 1;
    if (play.luck.draw(fc.nat(killOdds - 1)) === 0) killOne(play);
    await perform[act](play, server).catch((error: unknown) => {
      // The server was killed meanwhile; else the answer is one of those that a manager may get.
      if (isAlive(server.connection.pid)) expect(error).toMatchObject({ code: expect.stringMatching(mayRefuse) });
    });
  }
}

const mayRefuse = /^(owned_by_another|worker_busy|worker_dead|held|state_locked|would_lose_work|checkout_in_the_way)$/;

/** In the midst of its act; another takes its seat. */
function killOne(play: Play): void {
  const seat = play.luck.draw(fc.nat(seats - 1));
  play.counts.kill += 1;
  play.servers[seat] = (play.servers[seat] ?? play.stand.serveJobs()).then(({ connection: { pid } }) => {
    process.kill(pid, 'SIGKILL');
    return play.stand.serveJobs();
  });
}

const perform: Readonly<Record<Act, (play: Play, server: Server) => Promise<unknown>>> = {
  say,
  land,
  task,
  adopt: (play, { connection }) =>
    connection.call('adopt_worker', { session_id: workerOf(play).session_id, force: true }),
  look: (_, server) => server.call('crew_status', z.looseObject({}), { scope: 'all' }),
};

const workerOf = ({ luck, workers }: Play): Worker => luck.draw(fc.constantFrom(...workers));

async function say(play: Play, server: Server): Promise<void> {
  const worker = workerOf(play);
  const text = `SAY word ${play.acts} of ${server.connection.pid}`;
  const keep = play.luck.draw(fc.boolean());
  const tell = (verdict: string) => play.said.push({ text, to: worker.session_id, verdict });
  await server.message(worker, text, { keep }).then(
    ({ verdict }) => tell(verdict),
    () => tell('cut'),
  );
}

async function land(play: Play, server: Server): Promise<void> {
  const worker = workerOf(play);
  const file = `file-${play.acts}`;
  writeFileSync(join(worker.worktree_path ?? '', file), `${play.acts}\n`);
  const { outcome } = await server.call('merge_worker', z.looseObject({ outcome: z.string() }), {
    ...{ session_id: worker.session_id, test_command: '' },
  });
  if (outcome === 'landed') play.landed.add(file);
}

async function task(play: Play, server: Server): Promise<void> {
  if (play.tasks.size >= mostTasks) return;
  const title = `task ${play.acts}`;
  play.tasks.add(title);
  await server.call('submit_task', submitTaskOutput, { title, prompt: `SAY ${title}`, brings: 'report' });
}

async function mustAgree(play: Play): Promise<void> {
  const servers = await Promise.all(play.servers);
  const [last] = servers;
  if (last === undefined) throw new Error('no server');
  for (const { session_id } of play.workers) await last.connection.call('adopt_worker', { session_id, force: true });
  await eventually('all workers rest', async () => {
    const { attention, all_idle } = await last.wait(play.workers, { timeout: 60, on_attention: 'ignore' });
    return all_idle || (attention.length > 0 && Promise.reject(new Error(JSON.stringify(attention))));
  });
  await eventually('all tasks have ended', async () => {
    const { tasks } = await last.call('list_tasks', listTasksOutput);
    return tasks.every(({ ended_at }) => ended_at !== undefined);
  });
  await mustArriveOnce(play, last);
  await mustLandOnce(play);
  await mustBeLoggedOnce(play);
}

/** A text has at most one prompt, one that was proved has one, and one that was not typed has none. */
async function mustArriveOnce({ workers, said }: Play, server: Server): Promise<void> {
  for (const { session_id } of workers) {
    const { transcript_path: path = '' } = await server.look(session_id);
    // One that was told nothing has none.
    const lines = existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
    const prompts = lines.flatMap((line) => {
      const { entry } = claudeAgent.decodeLine(line);
      return entry?.role === 'user' ? [entry.content] : [];
    });
    const times = (text: string) => prompts.filter((prompt) => prompt === text).length;
    const odd = said.filter(({ to, text, verdict }) => {
      if (to !== session_id) return false;
      if (verdict === 'submitted' || verdict === 'queued') return times(text) !== 1;
      return verdict === 'failed' || verdict === 'held' ? times(text) !== 0 : times(text) > 1;
    });
    expect(odd.map((one) => ({ ...one, times: times(one.text) }))).toEqual([]);
  }
}

async function mustLandOnce({ stand, landed }: Play): Promise<void> {
  const git = (...args: string[]) => stand.sandbox.git(stand.repo, ...args).split('\n');
  const added = git('log', 'main', '--diff-filter=A', '--name-only', '--format=').filter((line) => line !== '');
  expect(added.filter((file, at) => added.indexOf(file) !== at)).toEqual([]);
  expect([...landed].filter((file) => !added.includes(file))).toEqual([]);
  const commits = git('log', 'main', '--format=%H').slice(0, -1);
  const told = eventsOf(stand).flatMap(({ type, data }) => (type === 'landed' ? [String(data.to)] : []));
  expect(told.toSorted()).toEqual(commits.toSorted());
}

const event = z.looseObject({
  ...{ seq: z.number(), type: z.string(), workerId: z.string() },
  data: z.record(z.string(), z.unknown()),
});

/** Line by line as they stand in the files, the older file first. */
const eventsOf = ({ sandbox }: Play['stand']) =>
  ['events.1.jsonl', 'events.jsonl'].flatMap((name) => {
    const path = join(sandbox.dir('crewmux'), name);
    const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
    return lines.flatMap((line) => event.safeParse(parseJson(line)).data ?? []);
  });

/** Each number is one event, and each start, turn, death and end of one launch or task stands once. */
async function mustBeLoggedOnce({ stand }: Play): Promise<void> {
  const events = eventsOf(stand);
  const seqs = events.map(({ seq }) => seq);
  expect(seqs).toEqual([...new Set(seqs)].toSorted((a, b) => a - b));
  const once = new Set(['turn_started', 'turn_ended', 'worker_started', 'worker_dead', 'worker_closed', 'task_ended']);
  const keys = events
    .filter(({ type }) => once.has(type))
    .map(({ type, workerId, data }) => `${type} ${workerId} ${data.turn ?? ''}`);
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  const { records } = await readLog(stand.sandbox.dir('crewmux'));
  const attempts = [...records.values()].flatMap(({ task: of }) =>
    of === undefined ? [] : [`${of.id} ${of.attempt}`],
  );
  expect(attempts.filter((key, at) => attempts.indexOf(key) !== at)).toEqual([]);
}
