// Types a message into the prompt box, and sends it only where the box shows it and nothing else.
import type { Agent, Piece, ScreenReading, TypingPlan, Whole } from '../../agents/agent.ts';
import type { PaneKeyboard } from '../../backends/terminal.ts';
import { asCrewError } from '../../model/errors.ts';
import type { Keystroke } from '../../model/keystroke.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { pause } from '../../system/clock.ts';
import { readScreen } from '../screen/screen-look.ts';
import { type CrewContext, paneRef } from '../workers/crew-context.ts';
import { type BoxWait, stepAfterUndo, stepAtFirst, stepAtWhole, type TypingStep } from './prompt-box.ts';

export type Typed =
  /** The key that sends it was pressed, or may have been. */
  | { readonly is: 'sent' }
  /** Nothing of it is left; `beside` is the other text in the box, '' where the agent drew nothing at all. */
  | { readonly is: 'taken-back'; readonly beside: string }
  /** It was not sent, and some of it may be in the box. */
  | { readonly is: 'left'; readonly reason: string };

export interface Typing {
  readonly context: CrewContext;
  readonly record: WorkerRecord;
  readonly agent: Agent;
  readonly keyboard: PaneKeyboard;
}

/** Some programs draw nothing for seconds while they are busy. */
export const drawCeilingMs = 10_000;
/** The agent takes a while to read in a long text. */
const wholeCeilingMs = (text: string): number => drawCeilingMs + text.length / 5;
const pausesMs = [4, 4, 6, 8, 12, 16, 25, 40, 60];
const longPauseMs = 100;

/** Rejects only when nothing was typed. */
export async function typeIntoBox(worker: Omit<Typing, 'keyboard'>, plan: TypingPlan): Promise<Typed> {
  const { context, record } = worker;
  if (record.pane === undefined) return { is: 'left', reason: `${record.name} has no pane` };
  return context.terminal.withKeyboard(paneRef(record.pane), async (keyboard) => {
    const typing = { ...worker, keyboard };
    const trouble = await press(typing, plan.first.keystrokes);
    if (trouble?.delivery === 'not-sent') throw trouble;
    if (trouble !== undefined) return left(trouble.message);
    const seen = await watch(typing, { ceilingMs: drawCeilingMs }, (reading, waited) =>
      stepAtFirst(reading, plan, waited),
    );
    if (seen.do !== 'go-on') return takeBack(typing, plan.first, seen);
    return plan.rest.length === 0 ? submit(typing, plan) : typeRest(typing, plan);
  });
}

async function typeRest(typing: Typing, plan: TypingPlan): Promise<Typed> {
  const trouble = await press(typing, plan.rest);
  if (trouble !== undefined) return left(trouble.message);
  const ceilingMs = wholeCeilingMs(plan.whole.shows);
  const seen = await watch(typing, { ceilingMs }, (reading, waited) => stepAtWhole(reading, plan, waited));
  return seen.do === 'go-on' ? submit(typing, plan) : takeBack(typing, plan.whole, seen);
}

async function submit(typing: Typing, { submit: keystrokes }: TypingPlan): Promise<Typed> {
  const trouble = await press(typing, keystrokes);
  return trouble?.delivery === 'not-sent' ? left(trouble.message) : { is: 'sent' };
}

type Stopped = Exclude<TypingStep, { readonly do: 'wait' | 'go-on' }>;

async function takeBack(typing: Typing, typed: Piece | Whole, stopped: Stopped): Promise<Typed> {
  const { undo, shows: piece } = typed;
  // The program's input holds our keys and no others: these undo them whenever the program reads them.
  const isExact = stopped.do === 'give-up' && stopped.reason === 'undrawn' && typing.keyboard.isAlone();
  if (undo === undefined || !(isExact || stopped.do === 'take-back')) return left(wordsOf(stopped));
  const trouble = await press(typing, undo);
  if (trouble !== undefined) return left(trouble.message);
  if (isExact) return { is: 'taken-back', beside: stopped.seen };
  let beside = '';
  const seen = await watch(typing, { ceilingMs: drawCeilingMs }, (reading, waited) => {
    beside = reading.draft ?? reading.draftEnd ?? '';
    return stepAfterUndo(reading, { seen: stopped.seen, piece }, waited);
  });
  return seen.do === 'go-on' ? { is: 'taken-back', beside } : left(wordsOf(seen));
}

const left = (reason: string): Typed => ({ is: 'left', reason });

function wordsOf(stopped: Stopped): string {
  if (stopped.do === 'take-back') return `other text stands in the prompt box, too: ${JSON.stringify(stopped.seen)}`;
  switch (stopped.reason) {
    case 'dialog':
      return `a dialog opened while it was typed: ${stopped.seen}`;
    case 'no-box':
      return 'no prompt box has been in sight since it was typed';
    case 'undrawn':
      return stopped.seen === ''
        ? 'the agent has not drawn what was typed'
        : `the prompt box shows ${JSON.stringify(stopped.seen)}`;
  }
}

/** The error that kept all or some of the keystrokes from the program; undefined when it got them all. */
export async function press({ keyboard }: Typing, keystrokes: readonly Keystroke[]) {
  try {
    await keyboard.deliver(keystrokes);
    return undefined;
  } catch (error) {
    return asCrewError(error);
  }
}

export async function watch(
  { context, record, agent }: Typing,
  { ceilingMs }: { readonly ceilingMs: number },
  decide: (reading: ScreenReading, waited: BoxWait) => TypingStep,
): Promise<Exclude<TypingStep, { readonly do: 'wait' }>> {
  const from = context.clock.now();
  let still = { draft: '', since: from };
  for (let turn = 0; ; turn += 1) {
    await pause(pausesMs[turn] ?? longPauseMs);
    const reading = (await readScreen(context, record, agent).catch(() => undefined)) ?? {};
    const at = context.clock.now();
    const draft = reading.draft ?? reading.draftEnd ?? '';
    if (draft !== still.draft) still = { draft, since: at };
    const step = decide(reading, { forMs: at - from, ceilingMs, stillMs: at - still.since });
    if (step.do !== 'wait') return step;
  }
}
