// `crewmux status`: the crew in a table, or as JSON; whoever needs somebody comes first.
import type { CrewView } from '../crew/api.ts';
import type { JobsGlance, WorkshopView } from '../jobs/api.ts';
import { cell, clipped, oneLine } from '../model/terminal-text.ts';
import { type AttentionView, needDetail } from '../wire/attention.ts';
import type { ExaminedWorker } from '../wire/examine.ts';
import type { WordView } from '../wire/reports.ts';
import { age, inOneLine, type Paints } from './paint.ts';
import { glanceLines } from './plan-text.ts';

type Member = Omit<ExaminedWorker, 'attention' | 'screen'> & {
  /** Other workers, or the base, with which its work would conflict. */
  readonly conflicts_with: readonly string[];
};

export interface CrewTable extends Pick<JobsGlance, 'plans' | 'tasks'> {
  readonly workers: readonly Member[];
  readonly attention: readonly AttentionView[];
  /** Last reports that call for somebody. */
  readonly alarms: readonly WordView[];
}

/** Reads all that the table shows; whoever needs somebody is first, and else the order is that of the crew. */
export async function readCrew(crew: WorkshopView): Promise<CrewTable> {
  const { workers, attention } = await crew.list({ includeClosed: false, fields: 'full' });
  const ids = workers.map(({ session_id }) => session_id);
  const [examined, conflicts, { plans, tasks }, { reports }] = await Promise.all([
    Promise.all(ids.map((worker) => crew.examine({ worker, screenLines: 0 }))),
    conflictsAmong(crew, ids),
    crew.jobs.glance(),
    crew.status(),
  ]);
  const alarms = reports.filter(({ alarm }) => alarm === true);
  const members = examined.map(({ attention: _, ...one }) => ({ ...one, conflicts_with: conflicts(one.name) }));
  const isPressing = ({ session_id }: Member) => [...attention, ...alarms].some((one) => one.session_id === session_id);
  return {
    workers: [...members.filter(isPressing), ...members.filter((one) => !isPressing(one))],
    attention,
    alarms,
    plans,
    tasks,
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

export interface Drawing {
  readonly now: number;
  readonly width: number;
  readonly paints: Paints;
}

const headings = ['NAME', 'AGENT', 'STATE', 'AGE', 'BRANCH', 'LAST WORDS'] as const;
const leastWords = 20;

/** The widest that each column but the last may be. */
const mostColumns = (width: number): readonly number[] => {
  const quarter = Math.max(16, Math.floor(width / 4));
  return [18, 10, Math.min(quarter, 34), 6, Math.min(quarter, 44)];
};

/** Pure. */
export function statusText(table: CrewTable, drawing: Drawing): string {
  const jobs = glanceLines(table).map((line) => clipped(line, drawing.width - 1));
  return `${[...workersLines(table, drawing), ...(jobs.length === 0 ? [] : ['', ...jobs])].join('\n')}\n`;
}

function workersLines({ workers, attention, alarms }: CrewTable, { now, width, paints }: Drawing): readonly string[] {
  if (workers.length === 0) return ['No workers here.'];
  const most = mostColumns(width);
  const rows = workers.map((member) => {
    const need = attention.find(({ session_id }) => session_id === member.session_id);
    const alarm = alarms.find(({ session_id }) => session_id === member.session_id);
    return {
      member,
      isAlarming: need !== undefined || alarm !== undefined,
      cells: cellsOf(member, { need, alarm }, { now, most }),
    };
  });
  const widths = most.map((columns, at) =>
    Math.min(columns, Math.max(...[headings, ...rows.map(({ cells }) => cells)].map((one) => one[at]?.length ?? 0))),
  );
  const used = widths.reduce((sum, one) => sum + one + 2, 2);
  const words = Math.max(leastWords, width - used - 1);
  const line = (cells: readonly string[]) => [
    ...widths.map((columns, at) => cell(cells[at] ?? '', columns)),
    inOneLine(cells.at(-1) ?? '', words),
  ];
  const table = rows.map(({ member, isAlarming, cells }) => {
    const [name = '', agent = '', state = '', ...rest] = line(cells);
    const pressing = isAlarming || member.status === 'dead';
    const shown = pressing ? paints.alarm(state) : member.status === 'idle' ? paints.dim(state) : state;
    return [`${pressing ? paints.alarm('!') : ' '} ${paints.bold(name)}`, agent, shown, ...rest].join('  ').trimEnd();
  });
  const hints = [
    ...(attention.length === 0 ? [] : [hintOf(attention)]),
    ...(alarms.length === 0 ? [] : [alarmHint(alarms)]),
  ];
  const more = hints.length === 0 ? [] : ['', ...hints];
  return [paints.dim(`  ${line(headings).join('  ')}`), ...table, ...more];
}

const alarmHint = ([first, ...others]: readonly WordView[]): string =>
  `${[first, ...others].map((one) => oneLine(one?.name ?? '')).join(', ')} ${others.length === 0 ? 'waits' : 'wait'} for a word: \`crewmux message <worker> <text>\`.`;

const hintOf = ({ length }: readonly AttentionView[]): string =>
  `${length === 1 ? 'One thing waits' : `${length} things wait`} for somebody: \`crewmux answer\` shows and answers.`;

interface Room {
  readonly now: number;
  readonly most: readonly number[];
}

interface Pressing {
  readonly need: AttentionView | undefined;
  readonly alarm: WordView | undefined;
}

function stateOf(member: Member, { need, alarm }: Pressing): readonly string[] {
  if (need !== undefined) return [labelOf(need), oneLine(needDetail(need).split('\n')[0] ?? '')];
  if (alarm !== undefined) return [alarm.kind.replace('_', ' '), oneLine(alarm.says)];
  return [member.status, reasonOf(member)];
}

function cellsOf(member: Member, pressing: Pressing, { now, most }: Room): readonly string[] {
  const { name, agent_type: agent, evidence } = member;
  const since = pressing.need?.since ?? pressing.alarm?.at ?? evidence.at;
  const state = stateOf(member, pressing);
  return [
    oneLine(name),
    agent,
    state.filter((part) => part !== '').join(': '),
    age(now - Date.parse(since)),
    branchCell(member, most[4] ?? 0),
    lastWords(member),
  ];
}

/** Of a worker that waits: for what. */
const labelOf = ({ waiting_for }: AttentionView): string => waiting_for.replace('_', ' ');

/** The states whose reason a person cannot guess. */
const reasonOf = ({ status, evidence, limit }: Member): string =>
  limit?.detail ?? (status === 'starting' || status === 'dead' ? evidence.detail : '');

/** Commits ahead, files not committed, and with whom it would conflict. */
function branchCell({ git, branch, conflicts_with: conflicts }: Member, width: number): string {
  if (git === null) return branch === undefined ? '-' : oneLine(branch);
  const marks = [
    git.ahead > 0 ? `+${git.ahead}` : '',
    git.dirty_files > 0 ? `*${git.dirty_files}` : '',
    conflicts.length > 0 ? `!${conflicts.join(',')}` : '',
  ].filter((mark) => mark !== '');
  // The marks stay where a long name is cut.
  const room = width - marks.join(' ').length - 1;
  return [inOneLine(git.branch ?? git.commit?.slice(0, 12) ?? '-', Math.max(room, 12)), ...marks].join(' ');
}

const lastWords = ({ last_word: word, conversation_stats: stats }: Member): string =>
  oneLine(stats?.last_assistant_preview ?? word?.says ?? '');
