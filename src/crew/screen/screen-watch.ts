// Keeps an eye on the screens of agents that tell of a dialog, its answer or dropped messages nowhere else.
import type { Disposer } from '../../model/clock.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { TurnState } from '../../turn/reduce-turn.ts';
import type { CrewContext } from '../workers/roster.ts';
import { lookOnce } from './screen-look.ts';

const lookEveryMs = 400;
/** A turn tells of its progress, but not that its model cannot be reached. */
const workingLookEveryMs = 1_000;
/** A person at the pane may open a panel, and nothing but the screen will ever tell. */
const idleLookEveryMs = 800;

/** After how long to look, where only the screen can tell when this is over. Pure. */
export function looksAfterMs(
  { is, waitingFor, facts }: TurnState,
  { hasHooks }: { readonly hasHooks: boolean },
): number | undefined {
  if (is === 'idle') return idleLookEveryMs;
  if (is === 'waiting') return waitingFor === 'limit' && facts.dialog === undefined ? idleLookEveryMs : lookEveryMs;
  if (is !== 'working') return undefined;
  const isOpen = facts.transcript?.open === true;
  const mayChange = !hasHooks || (!isOpen && (facts.queued.length > 0 || facts.terminals.length > 0));
  return mayChange || facts.trouble !== undefined ? lookEveryMs : workingLookEveryMs;
}

/** An agent that somebody else started runs no hook of ours. */
const hooksOf = ({ launch }: WorkerRecord) => ({ hasHooks: launch.process === undefined });

/** Any agent may stand at its prompt with nobody logged in: only the screen tells when somebody is. */
const isReadByScreen = (context: CrewContext, record: WorkerRecord, { waitingFor }: TurnState): boolean =>
  context.agentOf(record).onScreen.tells === 'dialogs' || waitingFor === 'login';

/** Looks for as long as there is a need, and begins with the change that makes one. */
export function watchScreens(context: CrewContext): Disposer {
  const looking = new Map<string, { readonly afterMs: number; readonly cancel: Disposer }>();
  let stopped = false;
  const look = (workerId: string) => {
    looking.get(workerId)?.cancel();
    looking.delete(workerId);
    const following = context.roster.following(workerId);
    const record = context.log.records().get(workerId);
    if (stopped || following === undefined || record?.phase !== 'live') return;
    const afterMs = looksAfterMs(following.state, hooksOf(record));
    if (afterMs === undefined || !isReadByScreen(context, record, following.state)) return;
    const due = () => void lookOnce(context, record, following).finally(() => look(workerId));
    looking.set(workerId, { afterMs, cancel: context.clock.after(afterMs, due) });
  };
  const stop = context.roster.onChange(({ workerId, after }) => {
    const record = context.log.records().get(workerId);
    if (record === undefined || !isReadByScreen(context, record, after)) return;
    if (looking.get(workerId)?.afterMs !== looksAfterMs(after, hooksOf(record))) look(workerId);
  });
  return () => {
    stopped = true;
    stop();
    for (const { cancel } of looking.values()) cancel();
    looking.clear();
  };
}
