// Schedules as a person reads them. Pure.
import { oneLine } from '../model/plain-text.ts';
import type { Shape } from '../wire/parts.ts';
import { enteredWords, type scheduleTaskOutput } from '../wire/schedules.ts';

type Shown = Shape<typeof scheduleTaskOutput>;

export function scheduleLines({ schedules, warnings = [] }: Shown): readonly string[] {
  if (schedules.length === 0) return ['No schedules here.'];
  return [
    ...schedules.flatMap(linesOf),
    ...warnings.map((warning) => `Warning: ${warning}`),
    'They run only while a server lives, a session with crewmux in this project, or `crewmux keep`.',
  ];
}

function linesOf(schedule: Shown['schedules'][number]): readonly string[] {
  const { id, cron, timezone, check, enabled, next_runs, last_run, missed, paused_because: why } = schedule;
  const next = enabled ? `next ${next_runs.join(', ')}` : `not enabled${why === undefined ? '' : `: ${why}`}`;
  return [
    `${id}  ${cron} (${timezone})  ${oneLine(enteredWords(schedule))}`,
    `  ${oneLine(next)}`,
    ...(check === undefined ? [] : [`  if ${oneLine(check)}`]),
    ...(last_run === undefined ? [] : [`  last ${oneLine(lastWords(last_run))}`]),
    ...(missed === 0 ? [] : [`  missed ${missed}`]),
    ...(enabled ? [] : [`  \`crewmux schedule enable ${id}\` lets it go on.`]),
  ];
}

function lastWords({
  at,
  outcome,
  reason,
  task_id,
  plan_id,
}: NonNullable<Shown['schedules'][number]['last_run']>): string {
  const id = task_id ?? plan_id;
  const words = outcome.replaceAll('_', ' ');
  return `${at}: ${words}${id === undefined ? '' : ` ${id}`}${reason === undefined ? '' : ` (${reason})`}`;
}
