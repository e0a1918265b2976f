// Looks at agents' processes for what no event reports: the end of one under a wrapper or in somebody else's tmux, and
// the next conversation of one that crewmux has adopted.
import pLimit from 'p-limit';
import type { Disposer } from '../../model/clock.ts';
import { messageOf } from '../../model/errors.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { repeat } from '../../system/pace.ts';
import { isAlive, type ProcessRef, processStart, processTree } from '../../system/process.ts';
import { argvOf, openFilesOf } from '../../system/process-traces.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import type { Following } from '../workers/following.ts';
import { noteUnseen } from '../workers/pane-facts.ts';

const lookEveryMs = 2_000;
/** A wrapper may take its time before it starts the agent; without any such process the pane's own is the agent. */
const mostSearches = 15;

interface Sight {
  /** The agent's own process, as the first look saw it. */
  readonly self: ProcessRef | undefined;
  readonly searches: number;
}

/** Looks at intervals, and at once where an agent reports that it is ready: it may end before the next look. */
export function watchProcesses(context: CrewContext): Disposer {
  const seen = new WeakMap<Following, Sight>();
  const onTrouble = (error: unknown) =>
    context.logger.write('warn', 'the process of an agent could not be read', error);
  const oneAtATime = pLimit(1);
  const look = (following: Following) =>
    oneAtATime(() =>
      noteEnd(context, seen, following).catch((error: unknown) => {
        onTrouble(error);
        noteUnseen(following, `its process could not be looked at: ${messageOf(error)}`, context.clock.now());
      }),
    );
  const stopNews = context.roster.onChange(({ workerId, signal }) => {
    const following = context.roster.following(workerId);
    if (signal.from === 'hook' && signal.kind === 'ready' && following !== undefined) void look(following);
  });
  const stopLooks = repeat({ clock: context.clock, delayMs: lookEveryMs, onTrouble }, async () => {
    for (const following of context.roster.all()) await look(following);
    for (const following of context.roster.all()) await noteConversation(context, following);
  });
  return () => {
    stopNews();
    stopLooks();
  };
}

async function noteEnd(context: CrewContext, seen: WeakMap<Following, Sight>, following: Following): Promise<void> {
  const record = context.log.records().get(following.workerId);
  if (record === undefined || following.state.is === 'gone') return;
  const sight = await sightOf(context, { record, following, last: seen.get(following) });
  seen.set(following, sight);
  const { self } = sight;
  if (self === undefined || isPanesOwn(context, record, self.pid) || (await isAlive(self))) return;
  const detail = `the agent's process ${self.pid} has ended`;
  following.apply({ from: 'pane', kind: 'gone', at: context.clock.now(), detail });
}

/** The terminal reports the end of a pane's own process. */
const isPanesOwn = (context: CrewContext, { pane }: WorkerRecord, pid: number): boolean =>
  pane?.pid === pid && pane.socket === context.tmux.socket;

interface Looking {
  readonly record: WorkerRecord;
  readonly following: Following;
  readonly last: Sight | undefined;
}

async function sightOf(context: CrewContext, { record, following, last }: Looking): Promise<Sight> {
  const pid = following.agentPid;
  const searches = last?.searches ?? 0;
  const isFound = record.launch.process !== undefined || record.launch.stateDir !== undefined || following.hasOwnPid;
  // Nothing recognizes the process of a configured agent, so the pane's own counts.
  const isKnown = isFound || context.agents.of(record).readProcess === undefined;
  if (!isKnown && record.pane !== undefined && searches < mostSearches) {
    const found = await agentIn(context, record, record.pane.pid);
    if (found !== undefined) following.runsAs(found.pid);
    return { self: found, searches: searches + 1 };
  }
  if (pid === undefined) return { self: undefined, searches };
  if (last?.self?.pid === pid) return last;
  const known = record.launch.process?.pid === pid ? record.launch.process.processStart : await processStart(pid);
  // A process that has ended has no start; no other process has an empty one.
  return { self: { pid, processStart: known ?? '' }, searches };
}

/** The agent's process among those that run in a pane. */
async function agentIn(context: CrewContext, record: WorkerRecord, panePid: number): Promise<ProcessRef | undefined> {
  const agent = context.agents.of(record);
  for (const ref of await processTree(panePid)) {
    const argv = await argvOf(ref.pid).catch(() => []);
    if (agent.readProcess?.({ argv }) !== undefined) return ref;
  }
  return undefined;
}

/** No hook runs in an adopted agent; one without a state file shows its next conversation by its open files alone. */
async function noteConversation(context: CrewContext, following: Following): Promise<void> {
  const record = context.log.records().get(following.workerId);
  if (record?.phase !== 'live' || following.state.is === 'gone' || record.launch.stateDir !== undefined) return;
  const pid = record.launch.process?.pid;
  if (pid === undefined) return;
  const [argv, openFiles] = await Promise.all([argvOf(pid).catch(() => []), openFilesOf(pid).catch(() => undefined)]);
  if (openFiles === undefined) return;
  const { agentSessionId, transcriptPath } = context.agents.of(record).readProcess?.({ argv, openFiles }) ?? {};
  // Before it has a transcript there is nothing to follow.
  if (agentSessionId === undefined || transcriptPath === undefined) return;
  if (transcriptPath === following.transcriptPath) return;
  const at = context.clock.now();
  following.apply({ from: 'pane', kind: 'conversation', at, agentSessionId, transcriptPath });
}
