// One answer of the Responses API, and the calls Codex's model would make.
import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { newNonce } from '../../../src/model/ids.ts';
import type { Directive } from './script.ts';
import type { Answer } from './stream.ts';
import { wait } from './stream.ts';
import { type ToolCall, unescapeText } from './tools.ts';

const freshId = (prefix: string) => `${prefix}_${newNonce()}${newNonce()}${newNonce()}`;

/** The longest that Codex waits for a command before it leaves it running behind the turn. */
const untilEndMs = 30_000;

/** What a directive asks Codex to do. */
export function codexCalls({ word, rest }: Directive): ToolCall[] {
  const cmd = unescapeText(rest);
  switch (word) {
    case 'BASH':
      return [{ name: 'exec_command', input: { cmd, yield_time_ms: untilEndMs } }];
    case 'LEAVE':
      return [{ name: 'exec_command', input: { cmd, yield_time_ms: 500 } }];
    case 'ESCALATE':
      return [
        {
          name: 'exec_command',
          input: {
            cmd,
            yield_time_ms: untilEndMs,
            sandbox_permissions: 'require_escalated',
            justification: 'scripted',
          },
        },
      ];
    case 'PATCH': {
      const [path = '', ...content] = cmd.split('|');
      const lines = content
        .join('|')
        .split('\n')
        .map((line) => `+${line}`);
      const patch = ['*** Begin Patch', `*** Add File: ${path.trim()}`, ...lines, '*** End Patch'].join('\n');
      return [{ name: 'apply_patch', input: { patch } }];
    }
    case 'TOOL': {
      const [, name = '', input = '{}'] = /^(\S+)\s*(.*)$/s.exec(rest) ?? [];
      return [{ name, input: anyInput.parse(JSON.parse(input)) }];
    }
    default:
      return [];
  }
}

const anyInput = z.record(z.string(), z.unknown());

function callItem({ name, input }: ToolCall) {
  const call_id = freshId('call');
  if (name === 'apply_patch') {
    return { type: 'custom_tool_call', id: freshId('ctc'), call_id, name, input: input.patch };
  }
  if (name === 'tool_search') {
    const call = { type: 'tool_search_call', id: freshId('tsc'), call_id };
    return { ...call, status: 'completed', execution: 'client', arguments: input };
  }
  return { type: 'function_call', id: freshId('fc'), call_id, ...named(name), arguments: JSON.stringify(input) };
}

/** A tool of a server is written `server/tool`. */
function named(name: string) {
  const [namespace, tool] = name.split('/');
  return tool === undefined ? { name } : { namespace, name: tool };
}

export function streamResponse(
  res: ServerResponse,
  { model, inputTokens, cachedTokens }: { model: string; inputTokens: number; cachedTokens: number },
): Answer {
  const output: object[] = [];
  let said = 0;
  const response = { id: freshId('resp'), object: 'response', created_at: 0, status: 'in_progress', model, output };
  const event = (type: string, data: object) => {
    if (!res.destroyed) res.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  };
  const done = (item: object) => {
    event('response.output_item.done', { output_index: output.length, item });
    output.push(item);
  };
  res.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': freshId('req') });
  event('response.created', { response });
  return {
    isClosed: () => res.destroyed,
    ping: () => void res.write(': waiting\n\n'),
    async say(text, pace = { chunk: 400, gapMs: 0 }) {
      const item = { type: 'message', id: freshId('msg'), role: 'assistant', content: [] as const };
      event('response.output_item.added', { output_index: output.length, item });
      for (let i = 0; i < text.length && !res.destroyed; i += pace.chunk) {
        const delta = text.slice(i, i + pace.chunk);
        event('response.output_text.delta', { item_id: item.id, output_index: output.length, content_index: 0, delta });
        if (pace.gapMs > 0) await wait(pace.gapMs);
      }
      said += text.length;
      done({ ...item, content: [{ type: 'output_text', text, annotations: [] }] });
    },
    think: () => {},
    call: (call) => done(callItem(call)),
    finish() {
      const outputTokens = 12 + Math.ceil(said / 1_000);
      const usage = {
        input_tokens: inputTokens,
        input_tokens_details: { cached_tokens: cachedTokens },
        output_tokens: outputTokens,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: inputTokens + outputTokens,
      };
      event('response.completed', { response: { ...response, status: 'completed', usage } });
      res.end();
    },
    breakOff(how) {
      if (how === 'cut') return void res.destroy();
      const error = { code: 'context_length_exceeded', message: 'scripted stream failure' };
      event('response.failed', { response: { ...response, status: 'failed', error } });
      res.end();
    },
  };
}
