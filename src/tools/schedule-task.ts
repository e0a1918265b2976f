import { defined } from '../model/defined.ts';
import type { Shape } from '../wire/parts.ts';
import { createPlanInput } from '../wire/plans.ts';
import { enteredWords, scheduleTaskInput, scheduleTaskOutput } from '../wire/schedules.ts';
import { submitTaskInput } from '../wire/tasks.ts';
import { checkGiven } from './border.ts';
import { defineTool } from './job-tool.ts';
import { lines, warningLines } from './words.ts';

export const scheduleTask = defineTool({
  name: 'schedule_task',
  set: 'plans',
  title: 'Schedule a task',
  description: `Enters a task or plan again and again, by cron. Use it for work that comes back; for once use submit_task. One missed run is made up within a day; three failures in a row pause it. It runs nothing while neither a server nor crewmux keep lives.`,
  input: scheduleTaskInput,
  output: scheduleTaskOutput,
  hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  long: { field: 'schedules', hint: 'Remove those that are not needed.' },
  handler: ({ jobs }, { task, plan, ...order }, { here }) =>
    jobs.schedule({
      ...order,
      ...defined({
        here,
        task: task && checkGiven(submitTaskInput, task),
        plan: plan && checkGiven(createPlanInput, plan),
      }),
    }),
  text: ({ schedules, warnings = [] }) =>
    lines([...(schedules.length === 0 ? ['No schedules.'] : schedules.map(scheduleLine)), ...warningLines(warnings)]),
});

type Shown = Shape<typeof scheduleTaskOutput>['schedules'][number];

function scheduleLine({ id, cron, timezone, enabled, next_runs, last_run, paused_because, ...entered }: Shown): string {
  const last = last_run && `last ${last_run.at} ${last_run.outcome}${last_run.reason ? ` (${last_run.reason})` : ''}`;
  const next = enabled ? `next ${next_runs[0]}` : `paused${paused_because === undefined ? '' : `: ${paused_because}`}`;
  return [`schedule ${id} (${enteredWords(entered)}), ${cron} ${timezone}`, next, ...(last ? [last] : [])].join('; ');
}
