// What a manager does next about the workers that it has just started, by their states. Pure.
import type { WorkerView } from '../../wire/worker.ts';

type Started = Pick<WorkerView, 'name' | 'status' | 'waiting_for'>;

/** Says nothing of an idle one: it waits for whoever wants something of it. */
export function guidanceFor(started: readonly Started[], wakes: boolean): string {
  if (started.length === 0) return 'No worker was started; see `failed` for why and what to do.';
  const busy = started.filter(({ status }) => status === 'working' || status === 'starting').map(({ name }) => name);
  const needs = needsOf(started);
  return [
    ...needs,
    ...(needs.length === 0 ? [] : ['The warnings tell what helps.']),
    ...(busy.length === 0 ? [] : whileBusy(busy, wakes)),
    'Tell the user that they can watch with the command in attach.',
  ].join(' ');
}

/** A sentence for each thing that keeps some of them. */
function needsOf(started: readonly Started[]): readonly string[] {
  const kept = started.flatMap(({ name, status, waiting_for: need = 'somebody' }) => {
    if (status === 'waiting') return [{ name, verb: ['waits', 'wait'], what: ` for ${need.replaceAll('_', ' ')}` }];
    return status === 'dead' || status === 'closed' ? [{ name, verb: ['is', 'are'], what: ` ${status}` }] : [];
  });
  return [...new Set(kept.map(({ what }) => what))].map((what) => {
    const alike = kept.filter((one) => one.what === what);
    const [one, several] = alike[0]?.verb ?? [];
    return `${alike.length} ${alike.length === 1 ? one : several}${what}: ${alike.map(({ name }) => name).join(', ')}.`;
  });
}

const whileBusy = (names: readonly string[], wakes: boolean): readonly string[] => [
  `${names.join(', ')} ${names.length === 1 ? 'runs on its' : 'run on their'} own now.`,
  wakes
    ? 'You will be told when they are done or one needs you: end your turn, or go on with your user.'
    : `wait_idle_workers ${JSON.stringify({ session_ids: names })} returns when they are done or one needs you; it may go on in the background.`,
  'read_worker_logs tells what one did; message_workers gives it more; close_workers ends it and keeps its branch.',
];
