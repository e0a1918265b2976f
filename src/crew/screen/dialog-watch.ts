// Decides when to look at a worker's screen for a dialog: at its start, when it begins to wait, and at intervals.
import type { Disposer } from '../../model/clock.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { TurnState } from '../../turn/reduce-turn.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import type { Following } from '../workers/following.ts';
import { hooksOf, lookOnce } from './screen-look.ts';

// The agent draws its screen after about half a second; a start-up dialog does not change.
const startLooksMs = [600, 500, 500, 700, 1_000, 1_500];
const lateLookMs = 3_000;
/** By then a ready agent has drawn its prompt, and beside it a note where nobody is logged in. */
const readyLookMs = 600;
// An agent writes its state a moment before it draws the dialog; on a busy machine, a long moment.
const dialogLooksMs = [150, 400, 1_000, 2_500];
const lookEveryMs = 400;
/** The agent reports the progress of a turn, but not that it cannot reach its model. */
const workingLookEveryMs = 1_000;
/** A person at the pane may open a panel, which only the screen shows. */
const idleLookEveryMs = 800;

/** Looks while a worker starts: no hook runs and no file is written yet, so only the screen shows a dialog. */
export function watchStart(context: CrewContext, record: WorkerRecord, following: Following): void {
  const look = () => lookOnce(context, record, following);
  const next = (looks: number) => {
    context.clock.after(startLooksMs[looks] ?? lateLookMs, () => {
      if (following.state.is === 'gone') return;
      if (following.state.facts.readyAt === undefined) void look().finally(() => next(looks + 1));
      else context.clock.after(readyLookMs, () => void look());
    });
  };
  next(0);
}

/** Whether a change calls for a look: a wait has begun, or the screen alone shows what a hook held before. Pure. */
function opensDialog(before: TurnState, after: TurnState): boolean {
  if (after.is !== 'waiting' || after.evidence.source === 'screen') return false;
  if (before.is !== 'waiting' || before.since !== after.since) return true;
  const onScreenAlone = ({ requests }: TurnState) => requests.filter(({ held }) => held === undefined).length;
  return onScreenAlone(after) > onScreenAlone(before);
}

/** Reads a dialog as soon as an agent begins to wait: the screen has the words and choices that can be answered. */
export function watchDialogs(context: CrewContext): Disposer {
  return context.roster.onChange(({ workerId, before, after }) => {
    if (!opensDialog(before, after)) return;
    const following = context.roster.following(workerId);
    const record = context.log.records().get(workerId);
    if (following === undefined || record === undefined) return;
    const lookUntilSeen = ([delayMs, ...later]: readonly number[]) => {
      // Whoever waits for what it asks goes on without.
      if (delayMs === undefined) return following.apply({ from: 'screen', kind: 'no-dialog', at: context.clock.now() });
      const look = async () => {
        await lookOnce(context, record, following);
        const { is, dialog } = following.state;
        if (is === 'waiting' && dialog === undefined) lookUntilSeen(later);
      };
      context.clock.after(delayMs, () => void look());
    };
    lookUntilSeen(dialogLooksMs);
  });
}

/** The time to the next look in a state whose end only the screen shows. Pure. */
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

/** Of any agent, only the screen shows when somebody has logged in. */
const isReadByScreen = (context: CrewContext, record: WorkerRecord, { waitingFor }: TurnState): boolean =>
  context.agents.of(record).onScreen.tells === 'dialogs' || waitingFor === 'login';

/** Looks at intervals for as long as the state calls for it; the change to such a state begins it. */
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
