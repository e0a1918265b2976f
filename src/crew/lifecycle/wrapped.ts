// Agents whose end no pane event tells: under a wrapper, or in a pane of somebody else's tmux.
import pLimit from 'p-limit';
import type { Disposer } from '../../model/clock.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { isAlive, type ProcessRef, processStart, processTree } from '../../system/process.ts';
import { argvOf } from '../../system/process-sight.ts';
import type { Following } from '../workers/following.ts';
import type { CrewContext } from '../workers/roster.ts';
import { repeat } from '../workers/timing.ts';

const lookEveryMs = 2_000;
/** A wrapper may take its time before it starts the agent; a program that is never seen is the pane's own. */
const mostSearches = 15;

/** Looks slowly at those agents alone, and at once where one says that it has begun: it may be gone before the next look. */
export function watchWrapped(context: CrewContext): Disposer {
  const seen = new Map<Following, Sight>();
  const onTrouble = (error: unknown) => context.logger.write('warn', 'a wrapped agent could not be looked at', error);
  const inTurn = pLimit(1);
  const look = (following: Following) => inTurn(() => lookAgain(context, seen, following));
  const stopNews = context.roster.onChange(({ workerId, signal }) => {
    const following = context.roster.following(workerId);
    if (signal.from === 'hook' && signal.kind === 'ready' && following !== undefined)
      void look(following).catch(onTrouble);
  });
  const stopLooks = repeat({ clock: context.clock, delayMs: lookEveryMs, onTrouble }, async () => {
    const all = context.roster.all().filter(({ state }) => state.is !== 'gone');
    for (const following of seen.keys()) if (!all.includes(following)) seen.delete(following);
    for (const following of all) await look(following);
  });
  return () => {
    stopNews();
    stopLooks();
  };
}

async function lookAgain(context: CrewContext, seen: Map<Following, Sight>, following: Following): Promise<void> {
  const record = context.log.records().get(following.workerId);
  if (record === undefined || following.state.is === 'gone') return;
  const sight = await lookAt(context, { record, following, last: seen.get(following) });
  seen.set(following, sight);
  const { self } = sight;
  if (self === undefined || isTold(context, record, self.pid) || (await isAlive(self))) return;
  const detail = `the agent's process ${self.pid} has ended`;
  following.apply({ from: 'pane', kind: 'gone', at: context.clock.now(), detail });
}

interface Sight {
  /** The agent's own process, as it was when it was first seen. */
  readonly self: ProcessRef | undefined;
  readonly searches: number;
}

/** The pane's own end is told by the terminal. */
const isTold = (context: CrewContext, { pane }: WorkerRecord, pid: number): boolean =>
  pane?.pid === pid && pane.socket === context.socket;

interface Looking {
  readonly record: WorkerRecord;
  readonly following: Following;
  readonly last: Sight | undefined;
}

async function lookAt(context: CrewContext, { record, following, last }: Looking): Promise<Sight> {
  const pid = following.agentPid;
  const searches = last?.searches ?? 0;
  const isFound = record.launch.process !== undefined || record.launch.stateDir !== undefined || following.hasOwnPid;
  // Of a program that only a configuration describes, the pane's own process is all that is known.
  const isKnown = isFound || context.agentOf(record).readProcess === undefined;
  if (!isKnown && record.pane !== undefined && searches < mostSearches) {
    const found = await agentIn(context, record, record.pane.pid);
    if (found !== undefined) following.runsAs(found.pid);
    return { self: found, searches: searches + 1 };
  }
  if (pid === undefined) return { self: undefined, searches };
  if (last?.self?.pid === pid) return last;
  const known = record.launch.process?.pid === pid ? record.launch.process.processStart : await processStart(pid);
  // One that is not there any more had no start to tell it by; nothing else will have this one.
  return { self: { pid, processStart: known ?? '' }, searches };
}

/** The program itself among those that run in a pane. */
async function agentIn(context: CrewContext, record: WorkerRecord, panePid: number): Promise<ProcessRef | undefined> {
  const agent = context.agentOf(record);
  for (const ref of await processTree(panePid)) {
    const argv = await argvOf(ref.pid).catch(() => []);
    if (agent.readProcess?.({ argv }) !== undefined) return ref;
  }
  return undefined;
}
