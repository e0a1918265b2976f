// Follows the turns of agents that only the screen shows: what each look means, and when the next one is due.
import type { ScreenReading } from '../../agents/agent.ts';
import type { Disposer } from '../../model/clock.ts';
import type { Dialog, Signal } from '../../model/turn.ts';
import { type Looks, looksInTurn } from '../../system/pace.ts';
import type { TurnFacts } from '../../turn/facts.ts';
import { type CrewContext, hasPane, paneRef } from '../workers/crew-context.ts';
import type { Following } from '../workers/following.ts';

const lookEveryMs = 250;
// The terminal reports when something is written; this is the guarantee behind it.
const lookAtRestMs = 5_000;
/** How often a screen that goes on changing is worth a signal. */
const changesAgainMs = 2_000;
/** Until then a row that looks like a turn may belong to the start; later it is a turn that a new server finds running. */
const startMs = 60_000;

/** Looks at each launch of such an agent for as long as crewmux follows it. */
export function watchScreenTurns(
  context: CrewContext,
  isDue: (following: Following) => boolean = () => true,
): Disposer {
  const all = new Map<Following, Looks>();
  const follow = (following: Following) => {
    let last: SeenScreen | undefined;
    const look = async () => {
      const seen = await lookAt(context, following, last);
      if (seen === 'over') {
        all.delete(following);
        return undefined;
      }
      last = seen;
      return rests(following.state.facts) ? lookAtRestMs : lookEveryMs;
    };
    all.set(following, looksInTurn(context.clock, look));
  };
  const wake = (isMeant: (following: Following) => boolean) => {
    for (const [following, looks] of all) if (isMeant(following)) looks.wake();
  };
  const stops = [
    context.roster.onFollow((following) => {
      const record = context.log.records().get(following.workerId);
      if (record !== undefined && context.agents.of(record).onScreen.tells === 'turns' && isDue(following))
        follow(following);
    }),
    context.terminal.watch((event) => {
      if (event.kind !== 'pane-moved') return;
      const { ref } = event;
      wake(({ workerId, state }) => rests(state.facts) && hasPane(context.log.records().get(workerId) ?? {}, ref));
    }),
    context.roster.onChange(({ workerId, before, after }) => {
      if (rests(before.facts) && !rests(after.facts)) wake((following) => following.workerId === workerId);
    }),
  ];
  return () => {
    for (const stop of stops) stop();
    for (const { stop } of all.values()) stop();
    all.clear();
  };
}

const rests = ({ screen }: TurnFacts): boolean => screen?.rests === true;

async function lookAt(
  context: CrewContext,
  following: Following,
  last: SeenScreen | undefined,
): Promise<SeenScreen | undefined | 'over'> {
  const record = context.log.records().get(following.workerId);
  const isOver = context.roster.following(following.workerId) !== following || following.state.is === 'gone';
  if (record === undefined || isOver || record.phase === 'closed' || record.phase === 'dead') return 'over';
  if (record.pane === undefined) return last;
  try {
    const agent = context.agents.of(record);
    const screen = await context.terminal.capture(paneRef(record.pane), { colours: true });
    const at = context.clock.now();
    const reading = agent.readScreen(screen);
    const seen = seenAfter(last, { frame: reading.frame ?? screen, height: screen.split('\n').length }, at);
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

/** When something last happened. */
const busyUntil = ({ witness, screen }: TurnFacts, { changedAt }: SeenScreen): number =>
  Math.max(changedAt, witness.promptAt ?? 0, screen === undefined || screen.rests ? 0 : screen.at);

/** The signals of one finding: a change, and now and then that it goes on. Pure. */
export function newsOf(
  { screen, dialog }: Pick<TurnFacts, 'screen' | 'dialog'>,
  finding: ScreenFinding,
  { at, seen, isUp = false }: { readonly at: number; readonly seen: SeenScreen; readonly isUp?: boolean },
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
      const isRecent = screen?.rests === false && at - screen.at < changesAgainMs;
      const isKnown = screen?.rests === false && screen.detail === detail && seen.changedAt !== at;
      if (isRecent || isKnown) return closed;
      const isTurn = finding.isTurn === true && isUp ? { isTurn: true as const } : {};
      const since = Math.max(seen.changedAt, screen?.at ?? 0);
      return [...closed, { from: 'screen', kind: 'stirs', detail, at: since, ...isTurn }];
    }
  }
}

/** What the looks so far have shown. */
export interface SeenScreen {
  readonly frame: string;
  /** In rows; it changes when another pane comes into the window or goes. */
  readonly height: number;
  readonly changedAt: number;
  /** It was the same at the look before. */
  readonly isStill: boolean;
}

/** A screen that was never looked at counts as changed just now. */
export function seenAfter(
  last: SeenScreen | undefined,
  look: Pick<SeenScreen, 'frame' | 'height'>,
  at: number,
): SeenScreen {
  const frame = withoutLayout(look.frame);
  const { height } = look;
  if (last?.frame === frame && last.height === height) return { ...last, isStill: true };
  const isResized = last !== undefined && last.height !== height;
  return { frame, height, changedAt: isResized ? last.changedAt : at, isStill: false };
}

/** Blanks, line ends and the lines of boxes come and go with the width. */
const withoutLayout = (frame: string): string => frame.replace(/[\s\u2500-\u257f]/gu, '');

export type ScreenFinding =
  | { readonly is: 'dialog'; readonly dialog: Dialog }
  | { readonly is: 'rests' }
  | { readonly is: 'stirs'; readonly detail: string; readonly isTurn?: true };

/** An agent rests only at an empty prompt on a screen that has stood still. */
export function findingOf(
  reading: ScreenReading,
  still: { readonly isStill: boolean; readonly isQuiet: boolean },
): ScreenFinding {
  const { dialog, busy, draft } = reading;
  if (dialog !== undefined && still.isStill) return { is: 'dialog', dialog };
  if (busy !== undefined) return { is: 'stirs', detail: `it shows: ${short(busy)}`, isTurn: true };
  if (!still.isQuiet) return { is: 'stirs', detail: 'the screen changes' };
  if (draft === undefined) return { is: 'stirs', detail: 'the screen stands still and shows no prompt' };
  if (draft !== '') return { is: 'stirs', detail: `in the prompt stands: ${short(draft)}` };
  if (reading.ready !== true)
    return { is: 'stirs', detail: 'its prompt is in sight, and nothing yet that says it is ready' };
  return { is: 'rests' };
}

const short = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text);
