// The crews of this user in a line each, whoever manages them.
import type { Status, WorkerRecord } from '../../model/worker.ts';
import { attentionFor } from '../attention/attention.ts';
import { projectOf } from '../workers/budget.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import { statusOf } from '../workers/view.ts';

export interface CrewLine {
  readonly crew: string;
  /** Of its project. */
  readonly path: string;
  /** How many are in each status that any is in; closed ones are not counted. */
  readonly workers: Readonly<Partial<Record<Status, number>>>;
  /** Who needs somebody, and for what. */
  readonly needs: readonly string[];
}

/** Of crews with a worker that is not closed; from memory. */
export function crewLines(context: CrewContext): readonly CrewLine[] {
  const open = context.roster.records().filter(({ phase }) => phase !== 'closed');
  return [...new Set(open.map(({ crew }) => crew))].map((crew) => {
    const records = open.filter((record) => record.crew === crew);
    return lineOf(context, crew, records);
  });
}

const lineOf = (context: CrewContext, crew: string, records: readonly WorkerRecord[]): CrewLine => ({
  crew,
  path: records.map(projectOf)[0] ?? '',
  workers: countsOf(records.map((record) => statusOf(record, context.roster.turn(record.id)))),
  needs: records.flatMap((record) =>
    attentionFor(context, record).map(({ name, waiting_for }) => `${name}: ${waiting_for}`),
  ),
});

function countsOf(statuses: readonly Status[]): CrewLine['workers'] {
  const counts: Partial<Record<Status, number>> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
