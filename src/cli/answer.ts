// `crewmux answer`: what waits for somebody, one after the other, with a key for each answer.

import type { WholeRequest } from '../crew/api.ts';
import { resolveWorker } from '../model/address.ts';
import { systemClock } from '../system/clock.ts';
import type { AttentionView } from '../wire/attention.ts';
import { absenceWords, absentSince } from './absence.ts';
import { act } from './act.ts';
import { type Choice, choicesFor } from './answer-keys.ts';
import { keyRows, type NeedDrawing, needText, othersLine, titleLine, wholeRows } from './answer-text.ts';
import { lastAnswer } from './last-answer.ts';
import { page } from './pager.ts';
import { paintsFor } from './paint.ts';
import { recordsOf } from './roster.ts';
import { type CommandWorld, isPopup, type Person } from './world.ts';

export interface AnswerManner {
  /** For a screen reader: whole, in lines that no pager shows. */
  readonly isPlain: boolean;
}

/** Returns the exit code: 1 where an answer was refused. Without a terminal it only lists. */
export async function answer(world: CommandWorld, { isPlain }: AnswerManner): Promise<number> {
  const needs = await readNeeds(world);
  const drawing = isPlain ? plainDrawing() : drawingFor(world);
  const since = await absentSince(world);
  if (since !== undefined) world.write(`${absenceWords(since, drawing.now)}\n\n`);
  if (needs.length === 0) {
    world.write('Nothing waits for you.\n');
    return world.person === undefined ? 0 : world.write(`${await lastAnswer(world)}\n`);
  }
  let worst = 0;
  for (const [at, asked] of needs.entries()) {
    const others = needs.slice(at + 1).map(({ need }) => need);
    const code = await answerOne({ ...asked, others, drawing }, world);
    if (code === 'quit') return worst;
    worst = Math.max(worst, code);
  }
  return worst;
}

interface Asked {
  readonly need: AttentionView;
  readonly whole: WholeRequest | undefined;
}

async function readNeeds(world: CommandWorld): Promise<readonly Asked[]> {
  const crew = await world.look();
  try {
    const { attention } = await crew.list({ includeClosed: false, fields: 'full' });
    // It may be answered or gone by now; then the need alone says what it was.
    const wholeOf = ({ session_id: worker, request_id: requestId }: AttentionView) =>
      requestId === undefined ? undefined : crew.wholeRequest({ worker, requestId }).catch(() => undefined);
    return await Promise.all(attention.map(async (need) => ({ need, whole: await wholeOf(need) })));
  } finally {
    await crew.dispose();
  }
}

/** Rows that a person needs for the title, who else waits and the keys. */
const rowsBeside = 9;

const drawingFor = (world: CommandWorld): NeedDrawing => ({
  now: systemClock.now(),
  width: world.columns ?? 100,
  paints: paintsFor(world),
  most: world.screen === undefined ? Number.POSITIVE_INFINITY : Math.max(world.screen.size().rows - rowsBeside, 3),
});

const plainDrawing = (): NeedDrawing => ({
  now: systemClock.now(),
  width: Number.POSITIVE_INFINITY,
  paints: paintsFor({ env: {} }),
  isPlain: true,
  most: Number.POSITIVE_INFINITY,
});

interface Showing extends Asked {
  readonly others: readonly AttentionView[];
  readonly drawing: NeedDrawing;
}

async function answerOne(shown: Showing, world: CommandWorld): Promise<number | 'quit'> {
  const { need, whole, others, drawing } = shown;
  const { person } = world;
  const rows = wholeRows(whole, drawing);
  const isCut = rows.length > drawing.most;
  const viewed = `${[titleLine(need, drawing), '', ...rows].join('\n')}\n`;
  // A plan is read before anybody may say yes to it.
  if (isCut && person !== undefined) await page(viewed, world);
  world.write(`${needText(need, drawing, rows)}\n`);
  if (person === undefined) return 0;
  const { dim } = drawing.paints;
  if (others.length > 0) world.write(`  ${dim(othersLine(others))}\n`);
  const choices = choicesFor(need, isCut);
  await person.forget();
  for (;;) {
    world.write(keyRows(choices, drawing));
    const { does, key } = await pressed(choices, person);
    world.write(`${key}\n`);
    if (does.is === 'view') await page(viewed, world);
    else if (does.is === 'last') world.write(`  ${await lastAnswer(world)}\n`);
    else {
      const code = await perform(does, shown, world);
      if (code !== 'unanswered') return code;
    }
  }
}

async function pressed(choices: readonly Choice[], person: Person): Promise<Choice> {
  for (;;) {
    const key = await person.key();
    const choice = leaves.includes(key) ? quit : choices.find((one) => one.key === key);
    if (choice !== undefined) return choice;
  }
}

const quit: Choice = { key: 'q', label: 'quit', does: { is: 'quit' } };
/** The end of the input, Ctrl-C, Ctrl-D and Escape. */
const leaves = ['', '\u0003', '\u0004', '\u001b'];

type Ending = Exclude<Choice['does'], { readonly is: 'last' | 'view' }>;

async function perform(
  does: Ending,
  { need, drawing }: Showing,
  world: CommandWorld,
): Promise<number | 'quit' | 'unanswered'> {
  const worker = need.session_id;
  switch (does.is) {
    case 'quit':
      return 'quit';
    case 'skip':
      return 0;
    case 'attach': {
      const { pane } = resolveWorker(worker, await recordsOf(world));
      if (pane === undefined) return 0;
      const code = await world.attach(pane, { readOnly: false, whole: false });
      return isPopup(world.env) && code === 0 ? 'quit' : code;
    }
    case 'ask': {
      const line = await world.person?.line(does.question, { isPlain: drawing.isPlain === true });
      const argsFor = line === undefined ? undefined : does.args(line.trim());
      return argsFor === undefined ? 'unanswered' : act({ tool: 'answer_worker', workers: [worker], argsFor }, world);
    }
    case 'call':
      return act({ tool: does.tool, workers: [worker], argsFor: does.args }, world);
  }
}
