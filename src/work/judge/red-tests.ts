// Tests that fail on the target already, without the work that is to land: what is asked of a landing, and said. Pure.
import type { LandOrder, LandOutcome } from '../../crew/api.ts';
import { defined } from '../../model/defined.ts';
import type { Plan, Task, TaskTests } from '../../model/task.ts';
import type { TaskHold } from '../../model/task-progress.ts';

export const isRed = (hold: Pick<TaskHold, 'why'> | undefined): boolean => hold?.why === 'red_tests';

export const redOrder = (
  { testedSince }: Pick<Task | Plan, 'testedSince'>,
  plan: Pick<Plan, 'landsRed'> | undefined,
): Pick<LandOrder, 'whereRed' | 'testedSince'> => ({
  whereRed: plan?.landsRed ? 'land' : 'tell',
  ...defined({ testedSince }),
});

const shownTail = 400;

/** The branch of a plan begins as its base. */
export function redWords(
  { from_commit, target, redTarget }: LandOutcome,
  plan: Pick<Plan, 'base'> | undefined,
): string {
  const ref = plan?.base.sha === from_commit ? plan.base.ref : target;
  const { output = '', path } = redTarget ?? {};
  const text = output.trim();
  const tail = text === '' ? 'they print nothing' : text.length > shownTail ? `…${text.slice(-shownTail)}` : text;
  return `the tests fail on ${ref} already: ${tail}${path === undefined ? '' : `\nThe whole output is in ${path} .`}`;
}

/** For a plan that waits, as `why`: what its calls do. */
export const redHoldWords = (words: string): string =>
  `${words}\ncontinue lands this all the same, and so whatever comes later in this plan, while its tests fail without it too. edit_plan with another test_command, or "" for none, changes the tests. retry runs them anew.`;

/** Undefined where it came to no tests. */
export function testsOf({ outcome, tests, to_commit, redTarget, reason }: LandOutcome): TaskTests | undefined {
  if (outcome !== 'landed' && outcome !== 'checks_failed') return undefined;
  // It had landed before, and nobody remembers how its tests ended.
  if (outcome === 'landed' && reason !== undefined) return undefined;
  const { status, command, output, path } = tests;
  return {
    ...{ status, output: output.slice(-600) },
    ...defined({ command: command ?? undefined, path, commit: outcome === 'landed' ? to_commit : undefined }),
    ...(redTarget !== undefined && { isOld: true }),
  };
}
