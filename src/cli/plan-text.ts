// Tasks and plans as a person reads them: all of them in a line each, and one plan whole. Pure.

import { pausedLine } from '../draw/board-text.ts';
import { clipped } from '../draw/terminal-text.ts';
import { oneLine, plain } from '../model/plain-text.ts';
import { counted } from '../model/plural.ts';
import type { BriefPlan, JobView, PlanStatusResult, WholePlan } from '../wire/plans.ts';
import { outward } from '../wire/spoken.ts';
import type { CheckpointView, TaskView } from '../wire/tasks.ts';
import { usage as usageShape, usageWords } from '../wire/usage.ts';
import type { JobsSummary } from '../work/api.ts';
import type { Paints } from './paint.ts';
import { personsCall, personsHint } from './persons-call.ts';
import { plainLine, plainUsage } from './plain-lines.ts';
import { rowsToCopy } from './rows-to-copy.ts';

export interface PlanDrawing {
  readonly width: number;
  readonly paints: Paints;
  /** What the person types to start this program. */
  readonly program: string;
  /** No row can be longer than the terminal is wide: it does not wrap. */
  readonly isFixed?: true;
}

/** One that a person copies is never cut. */
type Line = readonly [text: string, kind?: keyof Paints | 'toCopy'];

function drawn([text, kind]: Line, { width, paints, isFixed }: PlanDrawing): readonly string[] {
  const whole = plain(text).replaceAll('\n', ' ');
  if (kind === 'toCopy') return isFixed === true ? rowsToCopy(whole, width) : [whole];
  const cut = clipped(whole, width);
  return [kind === undefined ? cut : paints[kind](cut)];
}

/** The rows of each line; those of one line belong together. */
export function planRows(status: PlanStatusResult, drawing: PlanDrawing): readonly (readonly string[])[] {
  return linesOf(status, { program: drawing.program, isPlain: false }).map((line) => drawn(line, drawing));
}

interface Manner extends Pick<PlanDrawing, 'program'> {
  /** For a screen reader: no columns, no signs. */
  readonly isPlain: boolean;
}

function linesOf(status: PlanStatusResult, manner: Manner): readonly Line[] {
  const lines = isWhole(status)
    ? wholeLines(status, manner)
    : (status.plans ?? []).flatMap((plan) => briefLines(plan, manner));
  return lines.length === 0 ? [['No plans here.']] : lines;
}

/** In lines for a screen reader or a program; ends with a newline. */
export const plainPlan = (status: PlanStatusResult, program: string): string =>
  linesOf(status, { program, isPlain: true })
    .map(([text]) => `${plain(text).replaceAll('\n', ' ').trim()}\n`)
    .join('');

/** Ends with a newline. */
export const planText = (status: PlanStatusResult, drawing: PlanDrawing): string =>
  `${planRows(status, drawing).flat().join('\n')}\n`;

const isWhole = (status: PlanStatusResult): status is WholePlan => status.plans === undefined;

const countsOf = (jobs: BriefPlan['jobs']): string =>
  Object.entries(jobs)
    .map(([state, count]) => `${count} ${state}`)
    .join(', ');

export const whyOf = (reason: string | undefined): string =>
  reason === undefined ? '' : `: ${personsHint(firstLine(reason))}`;
const firstLine = (text: string): string => text.split('\n')[0] ?? '';
export const pointOf = ({ at, why }: CheckpointView): string =>
  `${at.replace('_', ' ')}: ${personsHint(firstLine(why))}`;

function briefLines(plan: BriefPlan, manner: Manner): readonly Line[] {
  const { planId, name, state, mode, jobs, reason, checkpoint } = plan;
  return [
    [`${name} [${planId}] is ${state} (${mode}): ${countsOf(jobs)}`, 'bold'],
    ...(reason === undefined ? [] : [[`    ${personsHint(firstLine(reason))}`] satisfies Line]),
    ...(checkpoint === undefined ? [] : pointLines(checkpoint, checkpoint.calls.slice(0, 1), manner)),
  ];
}

const pointLines = (point: CheckpointView, calls: readonly string[], { program, isPlain }: Manner): readonly Line[] => [
  [`  ${isPlain ? 'needs you:' : '!'} ${pointOf(point)}`, 'alarm'],
  ...callLines(calls, '      ', program),
];

/** Calls that a person makes in the same words stand once. */
const callLines = (calls: readonly string[], before: string, program: string): readonly Line[] =>
  [...new Set(calls.map((call) => personsCall(call, program)))].map((words) => [`${before}${words}`, 'toCopy']);

/** What is looked up before a start needs a server, which has the settings and the agents at hand. */
const unbegunLines = ({ planner, warnings = [] }: WholePlan): readonly Line[] => [
  ...(planner === undefined ? [] : [[`  its planner is ${planner.name}`] satisfies Line]),
  ...warnings.map((warning): Line => [`  Warning: ${personsHint(warning)}`, 'alarm']),
  ['  What else may hold it up, such as a login or a missing test command, only your manager is shown.', 'dim'],
];

function wholeLines(plan: WholePlan, manner: Manner): readonly Line[] {
  const { program } = manner;
  const { planId, name, state, mode, goal, base, integrationBranch: branch, url, reason, checkpoint, usage } = plan;
  const jobs = new Map(plan.jobs.map((job) => [job.name ?? job.taskId, job]));
  const steps = plan.jobs.filter(
    ({ nextCalls }) => nextCalls !== undefined && nextCalls.length > 0 && checkpoint === undefined,
  );
  const calls = checkpoint === undefined ? (plan.nextCalls ?? []) : [];
  // The wait is for whoever has nothing else to do.
  const ownCalls = steps.length === 0 ? calls : calls.filter((call) => !call.startsWith('wait_tasks '));
  const used = usage === undefined ? '' : usageWords(outward(usageShape, usage));
  const cost = used === '' ? '' : `, ${manner.isPlain ? plainUsage(used) : used} so far`;
  return [
    [`${name} [${planId}] is ${state} (${mode})${cost}`, 'bold'],
    ...(goal === undefined ? [] : [[`  ${firstLine(goal)}`] satisfies Line]),
    ...(reason === undefined ? [] : [[`  ${personsHint(firstLine(reason))}`] satisfies Line]),
    ...(state === 'proposed' ? unbegunLines(plan) : []),
    [`  begun from ${base.ref}; jobs land on ${branch}`, 'dim'],
    [`      git log --oneline ${base.sha.slice(0, 12)}..${branch}`, 'toCopy'],
    ...(url === undefined ? [] : [[`  ${url}`, 'toCopy'] satisfies Line]),
    ...(checkpoint === undefined ? [] : pointLines(checkpoint, checkpoint.calls, manner)),
    ...plan.waves.flatMap((names, at) => [
      [`wave ${at + 1}`, 'dim'] satisfies Line,
      ...names.flatMap((one) => jobs.get(one) ?? []).map((job) => jobLine(job, manner)),
    ]),
    ...plan.conflicts.map(
      ({ job, with: other, files }): Line => [`  ${job} conflicts with ${other}: ${files.join(', ')}`],
    ),
    ...steps.flatMap((job): readonly Line[] => [
      [`next, for ${job.name}`, 'dim'],
      ...callLines(job.nextCalls ?? [], '      ', program),
    ]),
    ...callLines(ownCalls, 'next: ', program),
  ];
}

const stateWidth = 10;
const nameWidth = 18;
const troubled: ReadonlySet<TaskView['state']> = new Set(['waiting', 'bounced', 'failed']);
const ended: ReadonlySet<TaskView['state']> = new Set(['landed', 'done', 'cancelled']);

function jobLine(job: JobView, { isPlain }: Manner): Line {
  const { name = '', state, dependsOn = [], worker, skipped, progress } = job;
  const isWaiting = (state === 'queued' || state === 'blocked') && dependsOn.length > 0;
  const words = [
    skipped === true ? 'skipped' : '',
    percentOf(progress),
    worker?.name ?? '',
    isWaiting ? `after ${dependsOn.join(', ')}` : '',
    evidenceOf(job),
    personsHint(firstLine(job.reason ?? '')),
  ].filter((word) => word !== '');
  if (isPlain) return [plainLine({ name, needsSomebody: false, facts: [state, ...words] })];
  const text = `  ${state.padEnd(stateWidth)} ${name.padEnd(nameWidth)} ${words.join(' · ')}`.trimEnd();
  return troubled.has(state) ? [text, 'alarm'] : ended.has(state) ? [text, 'good'] : [text];
}

const percentOf = (progress: number | undefined): string => (progress === undefined ? '' : `${Math.round(progress)}%`);

function evidenceOf({ evidence }: JobView): string {
  const { commits, landedAt } = evidence ?? { commits: [] };
  if (landedAt !== undefined) return `landed as ${landedAt.slice(0, 12)}`;
  if (commits.length === 0) return '';
  const [newest = ''] = commits;
  return `${counted(commits.length, 'commit')}, newest ${newest.slice(0, 12)}`;
}

/** A pause, then plans and tasks that have not ended well, a line each; a checkpoint stands in the line of its plan. */
export function summaryLines({
  plans,
  tasks,
  paused,
  loops = [],
  schedules = [],
}: Pick<JobsSummary, 'plans' | 'tasks' | 'paused' | 'loops' | 'schedules'>): readonly string[] {
  return [
    ...(paused === undefined ? [] : [pausedLine(paused.since)]),
    ...loops.map(({ says, nextCalls: [call] }) => oneLine(call === undefined ? says : `${says}; ${personsCall(call)}`)),
    ...plans.filter(isOpen).map(({ name, state, jobs, reason, checkpoint }) => {
      const why = checkpoint === undefined ? whyOf(reason) : `; it waits at ${pointOf(checkpoint)}`;
      return oneLine(`plan ${name}: ${state}, ${countsOf(jobs)}${why}`);
    }),
    ...tasks.filter(isOpen).map(({ title = '', state, worker, reason, held, progress }) => {
      const by = worker === undefined ? '' : ` (${worker.name})`;
      const words = held === true ? 'not started yet' : `${state} ${percentOf(progress)}`.trimEnd();
      return oneLine(`task ${title}: ${words}${by}${whyOf(reason)}`);
    }),
    ...schedules.map((line) => oneLine(`schedule: ${line}`)),
  ];
}

export const isOpen = ({ state, endedAt }: { readonly state: string; readonly endedAt?: string }): boolean =>
  endedAt === undefined || state === 'failed';
