// What has come of the work since a time, and what goes on with it.
import { z } from 'zod';
import { oneLine } from '../model/plain-text.ts';
import { list, type Shape } from './parts.ts';
import type { Spoken } from './spoken.ts';
import { usage, usageWords } from './usage.ts';

const entry = z.object({
  what: z.string(),
  why: z.string().exactOptional(),
  at: z.string().exactOptional(),
  next_calls: list(z.string()),
});

export const digest = z.object({
  since: z.string(),
  /** Also what has ended well and had nothing to land. */
  landed: list(entry),
  failed: list(entry),
  /** Now, whenever it began. */
  waiting: list(entry),
  /** Times of schedules at which nothing was entered. */
  skipped: list(entry),
  /** By whole days of this machine, from that of `since` on. */
  spent: list(z.object({ day: z.string(), usage })),
});
export type Digest = Spoken<typeof digest>;
export type DigestEntry = Digest['landed'][number];

const headings = { landed: 'Landed', failed: 'Failed', waiting: 'Waiting', skipped: 'Skipped' } as const;
const sections = ['landed', 'failed', 'waiting', 'skipped'] as const;

/** How its reader hears of calls. */
export interface DigestReader {
  /** A line for each way to go on. */
  readonly calls: (calls: readonly string[]) => readonly string[];
  readonly text: (text: string) => string;
}

/** Pure. */
export function digestLines(shown: Shape<typeof digest>, reader: DigestReader): readonly string[] {
  const { since, spent } = shown;
  const parts = sections.flatMap((section) => sectionLines(headings[section], shown[section], reader));
  const used = spent.map((row) => `  ${row.day}: ${usageWords(row.usage)}`);
  return [
    ...(parts.length === 0
      ? [`Since ${since} nothing landed, failed or was skipped, and nothing waits.`]
      : [`Since ${since}`, ...parts]),
    ...(used.length === 0 ? [] : ['Spent, by whole days', ...used]),
  ];
}

const sectionLines = (
  heading: string,
  entries: Shape<typeof digest>['landed'],
  { calls, text }: DigestReader,
): readonly string[] =>
  entries.length === 0
    ? []
    : [
        heading,
        ...entries.flatMap(({ what, why, next_calls }) => [
          `  ${oneLine(what)}${why === undefined ? '' : `: ${oneLine(text(why))}`}`,
          ...calls(next_calls).map((line) => `      ${line}`),
        ]),
      ];
