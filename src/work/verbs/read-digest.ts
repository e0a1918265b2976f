// Gathers what the digest of a time is made of: books, the log, needs and usage.
import type { CrewView } from '../../crew/api.ts';
import { timeOf } from '../../model/since.ts';
import { localDay } from '../../model/time-zone.ts';
import type { Digest } from '../../wire/digest.ts';
import { inward } from '../../wire/spoken.ts';
import type { CrewStatus } from '../../wire/status.ts';
import { usage as usageShape } from '../../wire/usage.ts';
import { worksIn } from '../drive/job-books.ts';
import { digestOf } from './digest.ts';
import type { TasksReader } from './tasks-context.ts';

/** What it asks of a crew. */
export interface DigestSource extends Pick<CrewView, 'happened' | 'usage' | 'work'> {
  status(): Promise<Pick<CrewStatus, 'attention' | 'reports'>>;
}

/** Rejects for a `since` that is no time. */
export async function readDigest(
  { jobBooks, clock }: Pick<TasksReader, 'jobBooks' | 'clock'>,
  crew: DigestSource,
  since: string,
): Promise<Digest> {
  const sinceAt = timeOf(since, clock.now());
  const books = jobBooks.opened();
  const [events, { attention, reports }, days] = await Promise.all([
    crew.happened({ sinceAt }),
    crew.status(),
    crew.usage({ by: 'day' }),
    ...books.map((book) => book.catchUp()),
  ]);
  const now = books.map((book) => book.now());
  const firstDay = localDay(sinceAt);
  return digestOf({
    ...{ since: sinceAt, books: now, events, attention },
    works: worksIn(
      { crew },
      books,
      now.flatMap(({ tasks }) => [...tasks.values()]),
    ),
    alarms: reports.filter(({ alarm }) => alarm === true),
    spent: days
      .filter(({ name }) => name >= firstDay)
      .map(({ name: day, usage }) => ({ day, usage: inward(usageShape, usage) })),
  });
}
