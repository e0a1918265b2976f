// Judges what a planner hands in: whether a plan can be made of it, and what becomes of its planning. Pure.
import { CrewError } from '../../model/errors.ts';
import { type HandIn, mostRefused, type Plan, type PlannedJob, type PlanVerdict } from '../../model/task.ts';
import { refuseBadPlan } from './plan-graph.ts';

/** An iteration of a loop may be one job. */
export const leastJobs = ({ loop }: Pick<Plan, 'loop'>): number => (loop === undefined ? 2 : 1);
export const mostPlanned = 8;

/** The jobs that it names; throws `invalid_argument` with all that is wrong. */
export function jobsIn(handIn: HandIn, plan: Pick<Plan, 'name' | 'jobs' | 'loop'>): readonly PlannedJob[] {
  const { name, jobs, loop } = plan;
  if (jobs.length > 0)
    throw wrong(`The jobs of ${name} are with your manager already`, 'Wait until you are sent back to them.');
  switch (handIn.is) {
    case 'unfit':
      throw wrong(handIn.words.replace(/\.$/, ''), '');
    case 'reached':
      throw loop === undefined
        ? wrong('reached is for the planner of a loop, and this plan is part of none', 'Hand in jobs.')
        : wrong('why is empty', 'Say what shows that the goal is reached.');
    case 'jobs': {
      refuseBadPlan(handIn.jobs);
      const faults = faultsOf(handIn.jobs, leastJobs(plan));
      if (faults.length > 0) throw wrong(faults.join('. '), 'Hand in the whole plan again.');
      return handIn.jobs;
    }
  }
}

const wrong = (what: string, hint: string): CrewError => new CrewError('invalid_argument', `${what}.`, hint);

function faultsOf(jobs: readonly PlannedJob[], least: number): readonly string[] {
  const named = (is: (job: PlannedJob) => boolean) => jobs.filter(is).map(({ name }) => name);
  const endless = named(({ acceptanceCriteria }) => acceptanceCriteria.trim() === '');
  const boundless = named(({ brings, touchSet }) => brings !== 'report' && touchSet.length === 0);
  return [
    ...(jobs.length >= least && jobs.length <= mostPlanned
      ? []
      : [`A plan has ${least} to ${mostPlanned} jobs, and this one has ${jobs.length}`]),
    ...(endless.length === 0 ? [] : [`acceptance_criteria say nothing: ${endless.join(', ')}`]),
    ...(boundless.length === 0
      ? []
      : [
          `Without a touch_set, and not with brings "report": ${boundless.join(', ')}. Name the paths that each changes`,
        ]),
  ];
}

/** On a hand-in that does not hold. One that comes twice counts for nothing. */
export function refusal({ verdict, jobs }: Plan, { id }: HandIn, { message, hint }: CrewError): PlanVerdict {
  const before = verdict?.refused ?? 0;
  const words = `${message} ${hint}`.trim();
  return { of: id, refused: jobs.length > 0 ? before : before + 1, words };
}

export const isFinal = ({ refused }: PlanVerdict): boolean => refused >= mostRefused;

const mostReason = 500;

/** Why a plan has no jobs, with what its planner said last. */
export function failedPlanning(why: string, lastWords: string | undefined): string {
  const said = (lastWords ?? '').replace(/\s+/g, ' ').trim();
  return `${why}${said === '' ? '' : ` Its last words: ${said}`}`.slice(0, mostReason);
}
