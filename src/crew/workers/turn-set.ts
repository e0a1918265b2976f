// What a turn that begins changes in the record of its worker. Pure.
import type { EventDraft } from '../../model/event.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { turnsWith } from '../../usage/budget.ts';

export function turnSet(
  { budget, turnCount, launch, spokenIn }: WorkerRecord,
  number: number,
): Pick<EventDraft, 'set'> {
  const set = {
    ...(budget?.maxTurns !== undefined && { turnCount: turnsWith(turnCount, launch.number, number) }),
    ...(launch.agentSessionId !== spokenIn && { spokenIn: launch.agentSessionId }),
  };
  return Object.keys(set).length === 0 ? {} : { set };
}
