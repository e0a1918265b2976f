// The needs of a worker: a request, a question, a dialog or its death, in words and with the call that helps.

import type { Agent } from '../../agents/agent.ts';
import type { Act } from '../../model/act.ts';
import { isoTime } from '../../model/clock.ts';
import { defined } from '../../model/defined.ts';
import { oneLine } from '../../model/plain-text.ts';
import type { Dialog, WaitingFor } from '../../model/turn.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { launchPlace } from '../../store/launch-place.ts';
import { requestPath } from '../../store/requests.ts';
import type { AgentRequest } from '../../turn/agent-request.ts';
import type { TurnState } from '../../turn/reduce-turn.ts';
import { questionLine, type WorkerQuestion } from '../../turn/worker-question.ts';
import { type AttentionView, withHint } from '../../wire/attention.ts';
import { dialogCalls } from '../screen/dialog-choice.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import { whyStopped } from '../workers/failures.ts';
import type { MovedTree } from '../workers/last-word.ts';
import { type MovedBranch, movedBranchesOf } from '../workers/moved-branches.ts';
import { limitView } from '../workers/view.ts';
import { dialogHint, goOnCall, goOnWhen, hookCalls, orAttach, requestHint, screenCalls } from './answer-calls.ts';
import { type BoundNeed, boundNeeds } from './bounds.ts';
import { suggestionsOf } from './remember-words.ts';
import { choicesOf, questionsOf } from './request-answer.ts';
import {
  cut,
  detailOf,
  dialogWords,
  type RequestedAct,
  shortInput,
  titleOf,
  wantedBy,
  wantedInDialog,
} from './request-words.ts';

interface AttentionContext {
  readonly now: number;
  /** The command with which a person looks at the pane. */
  readonly attach: string;
  /** The file that holds the whole request. */
  readonly requestPath: (requestId: string) => string;
  readonly choiceFor: Agent['choiceFor'];
  readonly actOf: (request: AgentRequest) => Act;
  /** What the request would do to a file, in lines. */
  readonly changeOf: (request: AgentRequest) => string | undefined;
  /** A line for each choice of `remember` that the request offers. */
  readonly remembers: (request: AgentRequest) => readonly string[];
  /** The links of its worktree that lead elsewhere. */
  readonly moved: MovedTree | undefined;
  /** Branches that it may have moved, and that it stands for. */
  readonly movedBranches?: readonly MovedBranch[];
  /** Why nobody starts it again unless it is named. */
  readonly stopped?: string | undefined;
  /** Bounds that keep it from a new turn. */
  readonly bounds?: readonly BoundNeed[];
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

const inPane = 'A person answers it in the pane.';
const byPerson: Readonly<Partial<Record<WaitingFor, string>>> = {
  trust: 'Only a person can trust it: in the pane, or once for the main repository in an agent session of their own.',
  login: 'Only a person can log the agent in: in the pane, or in an agent session of their own.',
};

/** Everything for which a worker needs somebody now, most pressing first. */
export function attentionFor(context: CrewContext, record: WorkerRecord): readonly AttentionView[] {
  const { roster } = context;
  const { id, phase, closing } = record;
  if (phase === 'closed' || closing === true || roster.closing.has(id) || roster.returning.has(id)) return [];
  const { workerDir } = launchPlace(record.launch.dir);
  const agent = context.agents.of(record);
  return attentionOf(record, roster.turn(record.id), {
    attach: record.pane === undefined ? 'crewmux attach' : roster.attach(record.pane),
    requestPath: (id) => requestPath(workerDir, id),
    moved: roster.movedTrees.get(record.id),
    movedBranches: movedBranchesOf(context, record),
    bounds: boundNeeds(context, record),
    stopped: roster.lives(record) ? undefined : whyStopped(context, record),
    now: context.clock.now(),
    choiceFor: agent.choiceFor,
    actOf: ({ tool, input }) => agent.actOf(tool, input, record.projectPath),
    changeOf: ({ tool, input }) => agent.permissionHook?.changeOf(tool, input),
    remembers: (request) => suggestionsOf(record, request, agent),
  });
}

/** One for each need; none for a worker that needs nobody. Pure. */
export function attentionOf(
  record: WorkerRecord,
  turn: TurnState | undefined,
  context: AttentionContext,
): readonly AttentionView[] {
  const branches = (context.movedBranches ?? []).map((one) => movedBranchAttention(record, one));
  if (record.phase === 'dead' || turn?.is === 'gone') return [deadAttention(record, turn, context), ...branches];
  const questions = turn?.questions ?? [];
  const moved = context.moved === undefined ? [] : [movedAttention(record, context.moved)];
  const asked = questions.map((question) => questionAttention(record, question));
  const bounds = (context.bounds ?? []).map((one) => boundAttention(record, one));
  return [...needsOf(record, turn, context), ...asked, ...bounds, ...moved, ...branches];
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
  return isBeingRead(turn, context) ? [] : [dialogAttention(record, turn, context)];
}

// A dialog is looked for no longer, see `dialog-watch.ts`.
const dialogLookMs = 4_000;

/** For as long as its dialog is looked for, nobody could say what it asks. */
const isBeingRead = ({ dialog, evidence }: TurnState, { now }: AttentionContext): boolean =>
  dialog === undefined && evidence.source === 'agent' && now - evidence.at < dialogLookMs;

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

function requestAttention(record: WorkerRecord, asking: Asking, context: AttentionContext): AttentionView {
  const { turn, request } = asking;
  const { waitingFor, tool, input, requestId, rule } = request;
  // A request without a file is answered on the screen, by the labels that the screen shows.
  const shown = requestId === undefined ? turn.dialog?.options : undefined;
  const options = shown ?? choicesOf(request) ?? turn.dialog?.options ?? [];
  const path = requestId === undefined ? undefined : context.requestPath(requestId);
  const suggestions = requestId === undefined ? [] : context.remembers(request).map(cut);
  const wanted = waitingFor === 'permission' ? wantedBy(context.actOf(request), input) : undefined;
  const [question] = questionsOf(request);
  return {
    ...headOf(record, waitingFor, request.at, requestId),
    title: titleOf(record.name, wanted ?? said(question === undefined ? titles[waitingFor] : `asks: ${question.text}`)),
    detail: withHint(
      detailOf(request, { wanted, name: record.name, change: context.changeOf(request) }),
      requestHint(request),
    ),
    tool: { name: tool, input: shortInput(input), cwd: record.projectPath, ...defined({ path }) },
    ...someOptions(options),
    ...defined({ rule, suggestions: suggestions.length === 0 ? undefined : suggestions }),
    answer_with: requestId === undefined ? screenCalls(record, asking, context) : hookCalls(record, request, context),
  };
}

const someOptions = (options: readonly string[] = []) =>
  defined({ options: options.length === 0 ? undefined : options });

const said = (what: string): RequestedAct => ({ verb: '', what: oneLine(what), keeps: 'begin' });

function dialogAttention(record: WorkerRecord, turn: TurnState, context: AttentionContext): AttentionView {
  const { dialog, limit, since, evidence, waitingFor = 'dialog' } = turn;
  const calls = dialogCalls(record, dialog, context.choiceFor);
  const goesOn = limit !== undefined && dialog === undefined;
  const way = goesOn ? goOnWhen(limit) : calls.length === 0 ? (byPerson[waitingFor] ?? inPane) : '';
  const detail = [dialog === undefined ? evidence.detail : dialogWords(dialog), way].filter((part) => part !== '');
  return {
    ...headOf(record, waitingFor, since),
    title: titleOf(record.name, wantedOn(record, waitingFor, dialog)),
    detail: withHint(detail.join('\n'), calls.length === 0 ? undefined : dialogHint(dialog, context.choiceFor)),
    ...someOptions(dialog?.options),
    ...defined({ limit: limit && limitView(limit) }),
    answer_with: goesOn ? [goOnCall([record.id])] : orAttach(calls, context.attach),
  };
}

function wantedOn({ projectPath }: WorkerRecord, waitingFor: WaitingFor, dialog: Dialog | undefined): RequestedAct {
  if (waitingFor !== 'permission' || dialog === undefined) return said(titles[waitingFor]);
  const { about } = dialog;
  return about === undefined ? said(`asks permission: ${dialogWords(dialog)}`) : wantedInDialog(about, projectPath);
}

/** The worker's question to its manager, asked by its own tool. */
export function questionAttention(
  worker: Named,
  { requestId, at, text, options, waits }: WorkerQuestion,
): AttentionView {
  const late = waits ? '' : 'The worker went on without it: the answer is delivered as a message.';
  const choose = (option: string) => ({ session_id: worker.id, request_id: requestId, decision: 'choose', option });
  return {
    ...headOf(worker, 'question', at, requestId),
    title: titleOf(worker.name, said(`asks: ${questionLine(text)}`)),
    detail: withHint([text, late].filter((part) => part !== '').join('\n'), 'free'),
    ...someOptions(options),
    answer_with: options.map((option) => `answer_worker ${JSON.stringify(choose(option))}`),
  };
}

const boundAttention = (record: WorkerRecord, { requestId, words, at, ...need }: BoundNeed): AttentionView => ({
  ...headOf(record, 'limit', at, requestId),
  title: `${record.name} ${words}`,
  ...need,
});

const deadAttention = (
  record: WorkerRecord,
  turn: TurnState | undefined,
  { stopped }: Pick<AttentionContext, 'stopped'>,
): AttentionView => ({
  ...headOf(record, 'dead', record.endedAt ?? turn?.since ?? record.createdAt),
  title: `${record.name} has died`,
  detail: [
    record.endDetail ?? turn?.evidence.detail ?? 'its process is gone',
    ...(stopped === undefined ? [] : [`${stopped}, so crewmux starts it again only by its name`]),
  ].join('; '),
  answer_with: ['restart_workers', 'close_workers'].map((tool) => `${tool} {"session_ids": ["${record.id}"]}`),
});

const movedAttention = (record: WorkerRecord, { words, at }: MovedTree): AttentionView => ({
  ...headOf(record, 'dialog', at),
  title: `${record.name} works in a worktree whose links were changed`,
  detail: `${words}\nNothing of it lands. To close it saves what it holds.`,
  answer_with: [`close_workers {"session_ids": ["${record.id}"], "force": true}`],
});

const movedBranchAttention = (record: WorkerRecord, { title, detail, call, at }: MovedBranch): AttentionView => ({
  ...headOf(record, 'ref_moved', at),
  title,
  detail,
  answer_with: [call],
});
