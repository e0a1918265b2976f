// The calls that meet the need of a worker, each complete, and the hint for what no call says. Pure.
import type { Agent } from '../../agents/agent.ts';
import { isoTime } from '../../model/clock.ts';
import type { Dialog } from '../../model/turn.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { AgentRequest } from '../../turn/agent-request.ts';
import type { TurnState } from '../../turn/reduce-turn.ts';
import type { AttentionView, callerHints } from '../../wire/attention.ts';
import { dialogCalls, isForUser } from '../screen/dialog-choice.ts';
import { choicesOf, questionsOf } from './request-answer.ts';

type Hint = keyof typeof callerHints | undefined;

interface Way {
  readonly choiceFor: Agent['choiceFor'];
  /** The command with which a person looks at the pane. */
  readonly attach: string;
}

export function requestHint(request: AgentRequest): Hint {
  const { length } = questionsOf(request);
  if (length === 0) return undefined;
  if (request.requestId === undefined) return length === 1 ? 'screen' : undefined;
  return length === 1 ? 'free' : 'several';
}

/** Only the label that denies where a person has to allow it. */
export function screenCalls(
  record: WorkerRecord,
  { turn: { dialog }, request }: { readonly turn: Pick<TurnState, 'dialog'>; readonly request: AgentRequest },
  { choiceFor, attach }: Way,
): readonly string[] {
  if (request.personOnly !== true) return orAttach(dialogCalls(record, dialog, choiceFor), attach);
  const no = dialog && choiceFor(dialog, 'deny');
  if (dialog === undefined || no === undefined) return [attach];
  return [...dialogCalls(record, { ...dialog, options: [no] }, () => undefined), attach];
}

export const orAttach = (calls: readonly string[], attach: string): readonly string[] =>
  calls.length === 0 ? [attach] : calls;

/** The calls that answer; none for what only words answer, or several labels at once. */
export function hookCalls({ id }: WorkerRecord, request: AgentRequest, { attach }: Way): readonly string[] {
  const { requestId: request_id, waitingFor } = request;
  const call = (rest: object) => `answer_worker ${JSON.stringify({ session_id: id, request_id, ...rest })}`;
  const deny = call({ decision: 'deny' });
  if (request.personOnly) return [deny, attach];
  if (waitingFor !== 'question') return [call({ decision: 'allow' }), deny];
  if (questionsOf(request).length === 0) return [attach];
  return (choicesOf(request) ?? []).map((option) => call({ decision: 'choose', option }));
}

export function dialogHint(dialog: Dialog | undefined, choiceFor: Agent['choiceFor']): Hint {
  if (dialog === undefined) return undefined;
  if (isForUser(dialog)) return 'user';
  return choiceFor(dialog, 'text') === undefined ? undefined : 'screen';
}

/** The message after the limit is over; the conversation holds the rest. */
export const goOnMessage =
  'The usage limit is over. Go on with what you were doing, and do not repeat what is done already.';

interface LimitEnd {
  readonly resetsAt?: number | undefined;
  readonly goesOn?: boolean;
}

/** The call that sends workers on. */
export const goOnCall = (ids: readonly string[]): string =>
  `message_workers ${JSON.stringify({ session_ids: ids, message: goOnMessage })}`;

/** When that is to be done. */
export function goOnWhen({ resetsAt, goesOn }: LimitEnd): string {
  if (resetsAt === undefined) return 'When the limit is over, send it on.';
  const time = isoTime(resetsAt);
  return goesOn === true
    ? `It says that it goes on by itself after ${time}. If it does not, send it on.`
    : `Send it on after ${time}.`;
}

const minuteMs = 60_000;
const resetOf = ({ limit }: AttentionView): number =>
  limit?.resets_at === undefined ? Number.POSITIVE_INFINITY : Date.parse(limit.resets_at);

/** One call for several workers whose limits end within a minute of each other, in place of one each. */
export function goOnSuggestions(needs: readonly AttentionView[]): readonly string[] {
  const groups: AttentionView[][] = [];
  for (const need of needs.toSorted((a, b) => resetOf(a) - resetOf(b))) {
    const [first] = groups.at(-1) ?? [];
    const isNear = first !== undefined && !(resetOf(need) - resetOf(first) >= minuteMs);
    if (isNear) groups.at(-1)?.push(need);
    else groups.push([need]);
  }
  return groups.filter(({ length }) => length > 1).map(suggestionFor);
}

function suggestionFor(group: readonly AttentionView[]): string {
  const last = Math.max(...group.map(resetOf));
  const goesOn = group.every(({ limit }) => limit?.goes_on === true);
  const ids = group.map(({ session_id }) => session_id);
  const when = goOnWhen({ resetsAt: Number.isFinite(last) ? last : undefined, goesOn });
  return `${group.map(({ name }) => name).join(', ')}: ${when} ${goOnCall(ids)}`;
}
