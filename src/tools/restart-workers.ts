import { restartInput, spawnOutput } from '../wire/starting.ts';
import { spareWorkerFields } from '../wire/worker.ts';
import { defineTool } from './tool.ts';
import { spawnLines } from './words.ts';

export const restartWorkers = defineTool({
  name: 'restart_workers',
  title: 'Restart workers',
  description: `Starts dead or closed workers again, each in the same worktree and with the same conversation; works after a crash or a reboot too. Use it when list_workers shows a worker as dead, or to go on with one you closed. A worker that still runs is refused: message it with message_workers, or stop its turn with interrupt_workers. A restarted worker waits for a message; it does not go on by itself. For a fresh conversation use spawn_workers.`,
  input: restartInput,
  output: spawnOutput,
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
  shed: spareWorkerFields,
  handler: (crew, args, call) => crew.restart({ workers: args.session_ids }, call),
  text: spawnLines,
});
