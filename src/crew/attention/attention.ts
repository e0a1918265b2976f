// What a worker needs of someone, in words and with the call that helps.

import { isoTime } from '../../model/clock.ts';
import type { Dialog, WaitingFor } from '../../model/turn.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { launchPlace } from '../../store/launch-place.ts';
import { requestPath } from '../../store/requests.ts';
import type { AgentRequest } from '../../turn/agent-request.ts';
import type { TurnState } from '../../turn/reduce-turn.ts';
import type { AttentionView } from '../../wire/attention.ts';
import { answerDialogWith } from '../screen/dialog-choice.ts';
import type { CrewContext, MovedTree } from '../workers/roster.ts';
import { limitView } from '../workers/view.ts';
import { goOnCall } from './limit-remedy.ts';
import { questionAttention } from './question-attention.ts';
import { choicesOf, shortInput } from './request-words.ts';

export interface AttentionContext {
  /** The command with which a person looks at the pane. */
  readonly attach: string;
  /** Where the whole of a request lies. */
  readonly requestPath: (requestId: string) => string;
  /** The label that allows what a dialog asks, in the agent's words. */
  readonly allows: (dialog: Dialog) => string | undefined;
  /** What of its worktree's links leads elsewhere. */
  readonly moved: MovedTree | undefined;
}

const titles: Readonly<Record<WaitingFor, string>> = {
  permission: 'asks permission',
  question: 'asks a question',
  plan_approval: 'asks approval of its plan',
  trust: 'asks whether it may trust the folder',
  login: 'is not logged in',
  mcp_approval: 'asks whether it may use the MCP servers of this project',
  update: 'offers an update',
  limit: 'has reached a usage limit',
  dialog: 'shows a dialog',
};

const remedies: Readonly<Record<WaitingFor, string>> = {
  permission: 'A person answers it in the pane',
  question: 'A person answers it in the pane',
  plan_approval: 'A person answers it in the pane',
  trust: 'Trust the main repository once in an agent session of your own, or answer in the pane',
  login: 'Log the agent in once, or answer in the pane',
  mcp_approval: 'A person answers it in the pane',
  update: 'A person answers it in the pane',
  limit: 'Wait for the limit to reset, then message the worker',
  dialog: 'A person answers it in the pane',
};

/** Everything a worker needs somebody for now, most pressing first. */
export function attentionFor(context: CrewContext, record: WorkerRecord): readonly AttentionView[] {
  const { roster } = context;
  if (record.phase === 'closed' || roster.closing.has(record.id)) return [];
  const { workerDir } = launchPlace(record.launch.dir);
  return attentionOf(record, roster.turn(record.id), {
    attach: record.pane === undefined ? 'crewmux attach' : roster.attach(record.pane),
    requestPath: (id) => requestPath(workerDir, id),
    moved: roster.movedTrees.get(record.id),
    allows: (dialog) => context.agentOf(record).choiceFor(dialog, 'allow'),
  });
}

/** One for each thing somebody is needed for; none for a worker that needs nobody. Pure. */
export function attentionOf(
  record: WorkerRecord,
  turn: TurnState | undefined,
  context: AttentionContext,
): readonly AttentionView[] {
  if (record.phase === 'dead' || turn?.is === 'gone') return [deadAttention(record, turn)];
  const questions = turn?.questions ?? [];
  const moved = context.moved === undefined ? [] : [movedAttention(record, context.moved)];
  const asked = questions.map((question) => questionAttention(record, question));
  return [...needsOf(record, turn, context), ...asked, ...moved];
}

function needsOf(
  record: WorkerRecord,
  turn: TurnState | undefined,
  context: AttentionContext,
): readonly AttentionView[] {
  if (turn?.is !== 'waiting' || turn.waitingFor === undefined) return [];
  const { waitingFor, requests } = turn;
  if (requests.length > 0) return requests.map((request) => requestAttention(record, { turn, request }, context));
  // Its own question is shown as one.
  if (turn.evidence.source === 'us') return [];
  // Everything it asked is answered, and it has not drawn breath yet.
  if (turn.evidence.source === 'agent' && turn.facts.asked.length > 0) return [];
  return [dialogAttention(record, { turn, waitingFor }, context)];
}

interface Asking {
  readonly turn: TurnState;
  readonly request: AgentRequest;
}

function requestAttention(record: WorkerRecord, { turn, request }: Asking, context: AttentionContext): AttentionView {
  const { waitingFor, tool, input, requestId, rule, suggestions } = request;
  // What stands on the screen alone is answered there, by the labels that stand there.
  const shown = requestId === undefined ? turn.dialog?.options : undefined;
  const options = shown ?? choicesOf(request) ?? turn.dialog?.options ?? [];
  const byPerson = `${request.personOnly ? 'Only a person may allow it, in the pane' : remedies[waitingFor]}: ${context.attach}`;
  return {
    session_id: record.id,
    name: record.name,
    waiting_for: waitingFor,
    ...(requestId === undefined ? {} : { request_id: requestId }),
    since: isoTime(request.at),
    title: `${record.name} ${titles[waitingFor]}${waitingFor === 'permission' ? ` for ${tool}` : ''}`,
    detail: detailOf(turn, request),
    tool: {
      name: tool,
      input: shortInput(input),
      cwd: record.projectPath,
      ...(requestId === undefined ? {} : { path: context.requestPath(requestId) }),
    },
    ...(options.length === 0 ? {} : { options }),
    ...(rule === undefined ? {} : { rule }),
    ...(suggestions === undefined ? {} : { suggestions: suggestions.slice(0, mostSuggestions).map(shortInput) }),
    answer_with:
      requestId === undefined
        ? dialogCall(record, request.personOnly ? undefined : turn.dialog, { byPerson, context })
        : `${answerCall(record, request)}. Or: ${byPerson}`,
  };
}

const mostSuggestions = 8;

const dialogCall = (
  record: WorkerRecord,
  dialog: Dialog | undefined,
  { byPerson, context }: { readonly byPerson: string; readonly context: AttentionContext },
): string => answerDialogWith(record, dialog, { byPerson, allows: dialog && context.allows(dialog) });

function detailOf({ dialog, evidence }: TurnState, { rule, at }: AgentRequest): string {
  if (dialog !== undefined) return [dialog.title, dialog.text].filter(Boolean).join('\n');
  return rule ?? (evidence.at === at ? evidence.detail : 'no rule decides it');
}

/** The call that answers, ready to be made; what else could be decided stands behind it. */
function answerCall({ id }: WorkerRecord, request: AgentRequest): string {
  const call = (rest: object) =>
    `answer_worker ${JSON.stringify({ session_id: id, request_id: request.requestId, ...rest })}`;
  const [first] = choicesOf(request) ?? [];
  if (request.personOnly) return `${call({ decision: 'deny' })} with a message for the model`;
  if (request.waitingFor === 'question' && first !== undefined) return call({ decision: 'choose', option: first });
  return `${call({ decision: 'allow' })}, or "deny" with a message for the model`;
}

function dialogAttention(
  record: WorkerRecord,
  { turn, waitingFor }: { readonly turn: TurnState; readonly waitingFor: WaitingFor },
  context: AttentionContext,
): AttentionView {
  const { dialog, since, evidence } = turn;
  return {
    session_id: record.id,
    name: record.name,
    waiting_for: waitingFor,
    since: isoTime(since),
    title: `${record.name} ${titles[waitingFor]}`,
    detail: dialog === undefined ? evidence.detail : [dialog.title, dialog.text].filter(Boolean).join('\n'),
    ...(dialog === undefined || dialog.options.length === 0 ? {} : { options: dialog.options }),
    ...(turn.limit === undefined ? {} : { limit: limitView(turn.limit) }),
    answer_with:
      turn.limit !== undefined && dialog === undefined
        ? goOnCall([record.id], turn.limit)
        : dialogCall(record, dialog, { byPerson: `${remedies[waitingFor]}: ${context.attach}`, context }),
  };
}

function deadAttention(record: WorkerRecord, turn: TurnState | undefined): AttentionView {
  const at = record.endedAt ?? turn?.since ?? record.createdAt;
  return {
    session_id: record.id,
    name: record.name,
    waiting_for: 'dead',
    since: isoTime(at),
    title: `${record.name} has died`,
    detail: record.endDetail ?? turn?.evidence.detail ?? 'its process is gone',
    answer_with: `restart_workers {"session_ids": ["${record.id}"]} goes on with the same conversation; close_workers removes it`,
  };
}

const movedAttention = (record: WorkerRecord, { words, at }: MovedTree): AttentionView => ({
  session_id: record.id,
  name: record.name,
  waiting_for: 'dialog',
  since: isoTime(at),
  title: `${record.name} works in a worktree whose links were changed`,
  detail: words,
  answer_with: `Nothing of it lands. close_workers {"session_ids": ["${record.id}"], "force": true} saves what it holds and removes it; restore_work brings that back`,
});

/** Tells one need of one worker from the next. */
export const attentionKey = ({ session_id, request_id, waiting_for, since }: AttentionView): string =>
  `${session_id} ${request_id ?? `${waiting_for} ${since}`}`;
