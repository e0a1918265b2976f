import { defined, unlessEmpty } from '../model/defined.ts';
import { counted } from '../model/plural.ts';
import { type Digest, digestLines } from '../wire/digest.ts';
import type { WordView } from '../wire/reports.ts';
import { outward } from '../wire/spoken.ts';
import {
  type CrewStatus,
  ofJobs,
  type ProjectLine,
  type StatusResult,
  statusInput,
  statusOutput,
} from '../wire/status.ts';
import type { JobsSummary } from '../work/api.ts';
import { nextLines, pausedWords, planLine, taskLine } from './job-words.ts';
import { defineTool } from './mixed-tool.ts';
import { attentionLines, escapeLines, lines } from './words.ts';

/** What a crew without workers is told. */
const begin = 'spawn_workers to begin';

const reportLine = ({ name, at, kind, says }: WordView) => `${name} at ${at}, ${kind}: ${says}`;

const slotLine = ({ id, role, worker }: StatusResult['slots'][number]) =>
  `slot ${id}${role === undefined ? '' : ` (${role})`}: ${worker === 'free' ? worker : worker.status}`;

/** Pure. */
export function projectText({ path, workers, tasks, plans, needs }: ProjectLine): string {
  const counts = Object.entries(workers).map(([status, count]) => `${count} ${status}`);
  const work = [counted(tasks, 'open task'), counted(plans, 'open plan')].filter((words) => !words.startsWith('0 '));
  const said = [...counts, ...work].join(', ');
  const asked = needs.length === 0 ? '' : `needs somebody: ${needs.join(', ')}`;
  return `${path}: ${[said, asked].filter((words) => words !== '').join('; ')}`;
}

export const crewStatus = defineTool({
  name: 'crew_status',
  set: 'core',
  title: 'Crew status',
  description: `The crew at one look: plans, tasks, workers by status, who needs someone with the answering call, events, failures, next calls. Use it first, to go on, or to report. In full: list_workers, plan_status; for events poll_worker_changes. It does not wait.`,
  input: statusInput,
  output: statusOutput,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  alwaysLoad: true,
  async handler(crew, { scope, since }, { here }) {
    const [status, glance, digest] = await Promise.all([
      crew.status(),
      crew.jobs.jobsSummary(defined({ here })),
      since === undefined ? undefined : crew.jobs.digest({ since }),
    ]);
    const own = withJobs(status, { ...glance, ...defined({ digest }) });
    return scope === 'all' ? { ...own, projects: await crew.jobs.projects() } : own;
  },
  text: ({
    workers,
    projects = [],
    slots,
    attention,
    escapes,
    reports,
    plans,
    tasks,
    paused,
    loops = [],
    schedules = [],
    digest,
    suggested_calls,
    attach,
  }) =>
    lines([
      ...(digest === undefined ? [] : digestLines(digest, { calls: nextLines, text: (text) => text })),
      ...(paused === undefined ? [] : [pausedWords(paused)]),
      ...reports.filter(({ alarm }) => alarm).map(reportLine),
      ...Object.entries(workers)
        .filter(([, held]) => held.length > 0)
        .map(
          ([status, held]) => `${status}: ${held.map(({ name, session_id }) => `${name} [${session_id}]`).join(', ')}`,
        ),
      ...slots.map(slotLine),
      ...attentionLines(attention),
      ...escapeLines(escapes),
      ...reports.filter(({ alarm }) => alarm === undefined).map(reportLine),
      ...loops.map(({ says }) => says),
      ...plans.map(planLine),
      ...tasks.map(taskLine),
      ...schedules.map((line) => `Schedule: ${line}`),
      ...projects.map(projectText),
      ...nextLines(suggested_calls),
      attach === null ? 'No workers yet.' : `Watch with: ${attach}`,
    ]),
});

interface Glance extends JobsSummary {
  readonly digest?: Digest;
}

/** A decision that holds up a plan comes before all other calls; whoever has tasks waits for them. */
function withJobs(
  status: CrewStatus,
  { plans, tasks, paused, loops = [], schedules = [], scheduleCalls = [], checkpoints, running, limit, digest }: Glance,
): StatusResult {
  const unended = tasks.filter(({ endedAt }) => endedAt === undefined);
  const open = unended.filter(({ held }) => held !== true).map(({ taskId }) => taskId);
  const held = unended.filter((task) => task.held === true).map(({ taskId }) => taskId);
  const own = [
    ...checkpoints.flatMap((checkpoint) => checkpoint.calls),
    ...loops.flatMap(({ nextCalls }) => nextCalls),
    ...scheduleCalls,
    ...plans.flatMap(({ nextCalls }) => nextCalls),
    ...held.map((task_id) => `update_task ${JSON.stringify({ task_id, action: 'start' })}`),
    ...(open.length === 0 ? [] : [`wait_tasks ${JSON.stringify({ task_ids: open })}`]),
  ];
  const others = own.length === 0 ? status.suggested_calls : status.suggested_calls.filter((call) => call !== begin);
  const glance = defined({ paused, loops: unlessEmpty(loops), schedules: unlessEmpty(schedules), digest });
  const shown = outward(ofJobs, { plans, tasks, ...glance });
  return { ...status, ...shown, running, limit, suggested_calls: [...new Set([...own, ...others])] };
}
