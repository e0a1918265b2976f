// Types what is kept for a worker, oldest first, until something is in the way.
import { type KeptMail, keptIn, readMailbox, settleMail } from '../../store/mailbox.ts';
import { digestOf } from '../../system/digest.ts';
import { awaitsFirstPrompt } from '../../turn/facts.ts';
import type { CrewContext } from '../workers/roster.ts';
import { countKept, keptSet } from './kept.ts';
import { byState } from './preflight.ts';
import { sendsPath, typedUnder } from './send-journal.ts';
import { eventOf, sendInTurn, withRecipient } from './send-message.ts';
import type { Recipient } from './sending.ts';
import { settleTorn } from './torn.ts';

/** Resolves with whether something is in the way, so that it is worth another try. */
export async function deliverKept(context: CrewContext, workerId: string): Promise<boolean> {
  for (;;) {
    const state = context.roster.turn(workerId);
    if (state === undefined || byState(state, 'queue').may !== 'type' || awaitsFirstPrompt(state.facts)) return true;
    const record = context.roster.record(workerId);
    const step = await withRecipient(context, record, async (to) => {
      const { closing } = context.roster;
      const isOurs = context.roster.isMine(context.roster.record(workerId)) && !closing.has(workerId);
      return isOurs ? deliverFirst(to) : 'held';
    }).catch((error: unknown): Step => {
      context.logger.write('warn', `the kept messages of ${record.name} could not be typed`, error);
      return 'held';
    });
    if (step !== 'gone') return step === 'held';
  }
}

type Step = 'gone' | 'held' | 'none';

async function deliverFirst(to: Recipient): Promise<Step> {
  const { context, record, agent } = to;
  const dir = await context.home.workerDir(record.id);
  if (await settleTorn(to)) return 'held';
  const kept = keptIn(await readMailbox(dir));
  await countKept(context, record.id, kept);
  const [first, ...rest] = kept;
  if (first === undefined) return 'none';
  const { verdict, detail } = (await begunBefore(to, first)) ?? (await attempt(to, first));
  const isHopeless = 'refused' in agent.planDelivery(first);
  if (verdict === 'held' || (verdict === 'failed' && !isHopeless)) return 'held';
  const data = { verdict, kept: first.id, chars: first.text.length, detail };
  const set = keptSet(rest.map(({ id }) => id));
  await context.log.append([{ type: eventOf(verdict), workerId: record.id, data, set }]);
  await settleMail(dir, [first.id], { verdict, at: context.clock.now() });
  return 'gone';
}

/** What a server that was killed has begun to type is not typed again, unless it was seen unsent and taken back. */
async function begunBefore({ context, record }: Recipient, { id }: KeptMail) {
  const verdict = await typedUnder(await sendsPath(context, record.id), id);
  return verdict === undefined ? undefined : { verdict, detail: 'begun by a server that ended' };
}

async function attempt(to: Recipient, { id, text, delivery, asCommand }: KeptMail) {
  const outcome = await sendInTurn({ ...to, request: { text, delivery, asCommand, id } });
  const { verdict, evidence } = outcome;
  const plan = to.agent.planDelivery({ text, asCommand });
  if (verdict !== 'held' && 'expect' in plan) to.following.noteOutcome(digestOf(plan.expect), outcome);
  return { verdict, detail: `${evidence.source}: ${evidence.detail}` };
}
