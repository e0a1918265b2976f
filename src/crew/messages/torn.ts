// A message that a killed server was typing: takes back the beginning that stands in the prompt box, and settles it.
import type { ScreenReading, TypingPlan } from '../../agents/agent.ts';
import { readWhole } from '../../jsonl/slice.ts';
import { pause } from '../../system/clock.ts';
import { digestOf } from '../../system/digest.ts';
import { readScreen, readScreenUntil } from '../screen/screen-look.ts';
import { paneRef } from '../workers/crew-context.ts';
import { awaitFact } from '../workers/timing.ts';
import { readKept } from './kept.ts';
import { byState } from './preflight.ts';
import { type BegunSend, forgetTyping, noteSettled, readTyping, sendsPath, unsettled } from './send-journal.ts';
import type { Recipient } from './sending.ts';
import { beforeProbe, keysForBeginning, probeFor, stepAtEmptied, stepAtProbe } from './torn-text.ts';
import { drawCeilingMs, press, type Typing, watch } from './type-into-box.ts';

/** The keyboard of a killed server comes back within this. */
const keyboardCeilingMs = 5_000;
const keyboardLookMs = 200;
/** A server that has just begun does not know yet that an agent without a message has started. */
const startCeilingMs = 8_000;
const boxTries = 15;
/** The agent shows a prompt that it has taken within this. */
const promptCeilingMs = 2_000;
/** Claude Code takes 1 to 20 ms for a key, as busy as its machine is, and may draw nothing before the last. */
const emptyCeilingMs = (keys: number): number => drawCeilingMs + keys * 40;
const mostRounds = 3;

type InBox =
  /** It stood there, was not sent, and is gone. */
  | 'taken-back'
  /** Nothing of it is there. */
  | 'nothing'
  /** It stands there with other text, or that text alone. */
  | 'other-text'
  /** No box could be seen or emptied. */
  | 'unseen';

/**
 * For who holds the lock. Settles what a killed server was typing into this launch, if the box can be seen; resolves
 * with whether something is still open.
 */
export async function settleTorn(to: Recipient): Promise<boolean> {
  const { context, record, following } = to;
  const typing = await readTyping(context, record.id);
  if (typing === undefined) return false;
  const begun = unsettled(await readWhole(await sendsPath(context, record.id))).find(({ id }) => id === typing.id);
  const plan = to.agent.planDelivery(typing);
  const isOfIt =
    begun?.launch === following.launch.number && 'expect' in plan && digestOf(plan.expect) === begun.digest;
  if (begun === undefined || !isOfIt) {
    await forgetTyping(context, record.id);
    return false;
  }
  await following.drain();
  await awaitFact(following, { clock: context.clock, ceilingMs: startCeilingMs }, () =>
    following.state.is === 'starting' ? undefined : true,
  );
  if (following.hasShown(begun)) return settle(to, begun, 'submitted');
  if (following.state.is === 'gone') return settle(to, begun, 'unconfirmed');
  if (byState(following.state, 'queue').may !== 'type') return true;
  switch (await emptyBox(to, plan)) {
    case 'unseen':
      return true;
    case 'taken-back':
      return settle(to, begun, 'failed');
    case 'other-text':
      return settle(to, begun, 'unconfirmed');
    case 'nothing':
      return settle(to, begun, (await isShown(to, begun)) ? 'submitted' : 'unconfirmed');
  }
}

const isShown = async ({ context, following }: Recipient, begun: BegunSend): Promise<boolean> =>
  (await awaitFact(following, { clock: context.clock, ceilingMs: promptCeilingMs }, () =>
    following.hasShown(begun) ? true : undefined,
  )) === true;

const details = {
  submitted: 'begun by a server that ended',
  unconfirmed: 'begun by a server that ended',
  failed: 'begun by a server that ended; its beginning stood in the prompt box, unsent, and was taken back',
};

async function settle({ context, record }: Recipient, begun: BegunSend, verdict: keyof typeof details): Promise<false> {
  const { id, chars } = begun;
  await noteSettled(await sendsPath(context, record.id), { id, at: context.clock.now(), verdict });
  await forgetTyping(context, record.id);
  // Whoever types kept messages tells of them.
  if ((await readKept(context, record.id)).some((mail) => mail.id === id)) return false;
  const data = { verdict, chars, detail: details[verdict] };
  await context.log.append([{ type: 'message_sent', workerId: record.id, data }]);
  return false;
}

async function emptyBox({ context, record, agent }: Recipient, plan: TypingPlan): Promise<InBox> {
  const { pane } = record;
  if (pane === undefined) return 'unseen';
  const until = context.clock.now() + keyboardCeilingMs;
  for (;;) {
    const found = await context.terminal.withKeyboard(paneRef(pane), async (keyboard) => {
      // A terminal that cannot hold the keyboard for us is used all the same.
      const isFree = keyboard.isAlone() || context.clock.now() >= until;
      return isFree ? takeBackTorn({ context, record, agent, keyboard }, plan) : undefined;
    });
    if (found !== undefined) return found;
    await pause(keyboardLookMs);
  }
}

async function takeBackTorn(typing: Typing, plan: TypingPlan): Promise<InBox> {
  const { context, record, agent } = typing;
  const look = () => readScreen(context, record, agent).catch(() => undefined);
  const isBox = (seen: ScreenReading) => (seen.draft ?? seen.draftEnd) !== undefined;
  const { draft, draftEnd } = (await readScreenUntil(look, isBox, boxTries)) ?? {};
  // Of a box that is taller than the screen, nobody can tell how its text begins.
  if (draft === undefined) return draftEnd === undefined ? 'unseen' : 'other-text';
  if (draft.trim() === '') return 'nothing';
  if (keysForBeginning(draft, plan) === undefined) return 'other-text';
  const probe = probeFor(plan);
  return probe === undefined ? 'other-text' : probeAndErase(typing, { typed: plan, probe });
}

/** Keys that were pressed before may not be drawn yet: a person's, or the Enter of the killed server. */
async function probeAndErase(
  typing: Typing,
  at: { readonly typed: TypingPlan; readonly probe: string },
): Promise<InBox> {
  if ((await press(typing, [{ paste: at.probe }])) !== undefined) return 'unseen';
  let keys: number | undefined;
  const seen = await watch(typing, { ceilingMs: drawCeilingMs }, (reading, waited) => {
    keys = reading.draft === undefined ? undefined : beforeProbe(reading.draft, at);
    return stepAtProbe(reading, at, waited);
  });
  if (seen.do !== 'go-on' || keys === undefined) {
    // The key takes back the probe, and nothing that stands behind it.
    const isLast = typing.keyboard.isAlone() || (seen.do === 'take-back' && seen.seen.trim().endsWith(at.probe));
    if (isLast) await press(typing, [{ press: 'BSpace' }]);
    return seen.do === 'take-back' ? 'other-text' : 'unseen';
  }
  const wasThere = keys > 0;
  for (let round = 0, times = keys + 1; round < mostRounds; round += 1) {
    if ((await press(typing, [{ press: 'BSpace', times }])) !== undefined) return 'unseen';
    const after = await watch(typing, { ceilingMs: emptyCeilingMs(times) }, (reading, waited) => {
      times = keysForBeginning(reading.draft ?? '', at.typed) ?? 0;
      return stepAtEmptied(reading, at.typed, waited);
    });
    if (after.do === 'go-on') return wasThere ? 'taken-back' : 'nothing';
    if (times === 0) return 'unseen';
  }
  return 'unseen';
}
