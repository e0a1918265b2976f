// Which events a change of state is worth. Pure.

import type { EventDraft } from '../../model/event.ts';
import { type AgentRequest, openOf } from '../../turn/agent-request.ts';
import type { TurnState } from '../../turn/reduce-turn.ts';
import { questionLine, type WorkerQuestion } from '../../turn/worker-question.ts';
import { limitView } from './view.ts';

const longestOption = 100;

type News = Pick<EventDraft, 'type' | 'data'>;

/** What the log should hold of one change; nothing for a signal that changed nothing a reader cares for. */
export function newsOf(before: TurnState, after: TurnState): readonly News[] {
  return [
    ...startNews(before, after),
    ...turnNews(before, after),
    ...requestNews(before, after),
    ...questionNews(before, after),
    ...statusNews(before, after),
    ...troubleNews(before, after),
    ...returnedNews(before, after),
    ...limitNews(before, after),
  ];
}

/** A reset that becomes known, or better known, is news of the same limit. */
function limitNews({ limit: was }: TurnState, { limit: is }: TurnState): readonly News[] {
  if (is === undefined || (was?.resetsAt === is.resetsAt && was?.goesOn === is.goesOn && was?.detail === is.detail)) {
    return [];
  }
  return [{ type: 'limit', data: { ...limitView(is) } }];
}

/** What we chose on the screen during this wait. */
function chosenBy({ facts, since }: TurnState) {
  const { chosen } = facts;
  return chosen !== undefined && chosen.at >= since
    ? { by: 'manager', via: 'screen', option: chosen.option.slice(0, longestOption) }
    : undefined;
}

function returnedNews(before: TurnState, after: TurnState): readonly News[] {
  const { returned } = after.facts;
  if (returned.length === 0 || returned === before.facts.returned) return [];
  return [{ type: 'message_returned', data: { count: returned.length } }];
}

/** The count of the tries is no news; that they are over is. */
function troubleNews(before: TurnState, after: TurnState): readonly News[] {
  const [was, is] = [before.facts.trouble, after.facts.trouble];
  if ((was === undefined) === (is === undefined)) return [];
  return [{ type: 'worker_trouble', data: { detail: is?.detail ?? null } }];
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

/** Each request that came while others were open, and each that was answered, by whom. */
function requestNews(before: TurnState, after: TurnState): readonly News[] {
  const [were, are] = [openOf(before.facts.asked), openOf(after.facts.asked)];
  const came = before.is === 'waiting' && after.is === 'waiting' ? are.filter((one) => !holds(were, one)) : [];
  const went = after.is === 'gone' ? [] : were.filter((one) => !holds(are, one));
  return [
    ...went.map(
      (one): News => ({ type: 'worker_answered', data: { ...askedData(one), ...answerOf(one, { before, after }) } }),
    ),
    ...came.map((one): News => ({ type: 'worker_waiting', data: askedData(one) })),
  ];
}

const holds = (list: readonly AgentRequest[], { at, tool, requestId }: AgentRequest): boolean =>
  list.some((one) => (requestId === undefined ? one.at === at && one.tool === tool : one.requestId === requestId));

const askedData = ({ waitingFor, requestId, tool }: AgentRequest) => ({
  waiting_for: waitingFor,
  ...(requestId === undefined ? {} : { request_id: requestId }),
  tool,
});

const firstAsked = ([first]: readonly AgentRequest[]) => (first === undefined ? {} : askedData(first));

/** What no hook of ours told the agent, a person did at the pane. */
function answerOf({ requestId }: AgentRequest, { before, after }: { before: TurnState; after: TurnState }) {
  const told = after.facts.asked.find((one) => one.requestId === requestId)?.answered;
  if (told !== undefined && requestId !== undefined) return { by: told.by, decision: told.decision };
  return chosenBy(before) ?? { by: 'pane', decision: after.is === 'idle' ? 'deny' : 'allow' };
}

function statusNews(before: TurnState, after: TurnState): readonly News[] {
  if (before.is === after.is && before.waitingFor === after.waitingFor) return [];
  const answered: readonly News[] =
    before.is === 'waiting' && after.is !== 'gone' && before.facts.asked.length === 0 && !isOwnQuestion(before)
      ? [{ type: 'worker_answered', data: { waiting_for: before.waitingFor, ...chosenBy(before) } }]
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
      if (isOwnQuestion(after)) return [];
      return [
        { type: 'worker_waiting', data: { waiting_for: after.waitingFor, evidence, ...firstAsked(after.requests) } },
      ];
    case 'gone':
      return [{ type: 'worker_dead', data: { evidence } }];
  }
}

/** Told of by itself. */
const isOwnQuestion = ({ evidence }: TurnState): boolean => evidence.source === 'us';

/** The end of the wait is no news: the question stands. */
function questionNews(before: TurnState, after: TurnState): readonly News[] {
  const [were, are] = [before.questions, after.questions];
  if (were === are) return [];
  const came = are.filter((one) => !holdsQuestion(were, one));
  const went = after.is === 'gone' ? [] : were.filter((one) => !holdsQuestion(are, one));
  return [
    ...went.map((one): News => ({ type: 'worker_answered', data: questionData(one) })),
    ...came.map(
      (one): News => ({
        type: 'worker_waiting',
        data: { ...questionData(one), question: questionLine(one.text) },
      }),
    ),
  ];
}

const holdsQuestion = (list: readonly WorkerQuestion[], { requestId }: WorkerQuestion): boolean =>
  list.some((one) => one.requestId === requestId);

const questionData = ({ requestId }: WorkerQuestion) => ({
  waiting_for: 'question',
  request_id: requestId,
  tool: 'ask_manager',
});

/** What stands on the pane's border for a state. */
export function borderStatus(state: TurnState): string {
  if (state.is === 'waiting') return `waiting: ${(state.waitingFor ?? 'dialog').replace('_', ' ')}`;
  return state.is === 'gone' ? 'dead' : state.is;
}
