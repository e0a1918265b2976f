// Hands in the jobs of a plan: the hand-in goes into the crew's book, and the server that drives the plan judges it there.
import { CrewError } from '../model/errors.ts';
import { newNonce } from '../model/ids.ts';
import { type Book, type HandedIn, isPlanning, mostRefused, type Plan, type PlanVerdict } from '../model/task.ts';
import type { WorkerRecord } from '../model/worker.ts';
import { type OpenBook, openBook } from '../store/job-book.ts';
import type { PlanHandIn, PlanTaken } from '../wire/hand-in.ts';
import type { QuestionWait } from './api.ts';
import { crewOf, type Me } from './me.ts';
import { ownTask } from './subtasks.ts';

/** Resolves when it holds, or when nobody has judged it within the call. Throws why it does not hold. */
export async function handIn(me: Me, given: HandedIn, call: QuestionWait): Promise<PlanTaken> {
  const { mine } = await crewOf(me);
  const book = await openBook({ home: me.home, crew: mine.crew }, { clock: me.clock, onTrouble: () => undefined });
  try {
    const plan = plannedBy(mine, book.now());
    const id = newNonce();
    await book.write({ plans: [{ id: plan.id, handIn: { ...given, id, at: me.clock.now() } }] });
    const verdict = await judged(me, { book, planId: plan.id, id }, call);
    if (verdict === undefined) return { taken: true, id, next: notJudged };
    if (verdict.words !== undefined) throw new CrewError('invalid_argument', verdict.words, whatNow(verdict));
    return {
      taken: true,
      id,
      next: 'It holds, and is with your manager. Say in a few words what it is, and end your turn.',
    };
  } finally {
    await book.close();
  }
}

const notJudged =
  'It is kept, and nobody has judged it yet. End your turn: should it not hold, you get a message that says why.';

const whatNow = ({ refused }: PlanVerdict): string =>
  refused < mostRefused
    ? 'Mend that, and hand in the whole plan again.'
    : 'That was the last try: the plan has failed. Say in a few words what stood in the way, and end your turn.';

/** What the call says; throws what says nothing. Pure. */
export function handedIn({ jobs, reached, why = '' }: PlanHandIn): HandedIn {
  if (jobs !== undefined && reached !== undefined)
    return { is: 'unfit', words: 'jobs and reached are given, and they exclude each other.' };
  if (reached) return { is: 'reached', why };
  return jobs === undefined ? { is: 'unfit', words: 'jobs is missing.' } : { is: 'jobs', jobs };
}

/** Throws for any other worker, and for one whose plan waits for no jobs. Pure. */
export function plannedBy(mine: Pick<WorkerRecord, 'id' | 'task'>, book: Book): Plan {
  const plan = book.plans.get(ownTask(mine, book)?.plansFor ?? '');
  if (plan === undefined)
    throw new CrewError('invalid_argument', 'You make no plan.', 'Enter single pieces of work with create_subtask.');
  if (isPlanning(plan)) return plan;
  const state = plan.isCancelled ? 'cancelled' : plan.state;
  throw new CrewError(
    'invalid_argument',
    state === 'proposed'
      ? `The jobs of ${plan.name} are with your manager already.`
      : `The plan ${plan.name} is ${state}, and takes no jobs from you.`,
    'End your turn; you get a message where it is to be planned anew.',
  );
}

interface Awaited {
  readonly book: OpenBook;
  readonly planId: string;
  /** Of the hand-in. */
  readonly id: string;
}

/** Undefined when time is up, or the agent has ended the call. */
function judged({ clock }: Me, { book, planId, id }: Awaited, call: QuestionWait): Promise<PlanVerdict | undefined> {
  return new Promise((resolve) => {
    const end = (verdict?: PlanVerdict) => {
      stop();
      cancel();
      call.signal.removeEventListener('abort', giveUp);
      resolve(verdict);
    };
    const giveUp = () => end();
    const look = () => {
      const plan = book.now().plans.get(planId);
      if (plan?.verdict?.of === id) end(plan.verdict);
      else if (plan === undefined || !isPlanning(plan)) end();
    };
    const stop = book.onChange(look);
    const cancel = clock.after(call.maxWaitMs, giveUp);
    call.signal.addEventListener('abort', giveUp);
    look();
  });
}
