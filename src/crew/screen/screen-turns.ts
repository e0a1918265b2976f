// Watches the screens of agents of which nothing else tells.
import type { PaneRef } from '../../backends/terminal.ts';
import type { Disposer } from '../../model/clock.ts';
import type { Signal } from '../../model/turn.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { TurnFacts } from '../../turn/facts.ts';
import type { Following } from '../workers/following.ts';
import { type CrewContext, paneRef } from '../workers/roster.ts';
import { type Finding, findingOf, type Watched, watchedOn } from './screen-turn.ts';

const lookEveryMs = 250;
// The terminal tells when something is written; this is the guarantee behind it.
const lookAtRestMs = 5_000;
/** How often a screen that goes on changing is told of. */
const stillStirsMs = 2_000;
/** Before that a row that looks like a turn may belong to the start; after it a new server has come upon one. */
const startMs = 60_000;

/** Until the next look. */
interface Nap {
  readonly cancel: Disposer;
  readonly wake: () => void;
}

/** Begins with every launch that is followed, and ends with it. */
export function watchScreenTurns(context: CrewContext): Disposer {
  const naps = new Map<Following, Nap>();
  const sleep = (following: Following, last: Watched | undefined, delayMs: number) => {
    const look = async () => {
      const seen = await lookAt(context, following, last);
      if (!naps.has(following)) return;
      if (seen === 'over') naps.delete(following);
      else sleep(following, seen, rests(following.state.facts) ? lookAtRestMs : lookEveryMs);
    };
    const cancel = context.clock.after(delayMs, () => void look());
    let isAwake = false;
    const wake = () => {
      if (isAwake) return;
      isAwake = true;
      cancel();
      void look();
    };
    naps.set(following, { cancel, wake });
  };
  const wake = (isMeant: (following: Following) => boolean) => {
    for (const [following, nap] of naps) if (isMeant(following)) nap.wake();
  };
  const stops = [
    context.roster.onFollow((following) => {
      const record = context.log.records().get(following.workerId);
      if (record !== undefined && context.agentOf(record).onScreen.tells === 'turns') sleep(following, undefined, 0);
    }),
    context.terminal.watch((event) => {
      if (event.kind !== 'pane-moved') return;
      const { ref } = event;
      wake(({ workerId, state }) => rests(state.facts) && isIn(context.log.records().get(workerId), ref));
    }),
    context.roster.onChange(({ workerId, before, after }) => {
      if (rests(before.facts) && !rests(after.facts)) wake((following) => following.workerId === workerId);
    }),
  ];
  return () => {
    for (const stop of stops) stop();
    for (const { cancel } of naps.values()) cancel();
    naps.clear();
  };
}

const rests = ({ screen }: TurnFacts): boolean => screen?.rests === true;

const isIn = (record: WorkerRecord | undefined, { id, serverPid, serverStartedAt }: PaneRef): boolean =>
  record?.pane?.paneId === id && record.pane.serverPid === serverPid && record.pane.serverStartedAt === serverStartedAt;

async function lookAt(
  context: CrewContext,
  following: Following,
  last: Watched | undefined,
): Promise<Watched | undefined | 'over'> {
  const record = context.log.records().get(following.workerId);
  const isOver = context.roster.following(following.workerId) !== following || following.state.is === 'gone';
  if (record === undefined || isOver || record.phase === 'closed' || record.phase === 'dead') return 'over';
  if (record.pane === undefined) return last;
  try {
    const agent = context.agentOf(record);
    const screen = await context.terminal.capture(paneRef(record.pane), { colours: true });
    const at = context.clock.now();
    const reading = agent.readScreen(screen);
    const seen = watchedOn(last, { frame: reading.frame ?? screen, height: screen.split('\n').length }, at);
    const { facts } = following.state;
    const isUp = at - following.launch.startedAt > startMs;
    const isQuiet = at - busyUntil(facts, seen) >= (agent.onScreen.tells === 'turns' ? agent.onScreen.quietMs : 0);
    const signal = newsOf(facts, findingOf(reading, { isStill: seen.isStill, isQuiet }), { at, seen, isUp });
    for (const one of signal) following.apply(one);
    return seen;
  } catch (error) {
    // A pane may be closed between the moment the look was due and the look.
    if (!context.roster.closing.has(record.id)) context.logger.write('info', `no look at ${record.name}`, error);
    return last;
  }
}

/** The last moment at which something was seen to happen. */
const busyUntil = ({ witness, screen }: TurnFacts, { changedAt }: Watched): number =>
  Math.max(changedAt, witness.promptAt ?? 0, screen === undefined || screen.rests ? 0 : screen.at);

/** What is worth a signal: a change, and now and then that it goes on. Pure. */
export function newsOf(
  { screen, dialog }: Pick<TurnFacts, 'screen' | 'dialog'>,
  finding: Finding,
  { at, seen, isUp = false }: { readonly at: number; readonly seen: Watched; readonly isUp?: boolean },
): readonly Signal[] {
  const closed: readonly Signal[] = dialog === undefined ? [] : [{ from: 'screen', kind: 'no-dialog', at }];
  switch (finding.is) {
    case 'dialog': {
      const isKnown = dialog !== undefined && JSON.stringify(dialog.dialog) === JSON.stringify(finding.dialog);
      return isKnown ? [] : [{ from: 'screen', kind: 'dialog', dialog: finding.dialog, at }];
    }
    case 'rests':
      return screen?.rests === true && dialog === undefined ? [] : [{ from: 'screen', kind: 'rests', at }];
    case 'stirs': {
      const { detail } = finding;
      const isRecent = screen?.rests === false && at - screen.at < stillStirsMs;
      const isKnown = screen?.rests === false && screen.detail === detail && seen.changedAt !== at;
      if (isRecent || isKnown) return closed;
      const isTurn = finding.isTurn === true && isUp ? { isTurn: true as const } : {};
      const since = Math.max(seen.changedAt, screen?.at ?? 0);
      return [...closed, { from: 'screen', kind: 'stirs', detail, at: since, ...isTurn }];
    }
  }
}
