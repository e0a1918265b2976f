// Who is in the crew, for those who want to know when that changes.
import type { Disposer } from '../../model/clock.ts';
import { type CrewContext, visibleTo } from '../workers/roster.ts';

/** Calls back when a worker has come or gone, whichever server started or closed it. */
export function watchMembers(context: CrewContext, listen: () => void): Disposer {
  const members = () =>
    visibleTo(context)
      .flatMap(({ id, phase }) => (phase === 'closed' ? [] : [id]))
      .join(' ');
  let before = members();
  return context.log.onEvents((events) => {
    if (!events.some(({ set }) => set?.phase !== undefined || set?.manager !== undefined)) return;
    const now = members();
    if (now === before) return;
    before = now;
    listen();
  });
}
