// The real crew in this process, on real git, with workers at rest: no server, no pane and no agent's process.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import type { Crew } from '../../src/crew/api.ts';
import { buildCrew } from '../../src/graph.ts';
import type { EventDraft, RecordChange } from '../../src/model/event.ts';
import { newUuid, newWorkerId } from '../../src/model/ids.ts';
import type { WorkerRecord } from '../../src/model/worker.ts';
import { type EventLog, openEventLog } from '../../src/store/event-log.ts';
import { systemClock } from '../../src/system/clock.ts';
import { processStart } from '../../src/system/process.ts';
import type { Call, Tool } from '../../src/tools/tool.ts';
import { inspectFolder } from '../../src/worktree/git/inspect.ts';
import { addWorktree } from '../../src/worktree/making/add.ts';
import type { Fields } from './mcp.ts';
import { workerRecord } from './records.ts';
import { makeSandbox, type Sandbox } from './sandbox.ts';

/** Its agent has ended, so it is dead to the crew; worktree, branch and record are as a spawn makes them. */
export interface Resting extends WorkerRecord {
  readonly branch: string;
  readonly worktreePath: string;
}

export interface RestingWish {
  readonly repo?: string;
  readonly base?: string;
  readonly branch?: string;
  /** What its record says otherwise. */
  readonly record?: Partial<WorkerRecord>;
}

export interface Caller {
  /** For what no tool asks of the crew. */
  readonly verbs: Crew;
  /** What a tool answers; rejects with its `CrewError`. */
  call<Output>(tool: Tool, output: z.ZodType<Output>, args?: Fields, context?: Partial<Call>): Promise<Output>;
}

export interface RestingCrew extends Caller {
  /** The first of them, by its own verbs. */
  readonly crew: Crew;
  readonly sandbox: Sandbox;
  readonly repo: string;
  git(cwd: string, ...args: string[]): string;
  /** Makes a worker with a worktree of its own. */
  worker(wish?: RestingWish): Promise<Resting>;
  /** A worker with one commit of its own. */
  author(file: string, text: string, wish?: RestingWish): Promise<Resting>;
  /** Writes a file and commits it; returns the commit. */
  commit(at: string, file: string, text: string, subject?: string): string;
  /** Notes what has become of a worker. */
  note(of: Pick<WorkerRecord, 'id'>, set: RecordChange): Promise<void>;
  /** Writes an event as another server would. */
  append(event: EventDraft): Promise<void>;
  /** Types of events and what they say, of one worker. */
  events(of: Pick<WorkerRecord, 'id'>): Promise<readonly { type: string; data: Fields }[]>;
  /** Another crew over the same home or another, as a second server would be; ended with this one. */
  open(env?: Readonly<Record<string, string>>): Promise<Caller>;
  dispose(): Promise<void>;
}

let made = 0;

/** `env` is added to what the crew knows of its surroundings. */
export async function openRestingCrew(env: Readonly<Record<string, string>> = {}): Promise<RestingCrew> {
  const sandbox = makeSandbox();
  return restingCrewIn(sandbox, sandbox.repo('project'), env);
}

export async function restingCrewIn(
  sandbox: Sandbox,
  repo: string,
  env: Readonly<Record<string, string>> = {},
): Promise<RestingCrew> {
  const crews: Crew[] = [];
  const me = { pid: process.pid, processStart: (await processStart(process.pid)) ?? '' };
  const open: RestingCrew['open'] = async (more = {}) => {
    const crew = await crewIn(sandbox, repo, { ...env, ...more });
    crews.push(crew);
    return callerOf(crew);
  };
  const first = await open();
  const [crew] = crews;
  if (crew === undefined) throw new Error('No crew was opened');
  const log = await openEventLog({
    home: sandbox.dir('crewmux'),
    me,
    maxBytes: Number.MAX_SAFE_INTEGER,
    keepMs: Number.MAX_SAFE_INTEGER,
    clock: systemClock,
    onTrouble: (message) => {
      throw new Error(message);
    },
  });
  const { git } = sandbox;
  const commit: RestingCrew['commit'] = (at, file, text, subject = `Write ${file}`) => {
    writeFileSync(join(at, file), text);
    git(at, 'add', '-A');
    git(at, 'commit', '-q', '-m', subject);
    return git(at, 'rev-parse', 'HEAD');
  };
  const worker: RestingCrew['worker'] = (wish = {}) => makeWorker(log, { repo, ...wish }, { me, env: sandbox.env });
  return {
    ...first,
    ...{ crew, sandbox, repo, git, commit, worker, open },
    async append(event) {
      await log.append([event]);
    },
    async author(file, text, wish) {
      const author = await worker(wish);
      commit(author.worktreePath, file, text);
      return author;
    },
    async note({ id }, set) {
      await log.append([{ type: 'worker_annotated', workerId: id, data: {}, set }]);
    },
    async events({ id }) {
      await log.catchUp();
      return (await log.since(0)).filter(({ workerId }) => workerId === id).map(({ type, data }) => ({ type, data }));
    },
    async dispose() {
      try {
        await Promise.all([...crews.map((crew) => crew.dispose()), log.close()]);
      } finally {
        sandbox.dispose();
      }
    },
  };
}

async function makeWorker(
  log: EventLog,
  { repo, base, branch, record = {} }: RestingWish & { repo: string },
  { me, env }: { me: WorkerRecord['manager']; env: Readonly<Record<string, string>> },
): Promise<Resting> {
  const folder = await inspectFolder({ path: repo, env });
  if (folder === undefined) throw new Error(`${repo} is no repository`);
  made += 1;
  const [id, name] = [newWorkerId(), record.name ?? `ada-${made}`];
  const tree = await addWorktree({
    folder,
    root: '.worktrees',
    name: { workerName: name, workerId: id },
    ...(base === undefined ? {} : { base }),
    ...(branch === undefined ? {} : { branch }),
  });
  const { launch } = workerRecord();
  const resting: Resting = {
    ...workerRecord({ id, name, phase: 'dead', manager: me, createdAt: Date.now() }),
    projectPath: tree.path,
    worktreePath: tree.path,
    worktreeGitDir: tree.gitDir,
    mainRepoPath: folder.mainRepoPath,
    ownsWorktree: true,
    ownsBranch: tree.branchCreated,
    branch: tree.branch,
    ...(tree.branchFolder === undefined ? {} : { branchFolder: tree.branchFolder }),
    base: tree.base,
    launch: { ...launch, dir: `${env.CREWMUX_HOME}/workers/${id}/launches/1`, agentSessionId: newUuid() },
    ...record,
  };
  await log.append([{ type: 'worker_started', workerId: id, data: {}, set: resting }]);
  return resting;
}

function crewIn(sandbox: Sandbox, repo: string, more: Readonly<Record<string, string>>): Promise<Crew> {
  const env: Record<string, string> = { ...sandbox.env, CREWMUX_PROJECT_DIR: repo, ...more };
  return buildCrew({
    env,
    userHome: sandbox.home,
    project: repo,
    home: env.CREWMUX_HOME ?? '',
    pid: process.pid,
    program: [process.execPath],
    log: { path: '', write: () => undefined },
    remind: () => undefined,
  });
}

const callerOf = (crew: Crew): Caller => ({
  verbs: crew,
  async call(tool, output, args = {}, context = {}) {
    const calm = { signal: new AbortController().signal, tell: () => undefined, maxWaitMs: 60_000 };
    return output.parse((await tool.call(async () => crew, args, { ...calm, ...context })).structured);
  },
});
