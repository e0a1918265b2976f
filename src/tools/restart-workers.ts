import { restartInput, spawnOutput } from '../wire/starting.ts';
import { defineTool } from './tool.ts';
import { meant } from './whom.ts';
import { spawnLines } from './words.ts';

export const restartWorkers = defineTool({
  name: 'restart_workers',
  set: 'core',
  title: 'Restart workers',
  description: `Starts dead or closed workers again, each in its worktree with its conversation, also after a reboot. Use it when list_workers shows a worker as dead, or to go on with one you closed. One that still runs is refused: use message_workers or interrupt_workers. It waits for a message then; it does not go on by itself.`,
  input: restartInput,
  output: spawnOutput,
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
  handler: async (crew, args, call) => crew.restart({ workers: await meant(crew, args.session_ids, 'dead') }, call),
  text: spawnLines,
});
