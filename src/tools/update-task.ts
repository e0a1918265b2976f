import { defined } from '../model/defined.ts';
import { CrewError } from '../model/errors.ts';
import type { Shape } from '../wire/parts.ts';
import { inward, outward } from '../wire/spoken.ts';
import {
  type ProjectAction,
  type submitTaskOutput,
  taskEdit,
  type UpdateTaskRequest,
  updateTaskInput,
  updateTaskOutput,
} from '../wire/tasks.ts';
import type { Jobs } from '../work/api.ts';
import { checkGiven } from './border.ts';
import { defineTool } from './job-tool.ts';
import { changedLines, pausedWords } from './job-words.ts';
import { lines } from './words.ts';

export const updateTask = defineTool({
  name: 'update_task',
  set: 'plans',
  title: 'Update a task',
  description: `Changes one task: start what is held, cancel it (a turn is interrupted, the branch stays), retry it, change its priority, or edit it; without task_id, pause and resume hold all starts and landings of the project. Use it as next_calls shows. For what a plan waits for use approve_plan, for its jobs edit_plan. It does not wait for the work.`,
  input: updateTaskInput,
  output: updateTaskOutput,
  hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  async handler({ jobs }, { taskId, action, ...args }, { here }) {
    if (action === 'pause' || action === 'resume') {
      refuseFields(action, { taskId, ...args });
      return jobs.pauseOrResume({ action, ...defined({ here }) });
    }
    if (taskId !== undefined) return jobs.update(changeOf({ taskId, action, ...args }));
    const hint = 'list_tasks shows the ids. pause and resume alone are for the whole project.';
    throw new CrewError('invalid_argument', `task_id is missing: ${action} is for one task.`, hint);
  },
  text: (answer) =>
    isTask(answer)
      ? lines(changedLines(answer))
      : `${answer.project_path}: ${answer.paused === undefined ? 'Not paused.' : pausedWords(answer.paused)}`,
});

const isTask = (answer: Shape<typeof updateTaskOutput>): answer is Shape<typeof submitTaskOutput> =>
  answer.task_id !== undefined;

function refuseFields(action: ProjectAction, fields: Readonly<Record<string, unknown>>): void {
  const names = Object.keys(outward(updateTaskInput.partial(), defined(fields)));
  if (names.length === 0) return;
  throw new CrewError(
    'invalid_argument',
    `${action} is for all tasks of the project, and takes no ${names.join(', ')}.`,
    'Leave it out. submit_task with start false holds one task, update_task start lets it begin.',
  );
}

/** What each takes beside task_id; edit takes all. */
const takes: Readonly<Record<Exclude<TaskUpdateOrder['action'], 'edit'>, readonly string[]>> = {
  start: ['priority', 'role', 'model', 'agentType'],
  retry: ['prompt'],
  prioritise: ['priority'],
  cancel: [],
};

function refuseUntaken(action: keyof typeof takes, given: Readonly<Record<string, unknown>>): void {
  const odd = Object.fromEntries(Object.entries(given).filter(([name]) => !takes[action].includes(name)));
  const names = Object.keys(outward(updateTaskInput.partial(), odd));
  if (names.length === 0) return;
  throw new CrewError(
    'invalid_argument',
    `${action} takes no ${names.join(', ')}, and nothing was changed.`,
    'edit changes a task before it starts; retry takes a prompt.',
  );
}

type Change = Omit<UpdateTaskRequest, 'taskId' | 'action'> & Pick<TaskUpdateOrder, 'taskId' | 'action'>;
type TaskUpdateOrder = Parameters<Jobs['update']>[0];

function changeOf({ taskId, action, priority, prompt, task, ...beside }: Change): TaskUpdateOrder {
  const order = { taskId, action, ...defined({ priority, prompt }) };
  if (action !== 'edit') {
    refuseUntaken(action, defined({ priority, prompt, task, ...beside }));
    const { role, model, agentType } = beside;
    const named = defined({ role, model, agentType });
    return Object.keys(named).length === 0 ? order : { ...order, edit: named };
  }
  const fields = defined({ priority, prompt, ...beside });
  const further = task === undefined ? {} : inward(taskEdit, checkGiven(taskEdit, task));
  const twice = Object.keys(fields).find((name) => Object.hasOwn(further, name));
  if (twice === undefined) return { ...order, edit: { ...fields, ...further } };
  throw new CrewError('invalid_argument', `${twice} is given twice, beside task and in it.`, 'Give it once.');
}
