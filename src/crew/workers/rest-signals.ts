// Begins the signals file of a worker anew while nothing happens: its last word holds what the lines added up to.
import { readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { bytesOf } from '../../jsonl/rewrite.ts';
import { earlierSignalsPath, signalsPath } from '../../store/question-line.ts';
import { writeAtomic } from '../../system/atomic.ts';
import { unlessMissing } from '../../system/disk.ts';
import type { TurnState } from '../../turn/reduce-turn.ts';

const mostBytes = 64 * 1024;
const headBytes = 8 * 1024;
/** No hook of a turn is still about to write by then. */
const quietMs = 30_000;

/** Pure. */
export const mayRest = (
  { is, lastActivityAt, requests, questions }: TurnState,
  { now, bytes }: { readonly now: number; readonly bytes: number },
): boolean =>
  is === 'idle' &&
  bytes > mostBytes &&
  now - lastActivityAt >= quietMs &&
  requests.length === 0 &&
  questions.length === 0;

interface Resting {
  readonly launch: { readonly dir: string };
  readonly state: TurnState;
  drain(): Promise<void>;
}

/** Whether the file has begun anew; what was written meanwhile is read. */
export async function restSignals(following: Resting, now: number): Promise<boolean> {
  const { dir } = following.launch;
  const path = signalsPath(dir);
  if (!mayRest(following.state, { now, bytes: await bytesOf(path) })) return false;
  await following.drain();
  if (!mayRest(following.state, { now, bytes: await bytesOf(path) })) return false;
  const earlier = await unlessMissing(readFile(earlierSignalsPath(dir), 'utf8'));
  await writeAtomic(earlierSignalsPath(dir), endsOf(earlier ?? '', await readFile(path, 'utf8')));
  await rm(path);
  await following.drain();
  return true;
}

/** The begin of the launch and the end of its lines, whole ones alone. Pure. */
export function endsOf(earlier: string, lines: string): string {
  const from = earlier === '' ? lines : earlier;
  const head = from.slice(0, from.lastIndexOf('\n', headBytes) + 1);
  const rest = earlier === '' ? lines.slice(head.length) : lines;
  return head + (rest.length <= mostBytes ? rest : rest.slice(rest.indexOf('\n', rest.length - mostBytes) + 1));
}

/** None where the file never began anew. For who has no last word to go on from. */
export function earlierSignals(launchDir: string): readonly string[] {
  try {
    return readFileSync(earlierSignalsPath(launchDir), 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  } catch {
    return [];
  }
}
