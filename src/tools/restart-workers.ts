import { everyone } from '../model/name.ts';
import { restartInput, restartOutput } from '../wire/starting.ts';
import { atMostOne, exactlyOne } from './job-tool.ts';
import { defineTool } from './tool.ts';
import { alike, isEveryone, meant } from './whom.ts';
import { lines, spawnLines } from './words.ts';

export const restartWorkers = defineTool({
  name: 'restart_workers',
  set: 'core',
  title: 'Restart workers',
  description: `Starts dead or closed workers again, one after the other, each in its worktree with its conversation, also after a reboot. Use it when list_workers shows a worker as dead, or to go on with one you closed. One that runs is refused: use message_workers. It does not go on by itself.`,
  input: restartInput,
  output: restartOutput,
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
  async handler(crew, { session_ids: asked, all, role, dry_run, fresh }, call) {
    exactlyOne({ session_ids: asked, all });
    atMostOne({ session_ids: asked, role });
    const isNamed = asked !== undefined && !isEveryone(asked);
    const workers = isNamed
      ? asked
      : role === undefined
        ? await meant(crew, [everyone], 'dead')
        : await alike(crew, { role, status: 'dead' });
    const order = { workers, fresh, isNamed };
    return dry_run ? { plan: await crew.restartPlan(order) } : crew.restart(order, call);
  },
  text: ({ plan, ...started }) =>
    plan === undefined
      ? spawnLines(started)
      : lines([
          'Dry run: nothing was started.',
          ...plan.map(({ name, action, reason }) => `${name}: ${action}, ${reason}`),
        ]),
});
