// `crewmux status`: the crew in a table, or as JSON; whoever needs somebody comes first.
import type { CrewSummary, CrewView, Glimpse } from '../crew/api.ts';
import { counts } from '../draw/board-text.ts';
import { cell, clipped, columnsIn } from '../draw/terminal-text.ts';
import { defined, unlessEmpty } from '../model/defined.ts';
import { oneLine } from '../model/plain-text.ts';
import { counted } from '../model/plural.ts';
import { type AttentionView, needLine } from '../wire/attention.ts';
import type { ExaminedWorker } from '../wire/examine.ts';
import type { Shape } from '../wire/parts.ts';
import type { WordView } from '../wire/reports.ts';
import { outward } from '../wire/spoken.ts';
import { ofJobs } from '../wire/status.ts';
import { usageWords } from '../wire/usage.ts';
import { doingWords } from '../wire/worker.ts';
import type { JobsSummary, WorkshopView } from '../work/api.ts';
import { age, inOneLine, type Paints } from './paint.ts';
import { plainLine, plainUsage } from './plain-lines.ts';
import { summaryLines } from './plan-text.ts';

type Member = Omit<ExaminedWorker, 'attention' | 'screen'> & {
  /** Other workers, or the base, with which its work would conflict. */
  readonly conflicts_with: readonly string[];
};

export interface CrewTable extends Shape<typeof ofJobs> {
  readonly workers: readonly Member[];
  readonly attention: readonly AttentionView[];
  /** Last reports that call for somebody. */
  readonly alarms: readonly WordView[];
}

/** Reads all that is known, for a program; whoever needs somebody is first, and else the order is that of the crew. */
export async function readCrew(crew: WorkshopView): Promise<CrewTable> {
  const { workers, attention } = await crew.list({ includeClosed: false, fields: 'full' });
  const ids = workers.map(({ session_id }) => session_id);
  const [examined, conflicts, { plans, tasks, paused, loops = [], schedules = [] }, { reports }] = await Promise.all([
    Promise.all(ids.map((worker) => crew.examine({ worker, screenLines: 0 }))),
    conflictsAmong(crew, ids),
    crew.jobs.jobsSummary(),
    crew.status(),
  ]);
  const glance = defined({ paused, loops: unlessEmpty(loops), schedules: unlessEmpty(schedules) });
  const alarms = reports.filter(({ alarm }) => alarm === true);
  const members = examined.map(({ attention: _, ...one }) => ({ ...one, conflicts_with: conflicts(one.name) }));
  const isPressing = ({ session_id }: Member) => [...attention, ...alarms].some((one) => one.session_id === session_id);
  return {
    workers: [...members.filter(isPressing), ...members.filter((one) => !isPressing(one))],
    attention,
    alarms,
    ...outward(ofJobs, { plans, tasks, ...glance }),
  };
}

/** With nobody to compare, git is not asked. */
async function conflictsAmong(crew: CrewView, workers: readonly string[]) {
  const found = workers.length === 0 ? undefined : await crew.conflicts({ workers });
  const clashes = [
    ...(found?.pairs ?? []).flatMap(({ a, b, conflicts }) => [
      { name: a, with: b, conflicts },
      { name: b, with: a, conflicts },
    ]),
    ...(found?.against_base ?? []).map(({ name, base, conflicts }) => ({ name, with: base, conflicts })),
  ];
  return (name: string): readonly string[] =>
    clashes.filter((one) => one.name === name && one.conflicts.length > 0).map((one) => one.with);
}

export interface CrewShown
  extends CrewSummary,
    Pick<JobsSummary, 'plans' | 'tasks' | 'paused' | 'loops' | 'schedules'> {}

/** Reads what the table shows, and no more: a person looks often. */
export async function readSummary(crew: WorkshopView): Promise<CrewShown> {
  const [glance, { plans, tasks, paused, loops, schedules }] = await Promise.all([
    crew.crewSummary(),
    crew.jobs.jobsSummary(),
  ]);
  const { workers, attention, alarms } = glance;
  const isPressing = ({ worker }: Glimpse) =>
    [...attention, ...alarms].some(({ session_id }) => session_id === worker.session_id);
  const sorted = [...workers.filter(isPressing), ...workers.filter((one) => !isPressing(one))];
  return { workers: sorted, attention, alarms, plans, tasks, ...defined({ paused, loops, schedules }) };
}

export interface Drawing {
  readonly now: number;
  readonly width: number;
  readonly paints: Paints;
}

const headings = ['NAME', 'AGENT', 'STATE', 'AGE', 'BRANCH', 'LAST WORDS'] as const;
/** Before the branch, once somebody has used anything. */
const usedColumns = 48;
const usedAt = headings.indexOf('BRANCH');
const leastWords = 20;

/** The widest that each column but the last may be. */
const mostColumns = (width: number): readonly number[] => {
  const quarter = Math.max(16, Math.floor(width / 4));
  return [18, 10, Math.min(quarter, 34), 6, Math.min(quarter, 44)];
};

/** Pure. */
export function statusText(table: CrewShown, drawing: Drawing): string {
  const jobs = summaryLines(table).map((line) => clipped(line, drawing.width - 1));
  return `${[...workersLines(table, drawing), ...(jobs.length === 0 ? [] : ['', ...jobs])].join('\n')}\n`;
}

/** In lines for a screen reader or a program. Pure. */
export function plainStatus(table: CrewShown, now: number): string {
  const { workers } = table;
  const lines = workers.map((glimpse) => {
    const pressing = pressingOf(glimpse, table);
    const { name, status, agent_type: agent } = glimpse.worker;
    const used = glimpse.usage === undefined ? '' : plainUsage(usageWords(glimpse.usage));
    const state = `${stateText(glimpse, pressing)} for ${ageText(glimpse, pressing, now)}`;
    const facts = [state, agent, used, ...branchFacts(glimpse), glimpse.words];
    return plainLine({ name, needsSomebody: isAlarming(pressing) || status === 'dead', facts });
  });
  const head = workers.length === 0 ? noWorkers : counts(workers.map(({ worker }) => worker));
  return `${[head, ...lines, ...hintsOf(table), ...summaryLines(table)].join('\n')}\n`;
}

const noWorkers = 'No workers here.';

function workersLines(shown: CrewShown, { now, width, paints }: Drawing): readonly string[] {
  const { workers } = shown;
  if (workers.length === 0) return [noWorkers];
  const hasUsed = workers.some(({ usage }) => usage !== undefined);
  const withUsed = <T>(cells: readonly T[], used: T): readonly T[] =>
    hasUsed ? [...cells.slice(0, usedAt), used, ...cells.slice(usedAt)] : cells;
  const most = withUsed(mostColumns(width), usedColumns);
  const heads = withUsed<string>(headings, 'USED');
  const rows = workers.map((glimpse) => {
    const pressing = pressingOf(glimpse, shown);
    return {
      isPressing: isAlarming(pressing) || glimpse.worker.status === 'dead',
      status: glimpse.worker.status,
      cells: withUsed(
        cellsOf(glimpse, pressing, { now, most }),
        glimpse.usage === undefined ? '' : usageWords(glimpse.usage),
      ),
    };
  });
  const widths = most.map((columns, at) =>
    Math.min(columns, Math.max(...[heads, ...rows.map(({ cells }) => cells)].map((one) => columnsIn(one[at] ?? '')))),
  );
  const used = widths.reduce((sum, one) => sum + one + 2, 2);
  const words = Math.max(leastWords, width - used - 1);
  const line = (cells: readonly string[]) => [
    ...widths.map((columns, at) => cell(cells[at] ?? '', columns)),
    inOneLine(cells.at(-1) ?? '', words),
  ];
  const table = rows.map(({ status, isPressing, cells }) => {
    const [name = '', agent = '', state = '', ...rest] = line(cells);
    const painted = isPressing ? paints.alarm(state) : status === 'idle' ? paints.dim(state) : state;
    const mark = isPressing ? paints.alarm('!') : ' ';
    return [`${mark} ${paints.bold(name)}`, agent, painted, ...rest].join('  ').trimEnd();
  });
  const hints = hintsOf(shown);
  const more = hints.length === 0 ? [] : ['', ...hints];
  return [paints.dim(`  ${line(heads).join('  ')}`), ...table, ...more];
}

const hintsOf = ({ attention, alarms }: CrewShown): readonly string[] => [
  ...(attention.length === 0 ? [] : [hintOf(attention)]),
  ...(alarms.length === 0 ? [] : [alarmHint(alarms)]),
];

const alarmHint = ([first, ...others]: readonly WordView[]): string =>
  `${[first, ...others].map((one) => oneLine(one?.name ?? '')).join(', ')} ${others.length === 0 ? 'waits' : 'wait'} for a word: \`crewmux message\` sends one.`;

const hintOf = ({ length }: readonly AttentionView[]): string =>
  `${length === 1 ? 'One thing waits' : `${length} things wait`} for somebody: \`crewmux answer\` shows and answers.`;

interface TasksContext {
  readonly now: number;
  readonly most: readonly number[];
}

interface Pressing {
  readonly need: AttentionView | undefined;
  readonly alarm: WordView | undefined;
}

function pressingOf({ worker }: Glimpse, { attention, alarms }: CrewShown): Pressing {
  const isIts = ({ session_id }: { readonly session_id: string }) => session_id === worker.session_id;
  return { need: attention.find(isIts), alarm: alarms.find(isIts) };
}

const isAlarming = ({ need, alarm }: Pressing): boolean => need !== undefined || alarm !== undefined;

function stateOf(worker: Glimpse['worker'], { need, alarm }: Pressing): readonly string[] {
  if (need !== undefined) return [labelOf(need), oneLine(needLine(need))];
  if (alarm !== undefined) return [alarm.kind.replace('_', ' '), oneLine(alarm.says)];
  const { status, progress } = worker;
  return [progress === undefined ? status : `${status} ${Math.round(progress)}%`, reasonOf(worker)];
}

const stateText = ({ worker }: Glimpse, pressing: Pressing): string =>
  stateOf(worker, pressing)
    .filter((part) => part !== '')
    .join(': ');

/** Of what presses, where something does. */
function ageText({ since }: Glimpse, { need, alarm }: Pressing, now: number): string {
  const said = need?.since ?? alarm?.at;
  return age(now - (said === undefined ? since : Date.parse(said)));
}

function cellsOf(glimpse: Glimpse, pressing: Pressing, { now, most }: TasksContext): readonly string[] {
  const { worker, words } = glimpse;
  return [
    oneLine(worker.name),
    worker.agent_type,
    stateText(glimpse, pressing),
    ageText(glimpse, pressing, now),
    branchCell(glimpse, most.at(-1) ?? 0),
    oneLine(words),
  ];
}

/** Of a worker that waits: for what. */
const labelOf = ({ waiting_for }: AttentionView): string => waiting_for.replace('_', ' ');

/** What it does, or the reason of a state that a person cannot guess. */
const reasonOf = ({ status, evidence, limit, doing }: Glimpse['worker']): string => {
  if (doing !== undefined) return oneLine(doingWords(doing));
  return limit?.detail ?? (['starting', 'unknown', 'dead'].includes(status) ? evidence.detail : '');
};

/** Commits ahead, files not committed, and with whom it would conflict. */
function branchCell({ worker, work, conflictsWith }: Glimpse, width: number): string {
  if (work === undefined) return worker.branch === undefined ? '-' : oneLine(worker.branch);
  const marks = [
    work.ahead > 0 ? `+${work.ahead}` : '',
    work.changedFiles > 0 ? `*${work.changedFiles}` : '',
    conflictsWith.length > 0 ? `!${conflictsWith.join(',')}` : '',
  ].filter((mark) => mark !== '');
  // The marks stay where a long name is cut.
  const room = width - marks.join(' ').length - 1;
  return [inOneLine(work.branch ?? work.headSha?.slice(0, 12) ?? '-', Math.max(room, 12)), ...marks].join(' ');
}

/** The same without signs. */
function branchFacts({ worker, work, conflictsWith }: Glimpse): readonly string[] {
  const branch = work?.branch ?? worker.branch;
  const { ahead = 0, changedFiles = 0 } = work ?? {};
  return [
    branch === undefined ? '' : `branch ${branch}`,
    ahead > 0 ? `${counted(ahead, 'commit')} ahead` : '',
    changedFiles > 0 ? `${counted(changedFiles, 'file')} not committed` : '',
    conflictsWith.length > 0 ? `would conflict with ${conflictsWith.join(', ')}` : '',
  ];
}
