// `crewmux logs`: a worker's conversation in order, and as it goes on.
import type { CrewView } from '../crew/api.ts';
import { wallTime } from '../model/clock.ts';
import { plain } from '../model/plain-text.ts';
import type { WorkerRecord } from '../model/worker.ts';
import { pause } from '../system/clock.ts';
import { callLine, type LogMessage } from '../wire/examine.ts';
import { type Paints, paintsFor } from './paint.ts';
import { personsHint } from './persons-call.ts';
import { recordsOf } from './roster.ts';
import type { CommandWorld } from './world.ts';

export interface LogsOrder {
  readonly worker: WorkerRecord;
  readonly messages: number;
  readonly follows: boolean;
}

const pageSize = 5;
const lookEveryMs = 1_000;
/** More than an agent says between two looks. */
const mostInOneLook = 20;

/** Resolves once all is written; with `follows`, once the worker has ended. */
export async function logs({ worker, messages, follows }: LogsOrder, world: CommandWorld): Promise<number> {
  const paints = paintsFor(world);
  const written = new Map<number, string>();
  let first: number | undefined;
  const show = async (crew: CrewView) => {
    const pages = Math.ceil(Math.max(messages, mostInOneLook) / pageSize);
    const page = await crew.logs({ worker: worker.id, pages, offset: 0, format: 'person' });
    const inOrder = page.messages.toSorted((a, b) => a.index - b.index);
    first ??= Math.max(0, page.page_info.total_messages - messages);
    for (const message of inOrder.filter(({ index }) => index >= (first ?? 0))) {
      const text = messageText(message, paints);
      // The agent writes a message in pieces.
      world.write(restOf(text, written.get(message.index)));
      written.set(message.index, text);
    }
    return page;
  };
  for (let launch = worker.launch.dir, isFirst = true; ; isFirst = false) {
    const crew = await world.look();
    try {
      const { page_info: info } = await show(crew);
      if (isFirst && info.note !== undefined) world.complain(`${personsHint(info.note)}\n`);
      if (!follows) return 0;
      for (;;) {
        const now = (await recordsOf(world)).find(({ id }) => id === worker.id);
        await show(crew);
        if (now === undefined || now.phase === 'closed' || now.phase === 'dead') return 0;
        if (now.launch.dir !== launch) {
          launch = now.launch.dir;
          break;
        }
        await pause(lookEveryMs);
      }
    } finally {
      await crew.dispose();
    }
  }
}

/** The lines that were not written so; nothing where another message has this place by now. Pure. */
export function restOf(text: string, written: string | undefined): string {
  if (written === undefined) return text;
  const [lines, known] = [text.split('\n'), written.split('\n')];
  const from = lines.findIndex((line, at) => line !== known[at]);
  return from > 0 ? lines.slice(from).join('\n') : '';
}

/** Pure. */
export function messageText({ role, timestamp, content, tool_uses: uses = [] }: LogMessage, paints: Paints): string {
  const head = paints.bold(`${role === 'user' ? '>' : '*'} ${role}`);
  const lines = [
    `${head} ${paints.dim(wallTime(Date.parse(timestamp)))}`,
    ...plain(content)
      .split('\n')
      .map((line) => `  ${line}`.trimEnd()),
    ...uses.map((use) => paints.dim(`  ${plain(callLine(use))}`)),
  ];
  return `${lines.join('\n')}\n`;
}
