// What a planner is told.
import type { Plan } from '../../model/task.ts';
import { leastJobs, mostPlanned } from './hand-in.ts';
import { parts } from './words.ts';

export const plannerPrompt = (
  plan: Pick<Plan, 'goal' | 'testCommand' | 'loop'>,
  soFar: readonly string[] = [],
): string => {
  const { goal = '', testCommand } = plan;
  return parts([
    `Make the plan for this goal, and change nothing yourself:\n${goal}`,
    `Read the code first. Then hand in ${leastJobs(plan)} to ${mostPlanned} jobs with submit_plan. Only that call counts: nobody reads a plan out of your words, and a turn that ends without it fails the plan. Where it is refused, mend what it names and hand in the whole plan again.`,
    ...(plan.loop === undefined ? [] : [howLoopsAre, ...soFar]),
    howJobsAre,
    howPlansAreFast,
    testCommand && `Each job lands only where \`${testCommand}\` passes.`,
    'What only a person can decide, ask with ask_manager before you hand in.',
  ]);
};

const howLoopsAre =
  'This is one iteration of a loop. When the jobs have landed, another planner reads their reports and plans again, so plan the next good step and not more. Look at the goal and at the code, not at reports alone. Where the goal is reached and nothing is left to do, hand in {"reached": true, "why": what shows it} in place of jobs.';

const howJobsAre = `Each job is done by another agent in a worktree of its own, which knows its prompt and nothing else. Say in the prompt what to do, where, and what it may rely on. acceptance_criteria say when it is done, so that it can be checked. touch_set names the paths that it changes, new ones and their tests included, because nothing else of it lands. A job that changes nothing has brings "report". role is implementer, tester, documenter, devops or another that the project has.`;

const howPlansAreFast = `What makes a plan fast: its time is that of its longest chain. Let a job depend on another only where it consumes what that one makes. Two jobs never own one file: divide by files, and give what both would touch to one job that comes first or last. Keep jobs of about the same size, and a chain as short as it can be.`;

export const replanText = (wrong: string): string =>
  parts([
    'Your plan was looked at, and it does not do as it is. What is wrong with it:',
    wrong,
    'Mend it, and hand in the whole plan again with submit_plan.',
  ]);

export const refusedText = (words: string): string =>
  parts([
    'Your plan was judged after your call had ended, and it does not hold:',
    words,
    'Mend it, and hand in the whole plan again with submit_plan.',
  ]);
