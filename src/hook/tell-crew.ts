// `crewmux hook crew`: shows the manager of a project its crew. It only reads, and says nothing rather than fail.
import { lstatSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { PaneInfo } from '../backends/terminal.ts';
import { listPanesOf } from '../backends/tmux/look.ts';
import { defined, definedOf } from '../model/defined.ts';
import type { CrewEvent } from '../model/event.ts';
import { fieldsIn, wordOf } from '../model/json.ts';
import { oneLine } from '../model/plain-text.ts';
import type { Alarm, WorkerRecord } from '../model/worker.ts';
import { realPath } from '../store/place.ts';
import { readLog } from '../store/read-log.ts';
import { openRequests } from '../store/requests.ts';
import { readPlainSync } from '../system/plain-file.ts';
import { type CardFacts, type CardWorker, crewCard } from './crew-card.ts';

export interface CrewHookWorld {
  /** The payload from the agent. */
  readonly input: AsyncIterable<unknown>;
  readonly write: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where crewmux keeps its state. */
  readonly home: string;
  readonly now: number;
  /** What is open of the plans and tasks whose project is such a folder. */
  readonly work: (isHere: (folder: string) => boolean) => Promise<Pick<CardFacts, 'plans' | 'tasks'>>;
}

/** Returns 0, whatever happens. */
export async function tellCrew(world: CrewHookWorld): Promise<number> {
  // A worker leads no crew.
  if ((world.env.CREWMUX_WORKER ?? '') !== '') return 0;
  const card = await cardFor(world).catch(() => undefined);
  if (card !== undefined) {
    const said = { hookEventName: 'SessionStart', additionalContext: card };
    world.write(`${JSON.stringify({ hookSpecificOutput: said })}\n`);
  }
  return 0;
}

async function cardFor({ input, env, home, now, work }: CrewHookWorld): Promise<string | undefined> {
  const parts: string[] = [];
  for await (const part of input) parts.push(String(part));
  const cwd = wordOf(fieldsIn(parts.join('')).cwd);
  if (cwd === undefined) return undefined;
  const project = projectOf(realPath(cwd));
  const { records, recent } = await readLog(home);
  const crew = [...records.values()].filter((record) => topOf(record) === project && isTold(record, now));
  const panes = await panesOf(crew, env);
  const workers = await Promise.all(crew.map((record) => onCard(record, { panes, recent, home })));
  // Workers are worth a card also where the book cannot be read.
  const open = await work((folder) => projectOf(realPath(folder)) === project).catch(() => ({ plans: [], tasks: 0 }));
  return crewCard({ ...open, workers });
}

const topOf = ({ mainRepoPath, projectPath }: WorkerRecord): string => mainRepoPath ?? projectPath;

const oldMs = 7 * 24 * 60 * 60 * 1_000;

/** Who has been dead for long is nobody's worry any more. */
const isTold = ({ phase, endedAt = 0 }: WorkerRecord, now: number): boolean =>
  phase === 'live' || phase === 'spawning' || (phase === 'dead' && now - endedAt < oldMs);

/** The main repository that a folder lies in; the folder itself outside of one. */
export function projectOf(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    const link = gitLinkIn(at);
    if (link === 'none' && dirname(at) === at) return folder;
    if (link === 'folder') return at;
    if (link !== 'none') return mainOf(at, link.gitDir);
  }
}

/** A linked worktree names the folder that all worktrees share; a submodule has its own. */
function mainOf(top: string, gitDir: string): string {
  try {
    const link = readPlainSync(join(gitDir, 'commondir'));
    if (link === undefined) return top;
    const common = resolve(gitDir, link.trim());
    return realPath(basename(common) === '.git' ? dirname(common) : common);
  } catch {
    return top;
  }
}

function gitLinkIn(folder: string): 'none' | 'folder' | { readonly gitDir: string } {
  const path = join(folder, '.git');
  try {
    if (lstatSync(path).isDirectory()) return 'folder';
    const [, target] = /^gitdir: (.+)$/m.exec(readPlainSync(path) ?? '') ?? [];
    return target === undefined ? 'folder' : { gitDir: resolve(folder, target) };
  } catch {
    return 'none';
  }
}

/** Undefined where tmux does not tell. */
async function panesOf(
  crew: readonly WorkerRecord[],
  env: CrewHookWorld['env'],
): Promise<readonly PaneInfo[] | undefined> {
  const sockets = [...new Set(crew.flatMap(({ phase, pane }) => (phase === 'live' && pane ? [pane.socket] : [])))];
  const all = Promise.all(sockets.map((socket) => listPanesOf({ socket, env: definedOf(env) })));
  return all.then((found) => found.flat()).catch(() => undefined);
}

/** The alarm of a worker's last report, until a turn begins after it. Pure. */
export const alarmIn = ({ id, alarm }: WorkerRecord, recent: readonly CrewEvent[]): Alarm | undefined =>
  alarm !== undefined &&
  recent.some(({ type, workerId, at }) => type === 'turn_started' && workerId === id && at > alarm.at)
    ? undefined
    : alarm;

interface Known {
  readonly panes: readonly PaneInfo[] | undefined;
  readonly recent: readonly CrewEvent[];
  readonly home: string;
}

async function onCard(record: WorkerRecord, { panes, recent, home }: Known): Promise<CardWorker> {
  const { id, name, annotation: task, bead, branch, launch } = record;
  const state = stateOf(record, panes);
  const asked = state === 'dead' ? [] : await openRequests(join(home, 'workers', id));
  const asks = asked
    .filter((request) => request.launch === launch.number)
    .map(({ id, kind, question, tool }) => ({
      id,
      kind,
      words: oneLine(question?.text ?? `${tool?.name ?? ''} ${JSON.stringify(tool?.input) ?? ''}`),
    }));
  const alarm = state === 'dead' ? undefined : alarmIn(record, recent);
  return { name, state, asks, ...defined({ task, bead, branch, alarm }) };
}

function stateOf({ phase, pane: held }: WorkerRecord, panes: readonly PaneInfo[] | undefined): string {
  if (phase !== 'live') return phase === 'spawning' ? 'starting' : 'dead';
  if (panes === undefined) return 'in a state that is not known';
  const pane = panes.find(
    ({ ref }) =>
      ref.id === held?.paneId && ref.serverPid === held.serverPid && ref.serverStartedAt === held.serverStartedAt,
  );
  return pane === undefined || pane.dead ? 'dead' : (pane.marks.status ?? 'in a state that is not known');
}
