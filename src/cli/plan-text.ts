// Tasks and plans as a person reads them: all of them in a line each, and one plan whole. Pure.

import type { JobsGlance } from '../jobs/api.ts';
import { counted } from '../model/plural.ts';
import { clipped, oneLine, plain } from '../model/terminal-text.ts';
import type { BriefPlan, JobView, PlanStatusResult, WholePlan } from '../wire/plans.ts';
import type { CheckpointView, TaskView } from '../wire/tasks.ts';
import type { Paints } from './paint.ts';
import { personsCall } from './persons-call.ts';

export interface PlanDrawing {
  readonly width: number;
  readonly paints: Paints;
}

type Line = readonly [text: string, paint?: keyof Paints];

const drawn = (lines: readonly Line[], { width, paints }: PlanDrawing): readonly string[] =>
  lines.map(([text, paint]) => {
    const cut = clipped(plain(text).replaceAll('\n', ' '), width);
    return paint === undefined ? cut : paints[paint](cut);
  });

/** Ends with a newline. */
export function planText(status: PlanStatusResult, drawing: PlanDrawing): string {
  const lines = isWhole(status) ? wholeLines(status) : (status.plans ?? []).flatMap(briefLines);
  return `${drawn(lines.length === 0 ? [['No plans here.']] : lines, drawing).join('\n')}\n`;
}

const isWhole = (status: PlanStatusResult): status is WholePlan => status.plans === undefined;

const countsOf = (jobs: BriefPlan['jobs']): string =>
  Object.entries(jobs)
    .map(([state, count]) => `${count} ${state}`)
    .join(', ');

const whyOf = (reason: string | undefined): string => (reason === undefined ? '' : `: ${firstLine(reason)}`);
const firstLine = (text: string): string => text.split('\n')[0] ?? '';
const pointOf = ({ at, why }: CheckpointView): string => `${at.replace('_', ' ')}: ${firstLine(why)}`;

function briefLines({ plan_id, name, state, mode, jobs, reason, checkpoint }: BriefPlan): readonly Line[] {
  return [
    [`${name} [${plan_id}] is ${state} (${mode}): ${countsOf(jobs)}`, 'bold'],
    ...(reason === undefined ? [] : [[`    ${firstLine(reason)}`] satisfies Line]),
    ...(checkpoint === undefined ? [] : pointLines(checkpoint, checkpoint.calls.slice(0, 1))),
  ];
}

const pointLines = (point: CheckpointView, calls: readonly string[]): readonly Line[] => [
  [`  ! ${pointOf(point)}`, 'alarm'],
  ...calls.map((call): Line => [`      ${personsCall(call)}`]),
];

function wholeLines(plan: WholePlan): readonly Line[] {
  const { plan_id, name, state, mode, goal, base, integration_branch: branch, url, reason, checkpoint, cost } = plan;
  const jobs = new Map(plan.jobs.map((job) => [job.name ?? job.task_id, job]));
  const steps = plan.jobs.filter(
    ({ next_calls }) => next_calls !== undefined && next_calls.length > 0 && checkpoint === undefined,
  );
  const calls = checkpoint === undefined ? (plan.next_calls ?? []) : [];
  // The wait is for whoever has nothing else to do.
  const ownCalls = steps.length === 0 ? calls : calls.filter((call) => !call.startsWith('wait_tasks '));
  return [
    [
      `${name} [${plan_id}] is ${state} (${mode})${cost === undefined ? '' : `, $${cost.usd.toFixed(2)} so far`}`,
      'bold',
    ],
    ...(goal === undefined ? [] : [[`  ${firstLine(goal)}`] satisfies Line]),
    ...(reason === undefined ? [] : [[`  ${firstLine(reason)}`] satisfies Line]),
    [`  begun from ${base.ref}; jobs land on ${branch}: git log --oneline ${base.sha.slice(0, 12)}..${branch}`, 'dim'],
    ...(url === undefined ? [] : [[`  ${url}`] satisfies Line]),
    ...(checkpoint === undefined ? [] : pointLines(checkpoint, checkpoint.calls)),
    ...plan.waves.flatMap((names, at) => [
      [`wave ${at + 1}`, 'dim'] satisfies Line,
      ...names.flatMap((one) => jobs.get(one) ?? []).map(jobLine),
    ]),
    ...plan.conflicts.map(
      ({ job, with: other, files }): Line => [`  ${job} conflicts with ${other}: ${files.join(', ')}`],
    ),
    ...steps.flatMap((job): readonly Line[] => [
      [`next, for ${job.name}`, 'dim'],
      ...(job.next_calls ?? []).map((call): Line => [`      ${personsCall(call)}`]),
    ]),
    ...ownCalls.map((call): Line => [`next: ${personsCall(call)}`]),
  ];
}

const stateWidth = 10;
const nameWidth = 18;
const troubled: ReadonlySet<TaskView['state']> = new Set(['waiting', 'bounced', 'failed']);
const ended: ReadonlySet<TaskView['state']> = new Set(['landed', 'done', 'cancelled']);

function jobLine(job: JobView): Line {
  const { name = '', state, depends_on = [], worker, skipped, progress } = job;
  const isWaiting = (state === 'queued' || state === 'blocked') && depends_on.length > 0;
  const words = [
    skipped === true ? 'skipped' : '',
    percentOf(progress),
    worker?.name ?? '',
    isWaiting ? `after ${depends_on.join(', ')}` : '',
    evidenceOf(job),
    firstLine(job.reason ?? ''),
  ].filter((word) => word !== '');
  const text = `  ${state.padEnd(stateWidth)} ${name.padEnd(nameWidth)} ${words.join(' · ')}`.trimEnd();
  return troubled.has(state) ? [text, 'alarm'] : ended.has(state) ? [text, 'good'] : [text];
}

const percentOf = (progress: number | undefined): string => (progress === undefined ? '' : `${Math.round(progress)}%`);

function evidenceOf({ evidence }: JobView): string {
  const { commits, landed_at } = evidence ?? { commits: [] };
  if (landed_at !== undefined) return `landed as ${landed_at.slice(0, 12)}`;
  if (commits.length === 0) return '';
  const [newest = ''] = commits;
  return `${counted(commits.length, 'commit')}, newest ${newest.slice(0, 12)}`;
}

/** Plans and tasks that have not ended well, a line each; a checkpoint stands in the line of its plan. */
export function glanceLines({ plans, tasks }: Pick<JobsGlance, 'plans' | 'tasks'>): readonly string[] {
  return [
    ...plans.filter(isOpen).map(({ name, state, jobs, reason, checkpoint }) => {
      const why = checkpoint === undefined ? whyOf(reason) : `; it waits at ${pointOf(checkpoint)}`;
      return oneLine(`plan ${name}: ${state}, ${countsOf(jobs)}${why}`);
    }),
    ...tasks.filter(isOpen).map(({ title = '', state, worker, reason, held, progress }) => {
      const by = worker === undefined ? '' : ` (${worker.name})`;
      const words = held === true ? 'not started yet' : `${state} ${percentOf(progress)}`.trimEnd();
      return oneLine(`task ${title}: ${words}${by}${whyOf(reason)}`);
    }),
  ];
}

const isOpen = ({ state, ended_at }: { readonly state: string; readonly ended_at?: string }): boolean =>
  ended_at === undefined || state === 'failed';
