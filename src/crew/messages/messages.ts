// One message to several workers, and the wait for what it begins.
import { CrewError } from '../../model/errors.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { MessageOutcome, MessageResult } from '../../wire/messages.ts';
import type { CallContext, MessageRequest } from '../api.ts';
import { attentionFor } from '../attention/attention.ts';
import type { Told } from '../attention/told.ts';
import { waitIdle } from '../queries/wait.ts';
import type { CrewContext } from '../workers/roster.ts';
import { sendMessage } from './deliver.ts';

export async function messageWorkers(
  context: CrewContext,
  told: Told,
  request: MessageRequest,
  call: CallContext,
): Promise<MessageResult> {
  if (request.message.trim() === '') {
    throw new CrewError(
      'invalid_argument',
      'The message is empty.',
      'Say something, or use interrupt_workers to stop a worker.',
    );
  }
  const asked = request.session_ids.map((id) => ({ id, record: context.roster.resolve(id) }));
  const { message: text, delivery, as_command: asCommand } = request;
  const outcomes = await Promise.all(
    onceEach(asked).map(
      async ({ id, record }): Promise<[string, MessageOutcome]> => [
        id,
        await sendMessage(context, record, { text, delivery, asCommand }),
      ],
    ),
  );
  const results = Object.fromEntries(outcomes);
  const sent = {
    success: outcomes.every(([, outcome]) => outcome.success),
    session_ids: request.session_ids,
    results,
  };
  if (request.wait_mode === 'none') return sent;
  return { ...sent, ...(await waitFor(context, told, { request, results, call, mode: request.wait_mode })) };
}

/** The same worker named twice gets the message once. */
function onceEach<T extends { readonly record: WorkerRecord }>(asked: readonly T[]): readonly T[] {
  return asked.filter(({ record }, index) => asked.findIndex((other) => other.record.id === record.id) === index);
}

interface Waiting {
  readonly request: MessageRequest;
  readonly results: Readonly<Record<string, MessageOutcome>>;
  readonly call: CallContext;
  readonly mode: 'any' | 'all';
}

/** Waits for those that have the message; the rest has nothing to be waited for. */
async function waitFor(context: CrewContext, told: Told, { request, results, call, mode }: Waiting) {
  const having = Object.entries(results).flatMap(([id, outcome]) =>
    outcome.verdict === 'held' || outcome.verdict === 'failed' ? [] : [id],
  );
  const without = Object.keys(results).length - having.length;
  if (having.length === 0)
    return { idle_session_ids: [], all_idle: false, timed_out: false, ...attentionNow(context, told, request) };
  const waited = await waitIdle(
    context,
    told,
    { session_ids: having, mode, timeoutSeconds: request.timeoutSeconds, on_attention: request.on_attention },
    call,
  );
  return {
    idle_session_ids: waited.idle_session_ids,
    all_idle: waited.all_idle && without === 0,
    timed_out: waited.timed_out,
    attention: waited.attention,
    results: withEnds(context, results),
  };
}

function attentionNow(context: CrewContext, told: Told, request: MessageRequest): Pick<MessageResult, 'attention'> {
  const needs = request.session_ids.flatMap((id) => attentionFor(context, context.roster.resolve(id)));
  told.note(needs);
  return { attention: needs };
}

/** How the turn ended that a message began, where it has. */
function withEnds(
  context: CrewContext,
  results: Readonly<Record<string, MessageOutcome>>,
): Readonly<Record<string, MessageOutcome>> {
  return Object.fromEntries(
    Object.entries(results).map(([id, outcome]) => {
      const turn = context.roster.view(context.roster.resolve(id)).turn;
      if (outcome.turn === null || turn?.id !== outcome.turn.id || turn.ended_by === undefined) return [id, outcome];
      return [id, { ...outcome, turn: { id: turn.id, ended_by: turn.ended_by } }];
    }),
  );
}
