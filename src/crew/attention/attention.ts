// The needs of a worker: a request, a question, a dialog or its death, in words and with the call that helps.

import { isoTime } from '../../model/clock.ts';
import { defined } from '../../model/defined.ts';
import type { Dialog, WaitingFor } from '../../model/turn.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { launchPlace } from '../../store/launch-place.ts';
import { requestPath } from '../../store/requests.ts';
import type { AgentRequest } from '../../turn/agent-request.ts';
import type { TurnState } from '../../turn/reduce-turn.ts';
import { questionLine, type WorkerQuestion } from '../../turn/worker-question.ts';
import { type AttentionView, agreesBy } from '../../wire/attention.ts';
import { answerDialogWith } from '../screen/dialog-choice.ts';
import type { MovedTree } from '../workers/last-word.ts';
import type { CrewContext } from '../workers/roster.ts';
import { type MovedBranch, movedBranchesOf } from '../workers/tips.ts';
import { limitView } from '../workers/view.ts';
import { goOnCall } from './limits.ts';
import { suggestionsOf } from './remember-words.ts';
import { choicesOf, questionWords, toFillIn, unanswered } from './request-answer.ts';

interface AttentionContext {
  /** The command with which a person looks at the pane. */
  readonly attach: string;
  /** The file that holds the whole request. */
  readonly requestPath: (requestId: string) => string;
  /** The label that allows what a dialog asks, in the agent's words. */
  readonly allows: (dialog: Dialog) => string | undefined;
  /** A line for each choice of `remember` that the request offers. */
  readonly remembers: (request: AgentRequest) => readonly string[];
  /** The links of its worktree that lead elsewhere. */
  readonly moved: MovedTree | undefined;
  /** Branches that it may have moved, and that it stands for. */
  readonly movedBranches?: readonly MovedBranch[];
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

const inPane = 'A person answers it in the pane';
const remedies: Readonly<Partial<Record<WaitingFor, string>>> = {
  trust: 'Trust the main repository once in an agent session of your own, or answer in the pane',
  login: 'Log the agent in once, or answer in the pane',
  limit: 'Wait for the limit to reset, then message the worker',
};

/** Everything for which a worker needs somebody now, most pressing first. */
export function attentionFor(context: CrewContext, record: WorkerRecord): readonly AttentionView[] {
  const { roster } = context;
  if (record.phase === 'closed' || record.closing === true || roster.closing.has(record.id)) return [];
  const { workerDir } = launchPlace(record.launch.dir);
  return attentionOf(record, roster.turn(record.id), {
    attach: record.pane === undefined ? 'crewmux attach' : roster.attach(record.pane),
    requestPath: (id) => requestPath(workerDir, id),
    moved: roster.movedTrees.get(record.id),
    movedBranches: movedBranchesOf(context, record),
    allows: (dialog) => context.agentOf(record).choiceFor(dialog, 'allow'),
    remembers: (request) => suggestionsOf(record, request, context.agentOf(record)),
  });
}

/** One for each need; none for a worker that needs nobody. Pure. */
export function attentionOf(
  record: WorkerRecord,
  turn: TurnState | undefined,
  context: AttentionContext,
): readonly AttentionView[] {
  const branches = (context.movedBranches ?? []).map((one) => movedBranchAttention(record, one));
  if (record.phase === 'dead' || turn?.is === 'gone') return [deadAttention(record, turn), ...branches];
  const questions = turn?.questions ?? [];
  const moved = context.moved === undefined ? [] : [movedAttention(record, context.moved)];
  const asked = questions.map((question) => questionAttention(record, question));
  return [...needsOf(record, turn, context), ...asked, ...moved, ...branches];
}

function needsOf(
  record: WorkerRecord,
  turn: TurnState | undefined,
  context: AttentionContext,
): readonly AttentionView[] {
  if (turn?.is !== 'waiting' || turn.waitingFor === undefined) return [];
  const { requests } = turn;
  if (requests.length > 0) return requests.map((request) => requestAttention(record, { turn, request }, context));
  // It waits for a question of its own tool, which has a need of its own.
  if (turn.evidence.source === 'us') return [];
  // Everything it asked is answered, and it has not gone on yet.
  if (turn.evidence.source === 'agent' && turn.facts.asked.length > 0) return [];
  return [dialogAttention(record, turn, context)];
}

type Named = Pick<WorkerRecord, 'id' | 'name'>;

/** The fields that come first in every need. */
const headOf = ({ id, name }: Named, waitingFor: AttentionView['waiting_for'], at: number, requestId?: string) => ({
  session_id: id,
  name,
  waiting_for: waitingFor,
  ...defined({ request_id: requestId }),
  since: isoTime(at),
});

interface Asking {
  readonly turn: TurnState;
  readonly request: AgentRequest;
}

function requestAttention(record: WorkerRecord, { turn, request }: Asking, context: AttentionContext): AttentionView {
  const { waitingFor, tool, input, requestId, rule } = request;
  // A request without a file is answered on the screen, by the labels that the screen shows.
  const shown = requestId === undefined ? turn.dialog?.options : undefined;
  const options = shown ?? choicesOf(request) ?? turn.dialog?.options ?? [];
  const byPerson = `${request.personOnly ? 'Only a person may allow it, in the pane' : inPane}: ${context.attach}`;
  const path = requestId === undefined ? undefined : context.requestPath(requestId);
  const suggestions = requestId === undefined ? [] : context.remembers(request).map(cut);
  return {
    ...headOf(record, waitingFor, request.at, requestId),
    title: `${record.name} ${titles[waitingFor]}${waitingFor === 'permission' ? ` for ${tool}` : ''}`,
    detail: detailOf(request),
    tool: { name: tool, input: shortInput(input), cwd: record.projectPath, ...defined({ path }) },
    ...someOptions(options),
    ...defined({ rule, suggestions: suggestions.length === 0 ? undefined : suggestions }),
    answer_with:
      requestId === undefined
        ? dialogCall(record, request.personOnly ? undefined : turn.dialog, { byPerson, context })
        : answerCall(record, request, { byPerson, mayRemember: suggestions.length > 0 }),
  };
}

const someOptions = (options: readonly string[] = []) =>
  defined({ options: options.length === 0 ? undefined : options });

const dialogCall = (
  record: WorkerRecord,
  dialog: Dialog | undefined,
  { byPerson, context }: { readonly byPerson: string; readonly context: AttentionContext },
): string => answerDialogWith(record, dialog, { byPerson, allows: dialog && context.allows(dialog) });

const dialogWords = ({ title, text }: Dialog): string => [title, text].filter(Boolean).join('\n');

/** Of the request alone, so that it stays the same for as long as that is open. */
function detailOf(request: AgentRequest): string {
  const words = questionWords(request) ?? request.rule;
  if (words !== undefined) return words;
  // Its hook has no word of the plan.
  return request.waitingFor === 'plan_approval'
    ? 'wants to leave plan mode; the plan stands in its pane and in its log'
    : `asks for ${request.tool}`;
}

/** The call that answers, ready to be made, and after it the other decisions. */
function answerCall(
  { id }: WorkerRecord,
  request: AgentRequest,
  { byPerson, mayRemember }: { readonly byPerson: string; readonly mayRemember: boolean },
): string {
  const call = (rest: object) =>
    `answer_worker ${JSON.stringify({ session_id: id, request_id: request.requestId, ...rest })}`;
  if (request.personOnly) return `${call({ decision: 'deny' })} with a message for the model. Or: ${byPerson}`;
  const open = unanswered(request);
  if (open !== undefined) return `${call(open)}, filled in; "text" with a message gives words of your own`;
  if (request.waitingFor === 'question') return byPerson;
  const more = mayRemember ? '; remember takes a choice of suggestions' : '';
  return `${call({ decision: 'allow' })}, or "deny" with a message for the model${more}`;
}

function dialogAttention(record: WorkerRecord, turn: TurnState, context: AttentionContext): AttentionView {
  const { dialog, limit, since, evidence, waitingFor = 'dialog' } = turn;
  const byPerson = `${remedies[waitingFor] ?? inPane}: ${context.attach}`;
  return {
    ...headOf(record, waitingFor, since),
    title: `${record.name} ${titles[waitingFor]}`,
    detail: dialog === undefined ? evidence.detail : dialogWords(dialog),
    ...someOptions(dialog?.options),
    ...defined({ limit: limit && limitView(limit) }),
    answer_with:
      limit !== undefined && dialog === undefined
        ? goOnCall([record.id], limit)
        : dialogCall(record, dialog, { byPerson, context }),
  };
}

/** The worker's question to its manager, asked by its own tool. */
export function questionAttention(
  worker: Named,
  { requestId, at, text, options, waits }: WorkerQuestion,
): AttentionView {
  const call = JSON.stringify({ session_id: worker.id, request_id: requestId, ...toFillIn(options) });
  const others = options.length === 0 ? ', filled in' : ', filled in; "text" with a message gives words of your own';
  const late = waits ? '' : '. The worker went on without it: the answer is delivered as a message';
  return {
    ...headOf(worker, 'question', at, requestId),
    title: `${worker.name} asks: ${questionLine(text)}`,
    detail: text,
    ...someOptions(options),
    answer_with: `answer_worker ${call}${others}${late}`,
  };
}

const deadAttention = (record: WorkerRecord, turn: TurnState | undefined): AttentionView => ({
  ...headOf(record, 'dead', record.endedAt ?? turn?.since ?? record.createdAt),
  title: `${record.name} has died`,
  detail: record.endDetail ?? turn?.evidence.detail ?? 'its process is gone',
  answer_with: `restart_workers {"session_ids": ["${record.id}"]} goes on with the same conversation; close_workers removes it`,
});

const movedAttention = (record: WorkerRecord, { words, at }: MovedTree): AttentionView => ({
  ...headOf(record, 'dialog', at),
  title: `${record.name} works in a worktree whose links were changed`,
  detail: words,
  answer_with: `Nothing of it lands. close_workers {"session_ids": ["${record.id}"], "force": true} saves what it holds and removes it; restore_work brings that back`,
});

const movedBranchAttention = (record: WorkerRecord, { title, detail, call, at }: MovedBranch): AttentionView => ({
  ...headOf(record, 'ref_moved', at),
  title,
  detail,
  answer_with: `${agreesBy}${call}`,
});

const longestText = 1_500;
const mostItems = 20;
const deepest = 4;

/** The same input with its long texts and lists cut. */
export function shortInput(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return cut(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= deepest) return '…';
  if (Array.isArray(value)) return value.slice(0, mostItems).map((item) => shortInput(item, depth + 1));
  const entries = Object.entries(value).slice(0, mostItems);
  return Object.fromEntries(entries.map(([name, held]) => [name, shortInput(held, depth + 1)]));
}

function cut(text: string): string {
  if (text.length <= longestText) return text;
  const kept = text.slice(0, longestText).replace(/[\uD800-\uDBFF]$/, '');
  return `${kept}… [${text.length} characters in all]`;
}
