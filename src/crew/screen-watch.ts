// Keeps an eye on the screens of agents that tell of a dialog, its answer or dropped messages nowhere else.
import type { Disposer } from '../model/clock.ts';
import type { TurnState } from '../model/reduce-turn.ts';
import type { WorkerRecord } from '../model/worker.ts';
import type { House } from './house.ts';
import { lookOnce } from './screen-look.ts';

const lookEveryMs = 400;

/** Whether only the screen can tell when this is over. Pure. */
export function needsLook({ is, waitingFor, facts }: TurnState, { hasHooks }: { readonly hasHooks: boolean }): boolean {
  if (is === 'waiting') return waitingFor !== 'limit';
  if (is !== 'working') return false;
  const isOpen = facts.transcript?.open === true;
  return !hasHooks || (!isOpen && (facts.queued.length > 0 || facts.terminals.length > 0));
}

/** An agent that somebody else started runs no hook of ours. */
const hooksOf = ({ launch }: WorkerRecord) => ({ hasHooks: launch.process === undefined });

/** Looks for as long as there is a need, and begins with the change that makes one. */
export function watchScreens(house: House): Disposer {
  const looking = new Set<string>();
  const look = (workerId: string) => {
    const following = house.roster.following(workerId);
    const record = house.log.records().get(workerId);
    const isDue = record?.phase === 'live' && following && needsLook(following.state, hooksOf(record));
    if (!isDue) return void looking.delete(workerId);
    house.clock.after(lookEveryMs, () => void lookOnce(house, record, following).finally(() => look(workerId)));
  };
  const stop = house.roster.onChange(({ workerId, after }) => {
    const record = house.log.records().get(workerId);
    if (looking.has(workerId) || record === undefined || !needsLook(after, hooksOf(record))) return;
    if (!house.agentOf(record).readByScreen) return;
    looking.add(workerId);
    look(workerId);
  });
  return () => {
    stop();
    looking.clear();
  };
}
