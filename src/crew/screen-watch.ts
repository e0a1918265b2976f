// Keeps an eye on the screens of agents that tell of an answered dialog, or of dropped messages, nowhere else.
import type { Disposer } from '../model/clock.ts';
import type { TurnState } from '../model/reduce-turn.ts';
import type { House } from './house.ts';
import { lookOnce } from './screen-look.ts';

const lookEveryMs = 400;

/** Whether only the screen can tell when this is over. Pure. */
export function needsLook({ is, waitingFor, facts }: TurnState): boolean {
  if (is === 'waiting') return waitingFor !== 'limit';
  const isOpen = facts.transcript?.open === true;
  return is === 'working' && !isOpen && (facts.queued.length > 0 || facts.terminals.length > 0);
}

/** Looks for as long as there is a need, and begins with the change that makes one. */
export function watchScreens(house: House): Disposer {
  const looking = new Set<string>();
  const look = (workerId: string) => {
    const following = house.roster.following(workerId);
    const record = house.log.records().get(workerId);
    const isDue = following !== undefined && record?.phase === 'live' && needsLook(following.state);
    if (!isDue) return void looking.delete(workerId);
    house.clock.after(lookEveryMs, () => void lookOnce(house, record, following).finally(() => look(workerId)));
  };
  const stop = house.roster.onChange(({ workerId, after }) => {
    if (looking.has(workerId) || !needsLook(after)) return;
    const record = house.log.records().get(workerId);
    if (record === undefined || !house.agentOf(record).readByScreen) return;
    looking.add(workerId);
    look(workerId);
  });
  return () => {
    stop();
    looking.clear();
  };
}
