// What loops have cost that have a bound, looked at each time a job of theirs has ended.
import type { Queries } from '../../crew/api.ts';
import type { Loop } from '../../model/loop.ts';
import type { Book } from '../../model/task.ts';
import { hasEnded } from '../../model/task-state.ts';
import { type Facts, jobsOf, plansIn, tasksOfPlan } from '../judge/facts.ts';
import { runningPlanOf, unbegunIn } from '../judge/over-cost.ts';

type Asked = Pick<Queries, 'usageOf'>;
type Spent = NonNullable<Facts['spent']>;

/** Ids of all tasks that its workers have had. */
export const tasksOfLoop = (book: Book, { plans }: Pick<Loop, 'plans'>): ReadonlySet<string> =>
  new Set(plansIn(book, plans).flatMap(tasksOfPlan));

/** Undefined where it has cost less; `isUnknown` where nobody knows. */
export async function costWords(
  crew: Asked,
  book: Book,
  loop: Loop,
): Promise<{ readonly words: string; readonly isUnknown: boolean } | undefined> {
  const { maxCostUsd: most, plans } = loop;
  if (most === undefined || plans.length === 0) return undefined;
  const { cost } = (await crew.usageOf({ tasks: tasksOfLoop(book, loop) })) ?? {};
  if (cost === undefined)
    return { words: `nobody knows what its workers have cost, and max_cost_usd is ${most}`, isUnknown: true };
  const words = `its workers have cost $${cost.usd.toFixed(2)}, and max_cost_usd is ${most}`;
  return cost.usd < most ? undefined : { words, isUnknown: false };
}

/** Where jobs of a plan that runs could still begin. A cost that is not known yet stops none of them. */
export function openCostLooks(crew: Asked): (book: Book) => Promise<Spent> {
  let known = new Map<string, { readonly at: string; readonly words: string | undefined }>();
  return async (book) => {
    const seen: typeof known = new Map();
    for (const loop of book.loops.values()) {
      const at = momentOf(book, loop);
      if (at === undefined) continue;
      const before = known.get(loop.id);
      seen.set(loop.id, before?.at === at ? before : { at, words: await wordsOf(crew, book, loop) });
    }
    known = seen;
    return new Map([...seen].flatMap(([id, { words }]) => (words === undefined ? [] : [[id, words] as const])));
  };
}

async function wordsOf(crew: Asked, book: Book, loop: Loop): Promise<string | undefined> {
  const { words, isUnknown } = (await costWords(crew, book, loop)) ?? {};
  return isUnknown === true ? undefined : words;
}

/** Another one calls for another look; undefined where none is worth it. */
function momentOf(book: Book, loop: Loop): string | undefined {
  const plan = loop.maxCostUsd === undefined ? undefined : runningPlanOf(book, loop);
  if (plan === undefined || unbegunIn(book, plan).length === 0) return undefined;
  const count = jobsOf(book, plan).filter(hasEnded).length;
  return count === 0 ? undefined : `${plan.id} ${count} ${loop.maxCostUsd}`;
}
