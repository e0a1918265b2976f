import { oneLine } from '../../model/plain-text.ts';
import { subtasksOutput } from '../../wire/desk.ts';
import { nothing } from '../../wire/parts.ts';
import { lines } from '../words.ts';
import { defineTool, looks } from './tool.ts';

export const listSubtasks = defineTool({
  name: 'list_subtasks',
  title: 'List subtasks',
  description: `Lists the tasks and reviews you have entered with create_subtask and request_review, each with its state and its worker's last report. Use it to see what became of them before you enter another. It shows nobody else's tasks and changes nothing.`,
  input: nothing,
  output: subtasksOutput,
  hints: looks,
  long: { field: 'tasks', hint: 'get_context with scope "reports" and a task_id has the reports on one.' },
  handler: (desk) => desk.subtasks(),
  text: ({ tasks }) =>
    tasks.length === 0
      ? 'You have entered none.'
      : lines(
          tasks.flatMap(({ task_id, state, title, report }) => [
            `${task_id} ${state}: ${title}`,
            report === undefined ? '' : `  reported at ${report.at}: ${oneLine(report.what_done)}`,
          ]),
        ),
});
