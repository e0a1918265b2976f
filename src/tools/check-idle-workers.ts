import { checkIdleInput, checkIdleOutput } from '../wire/events.ts';
import { defineTool } from './tool.ts';
import { meant } from './whom.ts';
import { attentionLines, lines } from './words.ts';

export const checkIdleWorkers = defineTool({
  name: 'check_idle_workers',
  set: 'core',
  title: 'Check idle workers',
  description: `Says at once whether workers are idle: no turn running, no message of ours outstanding, no background task. Use it for a quick look; do not call it in a loop, since wait_idle_workers waits without cost. A worker that is not idle may need someone: see attention.`,
  input: checkIdleInput,
  output: checkIdleOutput,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  handler: async (crew, args) => crew.checkIdle({ workers: await meant(crew, args.session_ids) }),
  text: ({ idle, idle_count, busy_count, attention }) =>
    lines([
      `${idle_count} idle, ${busy_count} busy.`,
      ...Object.entries(idle).map(([ref, is]) => `${ref}: ${is ? 'idle' : 'not idle'}`),
      ...attentionLines(attention),
    ]),
});
