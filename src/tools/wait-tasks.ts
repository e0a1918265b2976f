import { waitTasksInput, waitTasksOutput } from '../wire/tasks.ts';
import { defineTool, exactlyOne } from './job-tool.ts';
import { checkpointLines, distinct, nextLines, taskLine } from './job-words.ts';
import { waitMs } from './tool.ts';
import { attentionLines, orNone } from './words.ts';

export const waitTasks = defineTool({
  name: 'wait_tasks',
  set: 'plans',
  title: 'Wait for tasks',
  description: `Waits until tasks or a plan have ended; returns each task with its report. Use it after submit_task or create_plan, not list_tasks in a loop. Returns early when a plan waits for a decision (checkpoint), a worker needs someone (attention), or the rest is blocked. timed_out: wait again. For workers without a task use wait_idle_workers.`,
  input: waitTasksInput,
  output: waitTasksOutput,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  alwaysLoad: true,
  shed: ['errors_encountered', 'what_tested', 'files_changed', 'report', 'evidence'],
  async handler({ jobs }, args, call) {
    exactlyOne({ task_ids: args.taskIds, plan_id: args.planId });
    return jobs.wait({ ...args, timeoutMs: waitMs(args.timeout, call) }, call);
  },
  text: ({ tasks, ended, waiting_on, plan_state, waited_seconds, timed_out, checkpoint, attention }) =>
    distinct([
      `Ended: ${orNone(ended)}. Not yet: ${orNone(waiting_on)}. Waited ${waited_seconds} s.${timed_out ? ' Timed out: wait again to go on.' : ''}`,
      plan_state === undefined ? '' : `The plan is ${plan_state}.`,
      ...checkpointLines(checkpoint),
      ...attentionLines(attention),
      ...tasks.flatMap((task) => [taskLine(task), ...nextLines(task.next_calls ?? [])]),
    ]),
});
