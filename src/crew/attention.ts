// What a worker needs of someone, in words and with the call that helps.
import { isoTime } from '../model/clock.ts';
import type { TurnState } from '../model/reduce-turn.ts';
import type { WaitingFor } from '../model/turn.ts';
import type { AttentionView, WorkerRecord } from '../model/worker.ts';

export interface AttentionContext {
  /** The command with which a person looks at the pane. */
  readonly attach: string;
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

/** Undefined for a worker that needs nobody. */
export function attentionOf(
  record: WorkerRecord,
  turn: TurnState | undefined,
  context: AttentionContext,
): AttentionView | undefined {
  if (record.phase === 'dead' || turn?.is === 'gone') return deadAttention(record, turn);
  if (turn?.is !== 'waiting' || turn.waitingFor === undefined) return undefined;
  const { waitingFor, request, dialog } = turn;
  return {
    session_id: record.id,
    name: record.name,
    waiting_for: waitingFor,
    since: isoTime(turn.since),
    title: `${record.name} ${titles[waitingFor]}${request === undefined ? '' : ` for ${request.tool}`}`,
    detail: dialog === undefined ? turn.evidence.detail : [dialog.title, dialog.text].filter(Boolean).join('\n'),
    ...(request === undefined ? {} : { tool: { name: request.tool, input: request.input, cwd: record.projectPath } }),
    ...(dialog === undefined || dialog.options.length === 0 ? {} : { options: dialog.options }),
    answer_with: `${remedies[waitingFor]}: ${context.attach}`,
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

/** Tells one need of one worker from the next. */
export const attentionKey = (attention: AttentionView): string =>
  `${attention.session_id} ${attention.waiting_for} ${attention.since}`;
