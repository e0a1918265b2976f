// `crewmux answer`: what waits for somebody, one after the other, with a key for each answer.

import { resolveWorker } from '../model/address.ts';
import { oneLine, plain } from '../model/plain-text.ts';
import { systemClock } from '../system/clock.ts';
import { type AttentionView, needDetail, suggestionOf } from '../wire/attention.ts';
import { absenceWords, absentSince } from './absence.ts';
import { act, type CommandAct } from './act.ts';
import { age, fewRows, type Paints, paintsFor } from './paint.ts';
import { recordsOf } from './roster.ts';
import type { CommandWorld, Person } from './world.ts';

/** Returns the exit code: 1 where an answer was refused. Without a terminal it only lists. */
export async function answer(world: CommandWorld): Promise<number> {
  const crew = await world.look();
  const { attention } = await crew.list({ includeClosed: false, fields: 'full' }).finally(() => crew.dispose());
  const drawing = { now: systemClock.now(), width: world.columns ?? 100, paints: paintsFor(world) };
  const since = await absentSince(world);
  if (since !== undefined) world.write(`${absenceWords(since, drawing.now)}\n\n`);
  if (attention.length === 0) return world.write('Nothing waits for you.\n');
  let worst = 0;
  for (const need of attention) {
    world.write(`${needText(need, drawing)}\n`);
    if (world.person === undefined) continue;
    const code = await answerOne(need, world.person, world);
    if (code === 'quit') return worst;
    worst = Math.max(worst, code);
  }
  return worst;
}

export interface Choice {
  readonly key: string;
  readonly label: string;
  /** The label has rows of its own. */
  readonly isLong?: true;
  readonly does:
    | { readonly is: 'call'; readonly tool: 'answer_worker' | 'restart_workers'; readonly args: CommandAct['argsFor'] }
    /** The line that the person types is the message of the answer. */
    | { readonly is: 'ask'; readonly question: string; readonly args: (line: string) => CommandAct['argsFor'] }
    | { readonly is: 'attach' | 'skip' | 'quit' };
}

const mostOptions = 9;
/** The keys that allow, and make it hold. */
const remembering = [
  ['a', 'worker'],
  ['e', 'edits'],
] as const;

/** The keys for a need; the last three are always there. Pure. */
export function choicesFor(need: AttentionView): readonly Choice[] {
  return [
    ...answersTo(need),
    { key: 'o', label: 'open its pane', does: { is: 'attach' } },
    { key: 's', label: 'skip', does: { is: 'skip' } },
    { key: 'q', label: 'quit', does: { is: 'quit' } },
  ];
}

/** Allowed or denied, whatever options its dialog has on the screen. */
const isYesOrNo = ({ waiting_for: kind, request_id: id }: AttentionView): boolean =>
  id !== undefined && (kind === 'permission' || kind === 'plan_approval');

function answersTo(need: AttentionView): readonly Choice[] {
  const { waiting_for: kind, request_id: requestId, options = [] } = need;
  const args =
    (rest: object): CommandAct['argsFor'] =>
    () => ({
      session_id: need.session_id,
      ...(requestId === undefined ? {} : { request_id: requestId }),
      ...rest,
    });
  const call = (rest: object): Choice['does'] => ({ is: 'call', tool: 'answer_worker', args: args(rest) });
  if (kind === 'dead') {
    const restart = {
      is: 'call' as const,
      tool: 'restart_workers' as const,
      args: () => ({ session_ids: [need.session_id] }),
    };
    return [{ key: 'r', label: 'restart', does: restart }];
  }
  if (isYesOrNo(need)) {
    const deny = (line: string) => args({ decision: 'deny', ...(line === '' ? {} : { message: line }) });
    return [
      { key: 'y', label: 'allow', does: call({ decision: 'allow' }) },
      ...remembering.flatMap(([key, remember]): readonly Choice[] => {
        const label = suggestionOf(need, remember);
        return label === undefined ? [] : [{ key, label, isLong: true, does: call({ decision: 'allow', remember }) }];
      }),
      { key: 'n', label: 'deny', does: { is: 'ask', question: 'Why not (Enter for no reason)? ', args: deny } },
    ];
  }
  const numbered = options
    .slice(0, mostOptions)
    .map((option, at): Choice => ({ key: String(at + 1), label: option, does: call({ decision: 'choose', option }) }));
  if (requestId === undefined) return numbered;
  const text = (line: string) => args({ decision: 'text', message: line });
  return [
    ...numbered,
    { key: 't', label: 'type an answer', does: { is: 'ask', question: 'Your answer: ', args: text } },
  ];
}

interface Drawing {
  readonly now: number;
  readonly width: number;
  readonly paints: Paints;
}

const mostRows = 12;
const mostRowsOfOption = 3;

/** Pure. */
export function needText(need: AttentionView, { now, width, paints }: Drawing): string {
  const { title, since } = need;
  const { detail, options } = isYesOrNo(need) ? { detail: needDetail(need), options: [] } : withMeanings(need);
  const columns = Math.max(width - 4, 20);
  return [
    `${paints.alarm(`! ${oneLine(title)}`)} ${paints.dim(`(${age(now - Date.parse(since))})`)}`,
    ...fewRows(plain(detail).trim(), { width: columns, most: mostRows }).map((row) => `    ${row}`),
    ...options
      .slice(0, mostOptions)
      .flatMap((option, at) =>
        fewRows(oneLine(option), { width: columns - 3, most: mostRowsOfOption }).map(
          (row, line) => `    ${line === 0 ? at + 1 : ' '}  ${row}`,
        ),
      ),
  ].join('\n');
}

/** What the detail says of an option stands with the option alone. */
function withMeanings(need: AttentionView): { readonly detail: string; readonly options: readonly string[] } {
  const lines = needDetail(need).split('\n');
  const found = (need.options ?? []).map((option) => ({
    option,
    line: lines.find((line) => line === `- ${option}` || line.startsWith(`- ${option}: `)),
  }));
  return {
    detail: lines.filter((line) => !found.some((one) => one.line === line)).join('\n'),
    options: found.map(({ option, line }) => line?.slice('- '.length) ?? option),
  };
}

async function answerOne(need: AttentionView, person: Person, world: CommandWorld): Promise<number | 'quit'> {
  const choices = choicesFor(need);
  const { dim } = paintsFor(world);
  const columns = Math.max((world.columns ?? 100) - 4, 20);
  for (const { key, label } of choices.filter(({ isLong }) => isLong)) {
    const rows = fewRows(`[${key}] ${oneLine(label)}`, { width: columns, most: mostRows });
    for (const row of rows) world.write(`  ${dim(row)}\n`);
  }
  const keys = choices.filter(({ isLong, key }) => !isLong && !/^\d$/.test(key));
  world.write(`  ${dim(keys.map(({ key, label }) => `[${key}] ${oneLine(label)}`).join('  '))} `);
  for (;;) {
    const pressed = await person.key();
    const choice = leaves.includes(pressed) ? quit : choices.find(({ key }) => key === pressed);
    if (choice === undefined) continue;
    world.write(`${choice.key}\n`);
    return perform(choice, need, world);
  }
}

const quit: Choice = { key: 'q', label: 'quit', does: { is: 'quit' } };
/** The end of the input, Ctrl-C, Ctrl-D and Escape. */
const leaves = ['', '\u0003', '\u0004', '\u001b'];

async function perform({ does }: Choice, need: AttentionView, world: CommandWorld): Promise<number | 'quit'> {
  const worker = need.session_id;
  switch (does.is) {
    case 'quit':
      return 'quit';
    case 'skip':
      return 0;
    case 'attach': {
      const { pane } = resolveWorker(worker, await recordsOf(world));
      return pane === undefined ? 0 : world.attach(pane, { readOnly: false, whole: false });
    }
    case 'ask': {
      const line = (await world.person?.line(does.question)) ?? '';
      return act({ tool: 'answer_worker', workers: [worker], argsFor: does.args(line.trim()) }, world);
    }
    case 'call':
      return act({ tool: does.tool, workers: [worker], argsFor: does.args }, world);
  }
}
