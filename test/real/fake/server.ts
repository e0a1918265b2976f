// A model API on 127.0.0.1 whose answers are written in the prompts, and which knows what was really asked.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { z } from 'zod';
import { messageOf } from '../../../src/model/errors.ts';
import { eventually } from '../../support/sandbox.ts';
import { bodySchema, conversationOf, cwdOf, kindOf, type Message, resultsOf, systemOf, textsOf } from './body.ts';
import { brokenStream, play, type Stage } from './play.ts';
import { cwdOf as cwdOfResponses, isTitle, messagesOf, responsesSchema, toldIn } from './responses-body.ts';
import { codexCalls, streamResponse } from './responses-stream.ts';
import { type Directive, locate } from './script.ts';
import { type Answer, gatherAnswer, sendJson, streamAnswer, wait } from './stream.ts';
import { toolCalls } from './tools.ts';

/** `closed`: the agent hung up. `cut`: broken off by script. Anything else is the stop reason. */
export type RequestEnd = string;

/** An HTTP status, a connection cut in the middle of the answer, or a usage limit until a time in epoch seconds. */
type Trouble = number | 'cut' | { readonly resetsAt: number };

/** One request as it arrived; `end` is set when the last byte of the answer has left. */
export interface ModelRequest {
  readonly seq: number;
  /** By `performance.now()`. */
  readonly at: number;
  readonly kind: 'turn' | 'side' | 'compact';
  readonly conversation: string;
  readonly cwd: string | undefined;
  /** The prompt being answered, byte for byte. */
  readonly prompt: string;
  /** Every text of every user message, byte for byte. */
  readonly texts: readonly string[];
  /** What the tools of the round before answered. */
  readonly results: readonly string[];
  readonly rounds: number;
  readonly model: string;
  /** What the CLI itself tells the model. */
  readonly told: readonly string[];
  /** The tools that the model may call at once; of Claude Code alone. */
  readonly tools: readonly string[];
  end: { readonly at: number; readonly how: RequestEnd } | undefined;
}

export interface FakeModel {
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  /** Resolves with the first request `is` accepts, also one that came before. */
  waitFor(what: string, is: (request: ModelRequest) => boolean, ceilingMs?: number): Promise<ModelRequest>;
  /** Lets answers that stand at `HOLD name` go on, now and later. */
  release(name: string): void;
  /** Whether an answer to this conversation is under way, or its tool call is out. */
  isBusy(conversation: string): boolean;
  /** Cuts every connection and takes no more until `online`. */
  offline(): Promise<void>;
  online(): Promise<void>;
  close(): Promise<void>;
}

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

interface State {
  readonly requests: ModelRequest[];
  readonly released: Set<string>;
  readonly troublesLeft: Map<string, number>;
}

export async function startFakeModel(): Promise<FakeModel> {
  const state: State = { requests: [], released: new Set(), troublesLeft: new Map() };
  const server = createServer((req, res) => {
    readAll(req)
      .then((text) => answer(state, req, res, text))
      .catch((error: unknown) => (res.headersSent ? res.destroy() : sendError(res, 500, messageOf(error))));
  });
  await listen(server, 0);
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    requests: state.requests,
    waitFor: (what, is, ceilingMs) =>
      eventually(`the model is asked: ${what}`, () => state.requests.find(is), ceilingMs),
    release: (name) => state.released.add(name),
    isBusy: (conversation) => isBusy(state.requests, conversation),
    offline: () => shut(server),
    online: () => listen(server, port),
    close: () => shut(server),
  };
}

const listen = (server: Server, port: number) =>
  new Promise<void>((resolve) => (server.listening ? resolve() : server.listen(port, '127.0.0.1', resolve)));

const shut = (server: Server) =>
  new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

function isBusy(requests: readonly ModelRequest[], conversation: string): boolean {
  const mine = requests.filter((r) => r.conversation === conversation && r.kind === 'turn');
  return mine.some((r) => r.end === undefined) || mine.at(-1)?.end?.how === 'tool_use';
}

async function answer(state: State, req: IncomingMessage, res: ServerResponse, text: string): Promise<void> {
  const path = new URL(req.url ?? '/', 'http://127.0.0.1').pathname;
  if (req.method === 'POST' && path === '/v1/messages') return answerMessages(state, res, JSON.parse(text));
  if (req.method === 'POST' && path === '/v1/responses') return answerResponses(state, res, JSON.parse(text));
  if (path === '/v1/messages/count_tokens') return sendJson(res, 200, { input_tokens: Math.ceil(text.length / 4) });
  if (path === '/v1/models') return sendJson(res, 200, { data: [], has_more: false });
  if (req.method === 'HEAD' || path === '/') return sendJson(res, 200, {});
  sendError(res, 404, `The fake model has no ${path}`);
}

async function answerMessages(state: State, res: ServerResponse, json: unknown): Promise<void> {
  const body = bodySchema.parse(json);
  const { messages, model } = body;
  const from = {
    kind: kindOf(body),
    conversation: conversationOf(body),
    cwd: cwdOf(body),
    model,
    told: systemOf(body),
    tools: body.tools.map(({ name }) => name),
  };
  return reply(state, res, {
    messages,
    from,
    wantsJson: body.output_config?.format !== undefined,
    open: body.stream ? streamAnswer : gatherAnswer,
    limit: sendLimit,
    calls: toolCalls,
  });
}

async function answerResponses(state: State, res: ServerResponse, json: unknown): Promise<void> {
  const body = responsesSchema.parse(json);
  const { model, prompt_cache_key: conversation } = body;
  const isTurn = !isTitle(body);
  const kind = isTurn ? 'turn' : 'side';
  return reply(state, res, {
    messages: messagesOf(body),
    from: { kind, conversation, cwd: cwdOfResponses(body), model, told: toldIn(body), tools: [] },
    wantsJson: !isTurn,
    open: streamResponse,
    limit: sendResponsesLimit,
    calls: codexCalls,
  });
}

interface Asked {
  readonly messages: readonly Message[];
  readonly from: Pick<ModelRequest, 'kind' | 'conversation' | 'cwd' | 'model' | 'told' | 'tools'>;
  readonly wantsJson: boolean;
  readonly open: (res: ServerResponse, head: { model: string; inputTokens: number; cachedTokens: number }) => Answer;
  readonly limit: (res: ServerResponse, resetsAt: number) => void;
  readonly calls: Stage['calls'];
}

async function reply(state: State, res: ServerResponse, { messages, from, wantsJson, open, limit, calls }: Asked) {
  const located = locate(messages);
  const request: ModelRequest = {
    ...from,
    seq: state.requests.length + 1,
    at: performance.now(),
    prompt: located.text,
    texts: messages.flatMap((m) => (m.role === 'user' ? textsOf(m) : [])),
    results: messages.slice(located.at + 1).flatMap(resultsOf),
    rounds: located.rounds,
    end: undefined,
  };
  state.requests.push(request);
  const end = (how: RequestEnd) => {
    request.end ??= { at: performance.now(), how };
  };
  res.on('close', () => end('closed'));
  const trouble = troubleDue(state, request, located.due[0]);
  if (typeof trouble === 'number') {
    end(`status ${trouble}`);
    return sendError(res, trouble, `scripted ${trouble}`);
  }
  if (typeof trouble === 'object') {
    end('limit');
    return limit(res, trouble.resetsAt);
  }
  if (located.due[0]?.word === 'HANG' && request.kind === 'turn') return;
  const [input, cached] = located.due.find((d) => d.word === 'USAGE')?.rest.split(/\s+/) ?? [];
  const answer = open(res, {
    model: request.model,
    inputTokens: Number(input) || 100,
    cachedTokens: Number(cached) || 0,
  });
  if (trouble === 'cut') return cutOff(answer, end);
  const stage = { cwd: request.cwd, calls, held: (name: string, on: Answer) => held(state, name, on) };
  const stop =
    request.kind === 'turn' ? await play(answer, located, stage) : await sayAside(answer, request, wantsJson);
  end(answer.isClosed() ? 'closed' : stop);
  if (stop !== brokenStream) answer.finish(stop);
}

async function cutOff(reply: Answer, end: (how: RequestEnd) => void): Promise<void> {
  await reply.say('partial text before the cut');
  end('cut');
  reply.breakOff('cut');
}

async function sayAside(reply: Answer, request: ModelRequest, wantsJson: boolean): Promise<string> {
  const summary = '<analysis>scripted</analysis>\n<summary>\n1. Primary Request: scripted conversation.\n</summary>';
  const aside = wantsJson ? '{"title":"Scripted title","isNewTopic":true}' : 'Scripted side answer';
  await reply.say(request.kind === 'compact' ? summary : aside);
  return 'end_turn';
}

/**
 * What goes wrong before the first byte, as long as the prompt's `FAIL status [times]`, `CUT [times]` or
 * `LIMIT seconds [times]` (a usage limit for that long from now) has times left.
 */
function troubleDue(state: State, request: ModelRequest, first?: Directive): Trouble | undefined {
  const trouble = request.kind === 'turn' && first !== undefined ? troubleIn(first) : undefined;
  if (trouble === undefined) return undefined;
  const key = `${request.conversation}:${request.prompt}`;
  const left = state.troublesLeft.get(key) ?? trouble.times;
  state.troublesLeft.set(key, left - 1);
  return left > 0 ? trouble.is : undefined;
}

function troubleIn({ word, rest }: Directive): { readonly is: Trouble; readonly times: number } | undefined {
  const [first, second] = rest.split(/\s+/);
  const timesOf = (told: string | undefined) => Number(told || Number.POSITIVE_INFINITY);
  switch (word) {
    case 'FAIL':
      return { is: Number(first), times: timesOf(second) };
    case 'CUT':
      return { is: 'cut', times: timesOf(first) };
    case 'LIMIT':
      return { is: { resetsAt: Math.round(Date.now() / 1_000 + Number(first)) }, times: timesOf(second) };
    default:
      return undefined;
  }
}

async function held(state: State, name: string, reply: Answer): Promise<void> {
  while (!state.released.has(name) && !reply.isClosed()) {
    reply.ping();
    await wait(10);
  }
}

function sendError(res: ServerResponse, status: number, message: string): void {
  sendJson(res, status, { type: 'error', error: { type: errorTypes[status] ?? 'api_error', message } });
}

/** As an account with a subscription is told. */
function sendLimit(res: ServerResponse, resetsAt: number): void {
  res.setHeader('anthropic-ratelimit-unified-status', 'rejected');
  res.setHeader('anthropic-ratelimit-unified-representative-claim', 'five_hour');
  res.setHeader('anthropic-ratelimit-unified-reset', String(resetsAt));
  res.setHeader('x-should-retry', 'false');
  sendError(res, 429, "This request would exceed your account's rate limit. Please try again later.");
}

function sendResponsesLimit(res: ServerResponse, resetsAt: number): void {
  res.setHeader('x-codex-primary-used-percent', '100');
  res.setHeader('x-codex-primary-window-minutes', '300');
  res.setHeader('x-codex-primary-reset-at', String(resetsAt));
  const error = { type: 'usage_limit_reached', message: 'The usage limit has been reached', resets_at: resetsAt };
  sendJson(res, 429, { error: { ...error, plan_type: 'plus' } });
}

async function readAll(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
