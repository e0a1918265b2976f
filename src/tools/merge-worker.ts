import { defined } from '../model/defined.ts';
import { counted } from '../model/plural.ts';
import { mergeInput, mergeOutput } from '../wire/landing.ts';
import { defineTool } from './tool.ts';
import { lines } from './words.ts';

export const mergeWorker = defineTool({
  name: 'merge_worker',
  set: 'git',
  title: 'Land a worker',
  description: `Merges a worker's branch into the one it was begun from. Use it when an idle worker's work is reviewed with diff_worker. Leftovers are committed first; merge and tests run in a scratch worktree, and the target moves only if all is well. Conflicts change nothing and are named; send_back has the worker solve them. Pushes nothing, keeps the branch.`,
  input: mergeInput,
  output: mergeOutput,
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  shed: ['tests'],
  async handler(
    crew,
    { session_id: worker, into: target, strategy, message, test_command: testCommand, ...wish },
    call,
  ) {
    const order = { worker, ...defined({ target, strategy, message, testCommand }), dryRun: wish.dry_run };
    const landed = await crew.land(order, call);
    const { prompt, outcome } = landed;
    const text = wish.send_back ? prompt : undefined;
    const sent = text && (await crew.send({ workers: [worker], text, delivery: 'queue', asCommand: false }));
    const closes = wish.close && !wish.dry_run && (outcome === 'landed' || outcome === 'nothing');
    const closed = closes ? await crew.close({ workers: [worker], force: false }, call) : {};
    return { ...landed, ...defined({ sent_back: sent ? sent[worker] : undefined, closed: closed[worker] }) };
  },
  text: ({ outcome, branch, target, to_commit, tests, conflicts, file_count, checkout, reason }) =>
    lines([
      `${branch} -> ${target}: ${outcome} at ${to_commit.slice(0, 12)}, ${counted(file_count, 'file')}, tests ${tests.status}, checkout ${checkout}.`,
      ...conflicts.map(({ file }) => `conflict: ${file}`),
      ...(reason === undefined ? [] : [reason]),
    ]),
});
