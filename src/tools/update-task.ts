import { defined } from '../model/defined.ts';
import { CrewError } from '../model/errors.ts';
import { inward } from '../wire/spoken.ts';
import { type TaskEdit, taskEdit, type UpdateTaskRequest, updateTaskInput, updateTaskOutput } from '../wire/tasks.ts';
import type { Jobs } from '../work/api.ts';
import { checkArguments } from './border.ts';
import { defineTool } from './job-tool.ts';
import { nextLines, taskLine } from './job-words.ts';
import { lines } from './words.ts';

export const updateTask = defineTool({
  name: 'update_task',
  set: 'plans',
  title: 'Update a task',
  description: `Changes one task: start what is held, cancel it (a turn is interrupted, the branch stays), retry it, change its priority, or edit it. Use it as next_calls shows. For what a plan waits for use approve_plan, for its jobs edit_plan. It does not wait for the work.`,
  input: updateTaskInput,
  output: updateTaskOutput,
  hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  handler: ({ jobs }, args) => jobs.update(changeOf(args)),
  text: (task) => lines([taskLine(task), ...nextLines(task.next_calls)]),
});

function changeOf({
  taskId,
  action,
  priority,
  prompt,
  task,
  ...beside
}: UpdateTaskRequest): Parameters<Jobs['update']>[0] {
  const order = { taskId, action, ...defined({ priority, prompt }) };
  if (action !== 'edit') {
    const { role, model, agentType } = beside;
    const named = defined({ role, model, agentType });
    return action !== 'start' || Object.keys(named).length === 0 ? order : { ...order, edit: named };
  }
  const fields = defined({ priority, prompt, ...beside });
  const further = task === undefined ? {} : editOf(task);
  const twice = Object.keys(fields).find((name) => Object.hasOwn(further, name));
  if (twice === undefined) return { ...order, edit: { ...fields, ...further } };
  throw new CrewError('invalid_argument', `${twice} is given twice, beside task and in it.`, 'Give it once.');
}

/** Checked as submit_task checks a new one; what was left out is not filled in. */
function editOf(task: Readonly<Record<string, unknown>>): TaskEdit {
  const checked = checkArguments(taskEdit, task);
  for (const name of Object.keys(checked)) if ((task[name] ?? null) === null) Reflect.deleteProperty(checked, name);
  return inward(taskEdit, checked);
}
