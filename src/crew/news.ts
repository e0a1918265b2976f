// Which events a change of state is worth. Pure.
import type { EventDraft } from '../model/event.ts';
import type { TurnState } from '../model/reduce-turn.ts';

type News = Pick<EventDraft, 'type' | 'data'>;

/** What the log should hold of one change; nothing for a signal that changed nothing a reader cares for. */
export function newsOf(before: TurnState, after: TurnState): readonly News[] {
  return [...startNews(before, after), ...turnNews(before, after), ...statusNews(before, after)];
}

function startNews(before: TurnState, after: TurnState): readonly News[] {
  const shown = before.facts.readyAt === undefined && after.facts.readyAt !== undefined;
  return shown ? [{ type: 'worker_ready', data: { evidence: after.evidence } }] : [];
}

function turnNews(before: TurnState, after: TurnState): readonly News[] {
  const [was, is] = [before.turn, after.turn];
  if (is === undefined) return [];
  const started = was?.number !== is.number;
  const news: News[] = started ? [{ type: 'turn_started', data: { turn: is.number } }] : [];
  const endedNow = is.endedAt !== undefined && (started || was?.endedAt === undefined);
  if (endedNow) news.push({ type: 'turn_ended', data: { turn: is.number, ended_by: is.endedBy ?? null } });
  return news;
}

function statusNews(before: TurnState, after: TurnState): readonly News[] {
  if (before.is === after.is && before.waitingFor === after.waitingFor) return [];
  const answered: readonly News[] =
    before.is === 'waiting' && after.is !== 'gone'
      ? [{ type: 'worker_answered', data: { waiting_for: before.waitingFor } }]
      : [];
  const { evidence } = after;
  switch (after.is) {
    case 'starting':
      return [];
    case 'idle':
      return [...answered, { type: 'worker_idle', data: { evidence } }];
    case 'working':
      return [...answered, { type: 'worker_active', data: { evidence } }];
    case 'waiting':
      return [{ type: 'worker_waiting', data: { waiting_for: after.waitingFor, evidence } }];
    case 'gone':
      return [{ type: 'worker_dead', data: { evidence } }];
  }
}

/** What stands on the pane's border for a state. */
export function borderStatus(state: TurnState): string {
  if (state.is === 'waiting') return `waiting: ${(state.waitingFor ?? 'dialog').replace('_', ' ')}`;
  return state.is === 'gone' ? 'dead' : state.is;
}
