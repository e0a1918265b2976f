// One model answer: written as server-sent events while it is made, or gathered into one JSON.
import type { ServerResponse } from 'node:http';
import { newNonce } from '../../../src/model/ids.ts';
import type { ToolCall } from './tools.ts';

export interface Answer {
  /** The client went away. */
  isClosed(): boolean;
  /** Tells the client that the answer is still coming. */
  ping(): void;
  say(text: string, pace?: { readonly chunk: number; readonly gapMs: number }): Promise<void>;
  think(text: string): void;
  call(call: ToolCall): void;
  finish(stopReason: string): void;
  /** Breaks off in the middle: the connection itself, or with an error event. */
  breakOff(how: 'cut' | 'error'): void;
}

const freshId = (prefix: string) => `${prefix}${newNonce()}${newNonce()}${newNonce()}`;
export const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

interface Head {
  readonly model: string;
  readonly inputTokens: number;
}

const envelope = (head: Head, content: readonly unknown[], stopReason: string | null) => ({
  id: freshId('msg_01'),
  type: 'message',
  role: 'assistant',
  model: head.model,
  content,
  stop_reason: stopReason,
  stop_sequence: null,
  usage: {
    input_tokens: head.inputTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: stopReason === null ? 1 : 12,
  },
});

export function streamAnswer(res: ServerResponse, head: Head): Answer {
  const event = (type: string, data: object) => {
    if (!res.destroyed) res.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  };
  let blocks = 0;
  const block = (start: object, deltas: readonly object[]) => {
    const index = blocks++;
    event('content_block_start', { index, content_block: start });
    for (const delta of deltas) event('content_block_delta', { index, delta });
    event('content_block_stop', { index });
  };
  res.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': freshId('req_') });
  event('message_start', { message: envelope(head, [], null) });
  return {
    isClosed: () => res.destroyed,
    ping: () => event('ping', {}),
    async say(text, pace = { chunk: 40, gapMs: 0 }) {
      const index = blocks++;
      event('content_block_start', { index, content_block: { type: 'text', text: '' } });
      for (let i = 0; i < text.length && !res.destroyed; i += pace.chunk) {
        event('content_block_delta', { index, delta: { type: 'text_delta', text: text.slice(i, i + pace.chunk) } });
        if (pace.gapMs > 0) await wait(pace.gapMs);
      }
      event('content_block_stop', { index });
    },
    think: (text) =>
      block({ type: 'thinking', thinking: '', signature: '' }, [
        { type: 'thinking_delta', thinking: text },
        { type: 'signature_delta', signature: 'ZmFrZQ==' },
      ]),
    call: ({ name, input }) =>
      block({ type: 'tool_use', id: freshId('toolu_01'), name, input: {} }, [
        { type: 'input_json_delta', partial_json: JSON.stringify(input) },
      ]),
    finish(stopReason) {
      event('message_delta', { delta: { stop_reason: stopReason, stop_sequence: null }, usage: { output_tokens: 12 } });
      event('message_stop', {});
      res.end();
    },
    breakOff(how) {
      if (how === 'cut') res.destroy();
      event('error', { error: { type: 'overloaded_error', message: 'scripted stream overload' } });
      res.end();
    },
  };
}

export function gatherAnswer(res: ServerResponse, head: Head): Answer {
  const content: object[] = [];
  return {
    isClosed: () => res.destroyed,
    ping: () => {},
    say: async (text) => {
      content.push({ type: 'text', text });
    },
    think: () => {},
    call: ({ name, input }) => content.push({ type: 'tool_use', id: freshId('toolu_01'), name, input }),
    finish: (stopReason) => sendJson(res, 200, envelope(head, content, stopReason)),
    breakOff: () => res.destroy(),
  };
}

export function sendJson(res: ServerResponse, status: number, value: unknown): void {
  res.writeHead(status, { 'content-type': 'application/json', 'request-id': freshId('req_') });
  res.end(JSON.stringify(value));
}
