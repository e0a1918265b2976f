import { screenInput, screenOutput } from '../wire/examine.ts';
import { defineTool } from './tool.ts';

export const readWorkerScreen = defineTool({
  name: 'read_worker_screen',
  set: 'core',
  title: 'Read a worker screen',
  description: `Shows the text on a worker's screen, as a person in tmux would see it. Use it when a worker waits in a dialog, starts up, or a message was unconfirmed. To learn what a worker did read_worker_logs is better: the screen is cut to its size. To wait use wait_idle_workers. It types nothing.`,
  input: screenInput,
  output: screenOutput,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  handler: (crew, { session_id: worker, ...wish }) => crew.screen({ worker, ...wish }),
  text: ({ screen, changed, path }) =>
    `${changed ? '' : 'Nothing changed.\n'}${screen}${path === undefined ? '' : `\nThe whole is in ${path}`}`,
});
