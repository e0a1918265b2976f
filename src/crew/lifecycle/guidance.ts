// What a manager is told after a spawn: short, and true of these workers.
import type { WorkerView } from '../../wire/worker.ts';

export function spawnGuidance(workers: readonly WorkerView[]): string {
  if (workers.length === 0) return 'No worker was started; see `failed` for why and what to do.';
  const names = workers.map((worker) => worker.name);
  const ids = JSON.stringify(names);
  return [
    `${names.join(', ')} ${names.length === 1 ? 'runs' : 'run'} on their own now.`,
    `wait_idle_workers {"session_ids": ${ids}} returns when they are done or one needs you; it may go on in the background.`,
    'read_worker_logs tells what one did; message_workers gives it more; close_workers ends it and keeps its branch.',
    'Tell the user that they can watch with the command in tmux.attach.',
  ].join(' ');
}
