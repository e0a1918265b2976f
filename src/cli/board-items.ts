// What `crewmux board` lists: plans, then workers, those that need somebody first. Pure.

import type { BoardFacts, CrewRow } from '../draw/board-text.ts';
import { defined } from '../model/defined.ts';
import { oneLine } from '../model/plain-text.ts';
import type { BriefPlan } from '../wire/plans.ts';
import type { JobsSummary } from '../work/api.ts';
import { personsCall } from './persons-call.ts';
import { isOpen, pointOf, summaryLines, whyOf } from './plan-text.ts';
import { wayAs } from './program-name.ts';

export interface PlanRow {
  readonly id: string;
  readonly name: string;
  /** `running, 4 of 6 landed, 1 working`. */
  readonly says: string;
  /** What its checkpoint asks. */
  readonly question?: string;
  /** Words of this program that answer it; the first has the key 1. */
  readonly answers: readonly (readonly string[])[];
}

export type BoardItem =
  | { readonly is: 'plan'; readonly key: string; readonly plan: PlanRow }
  | { readonly is: 'worker'; readonly key: string; readonly worker: CrewRow };

export interface BoardNews {
  readonly crew: string;
  readonly items: readonly BoardItem[];
  /** A line each, of what no cursor reaches. */
  readonly lines: readonly string[];
}

export const noNews: BoardNews = { crew: '', items: [], lines: [] };

/** `above` stands before all other lines. */
export function newsOf({
  facts,
  jobs,
  above,
  program,
}: {
  readonly facts: BoardFacts<CrewRow> | undefined;
  readonly jobs: Pick<JobsSummary, 'plans' | 'tasks' | 'paused' | 'schedules'> | undefined;
  readonly above: readonly string[];
  /** What the person types to start this program. */
  readonly program: string;
}): BoardNews {
  const workers = (facts?.workers ?? []).map((worker) => ({
    ...worker,
    needs: worker.needs.map((need) => ({ ...need, way: wayAs(need.way, program) })),
  }));
  const byNeed = workers.toSorted((a, b) => Number(b.needsSomebody) - Number(a.needsSomebody));
  const plans = (jobs?.plans ?? []).filter(isOpen).map(planRow);
  return {
    crew: facts?.crew ?? '',
    items: [
      ...plans.map((plan): BoardItem => ({ is: 'plan', key: `plan ${plan.id}`, plan })),
      ...byNeed.map((worker): BoardItem => ({ is: 'worker', key: `worker ${worker.id}`, worker })),
    ],
    lines: [...above, ...(jobs === undefined ? [] : summaryLines({ ...jobs, plans: [] }))],
  };
}

const mostAnswers = 9;

function planRow({ planId, name, state, jobs, reason, checkpoint }: BriefPlan): PlanRow {
  const { landed = 0, ...others } = jobs;
  const all = Object.values(jobs).reduce((sum, count) => sum + count, 0);
  const rest = Object.entries(others).map(([of, count]) => `${count} ${of}`);
  const says = [`${state}, ${landed} of ${all} landed`, ...rest].join(', ');
  return {
    id: planId,
    name,
    says: oneLine(`${says}${checkpoint === undefined ? whyOf(reason) : ''}`),
    answers: (checkpoint === undefined ? [] : answersAt(checkpoint.calls)).slice(0, mostAnswers),
    ...defined({ question: checkpoint && oneLine(pointOf(checkpoint)) }),
  };
}

/** Those that are nothing but words; a prompt is typed with `crewmux plan approve`. */
function answersAt(calls: readonly string[]): readonly (readonly string[])[] {
  const lines = calls.map((call) => personsCall(call)).filter((line) => /^crewmux [\w ,./:@=-]+$/.test(line));
  return [...new Set(lines)].map((line) => line.split(' ').slice(1));
}
