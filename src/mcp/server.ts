// The MCP server: speaks the protocol, lists the tools, and calls them.
import type { Readable, Writable } from 'node:stream';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  type CompleteRequest,
  CompleteRequestSchema,
  ElicitResultSchema,
  GetPromptRequestSchema,
  JSONRPCMessageSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  RootsListChangedNotificationSchema,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { defined } from '../model/defined.ts';
import { pause } from '../system/clock.ts';
import type { Log } from '../system/log.ts';
import type { Call } from '../tools/tool.ts';
import { orRefusal } from './explained.ts';
import { openWire, type Wire } from './lines.ts';
import { type Id, parseMessage, rpcCodes } from './message.ts';
import type { ClientDoor, Resources, ServerProfile, Subject } from './profile.ts';
import { completePrompt, getPrompt, listPrompts, type PromptSource } from './prompts.ts';
import { type Roots, watchRoots } from './roots.ts';

export interface ServerOptions<S extends Subject> {
  readonly version: string;
  readonly input: Readable;
  readonly output: Writable;
  readonly log: Log;
  readonly profile: ServerProfile<S>;
  /** Opens the subject at its first call, and returns the same subject afterwards. */
  readonly open: () => Promise<S>;
  /** Runs once the handshake is complete. */
  readonly onGreeting: () => void;
  /** Runs when the client has been told the tools. */
  readonly onListed?: () => void;
  /** Runs when the client closes its output. */
  readonly onEnd: () => void;
}

export interface RunningServer {
  /** Resolves when no call is under way. */
  settled(): Promise<void>;
  /** Aborts the calls under way and reads no more. */
  close(): Promise<void>;
}

/** Opening takes the processor for a while, and a client that has said hello goes on to list the tools. */
const listPatienceMs = 500;

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** Serves MCP on two streams; resolves once it listens. */
export async function serve<S extends Subject>(options: ServerOptions<S>): Promise<RunningServer> {
  const { log, profile } = options;
  const server = makeServer(options, await profile.instructions());
  const gone = new AbortController();
  const open = attended(options, () => ({ signal: gone.signal, log, ...doorOf(server) }));
  const roots = watchRoots(() => listRoots(server));
  const active = new Set<Promise<unknown>>();
  let listed: () => void = () => undefined;
  const isListed = new Promise<void>((resolve) => {
    listed = resolve;
  });
  server.onerror = (error) => log.write('debug', `protocol: ${error.message}`);
  server.oninitialized = () => {
    options.onGreeting();
    if (server.getClientCapabilities()?.roots !== undefined) roots.refresh();
    rested = Promise.race([isListed, pause(listPatienceMs)]);
    rested.then(open).catch((thrown) => log.write('error', 'the crew could not be opened', thrown));
  };
  let rested = Promise.resolve();
  server.setNotificationHandler(RootsListChangedNotificationSchema, () => roots.refresh());
  server.setRequestHandler(ListToolsRequestSchema, async () => {
    const tools = await profile.listTools();
    listed();
    options.onListed?.();
    return { tools: [...tools] };
  });
  const context = (extra: Extra) => contextOf(extra, { server, roots, longestCallMs: profile.longestCallMs });
  const { resources, prompts } = profile;
  const openLater = () => rested.then(open);
  if (resources !== undefined) serveResources(server, { resources, open: openLater, context, log });
  if (prompts !== undefined) servePrompts(server, prompts, log);
  if (resources !== undefined || prompts !== undefined) serveCompletions(server, { profile, open: openLater, log });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const call = Promise.all([profile.toolbox(), context(extra)]).then(([{ callTool }, context]) =>
      callTool({ name: params.name, args: params.arguments, context }, { open, log }),
    );
    active.add(call);
    const outcome = await call.finally(() => active.delete(call));
    if ('errorText' in outcome) return { isError: true, content: [{ type: 'text', text: outcome.errorText }] };
    return { content: [{ type: 'text', text: outcome.answer.text }], structuredContent: outcome.answer.structured };
  });
  await server.connect(transportOf(options));
  return {
    settled: () => Promise.allSettled(active).then(() => undefined),
    close() {
      gone.abort();
      return server.close();
    },
  };
}

const makeServer = <S extends Subject>({ version, profile }: ServerOptions<S>, instructions: string) =>
  new Server(
    { name: profile.name, title: profile.name, version },
    {
      capabilities: {
        tools: {},
        ...(profile.resources === undefined ? {} : { resources: { listChanged: true }, completions: {} }),
        ...(profile.prompts === undefined ? {} : { prompts: {}, completions: {} }),
      },
      instructions,
      // The default validator loads a schema compiler that nothing here uses.
      jsonSchemaValidator: { getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'not used' }) },
    },
  );

/** Opens the subject, and at its first opening lets the profile attend to the client. */
function attended<S extends Subject>(
  { open, profile, log }: ServerOptions<S>,
  client: () => ClientDoor,
): () => Promise<S> {
  let isAttended = false;
  return async () => {
    const subject = await open();
    if (!isAttended) {
      const attending = profile.attend?.(subject, client());
      attending?.catch((thrown) => log.write('error', 'the client is not attended to', thrown));
    }
    isAttended = true;
    return subject;
  };
}

/** A person takes the time that it takes: this is the longest that a timer can be. */
const personMs = 2 ** 31 - 1;

function doorOf(server: Server): Pick<ClientDoor, 'resourcesChanged' | 'elicit'> {
  const resourcesChanged = () => void server.sendResourceListChanged().catch(() => undefined);
  if (server.getClientCapabilities()?.elicitation?.form === undefined) return { resourcesChanged };
  // A client made with this SDK cannot be told that the request with the id 0 is over; so that is none of the forms.
  server.ping().catch(() => undefined);
  return {
    resourcesChanged,
    elicit(form, signal) {
      const request = { method: 'elicitation/create', params: { mode: 'form', ...form } };
      return server.request(request, ElicitResultSchema, { signal, timeout: personMs });
    },
  };
}

interface Shelf<S> {
  readonly resources: () => Promise<Resources<S>>;
  readonly open: () => Promise<S>;
  readonly context: (extra: Extra) => Promise<Call>;
  readonly log: Log;
}

function serveResources<S>(server: Server, { resources, open, context, log }: Shelf<S>): void {
  server.setRequestHandler(ListResourcesRequestSchema, () =>
    orRefusal({ what: 'resources/list', log }, async () => ({
      resources: [...(await (await resources()).list(open))],
    })),
  );
  server.setRequestHandler(ListResourceTemplatesRequestSchema, async () => ({
    resourceTemplates: [...(await resources()).templates],
  }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }, extra) =>
    orRefusal({ what: uri, log }, async () => {
      const { read } = await resources();
      return { contents: [await read(uri, { open, context: await context(extra) })] };
    }),
  );
}

function servePrompts(server: Server, prompts: Pick<PromptSource<never>, 'skills'>, log: Log): void {
  server.setRequestHandler(ListPromptsRequestSchema, async () => ({ prompts: await listPrompts(prompts) }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params: { name, arguments: words } }) =>
    orRefusal({ what: `prompts/get ${name}`, log, code: rpcCodes.invalidParams }, () =>
      getPrompt(prompts, name, words),
    ),
  );
}

/** The protocol takes no more. */
const mostCompletions = 100;

type Completing<S extends Subject> = Pick<ServerOptions<S>, 'profile' | 'open' | 'log'>;

/** Completes what stands in an address, or behind a prompt. */
function serveCompletions<S extends Subject>(server: Server, { profile, open, log }: Completing<S>): void {
  const { resources, prompts } = profile;
  const valuesOf = async ({ ref, argument }: CompleteRequest['params']): Promise<readonly string[]> => {
    if (ref.type === 'ref/resource') return (await resources?.())?.complete(ref.uri, argument, open) ?? [];
    const asked = { argument: argument.name, begun: argument.value, open };
    return prompts === undefined ? [] : completePrompt(prompts, asked);
  };
  server.setRequestHandler(CompleteRequestSchema, ({ params }) =>
    orRefusal({ what: 'completion/complete', log }, async () => {
      const found = await valuesOf(params);
      const values = found.slice(0, mostCompletions);
      return { completion: { values, total: found.length, hasMore: found.length > values.length } };
    }),
  );
}

/** The SDK's own schema refuses a whole list for one root that is no file. */
const anyRoots = z.looseObject({ roots: z.array(z.looseObject({ uri: z.string() })) });

async function listRoots(server: Server): Promise<readonly string[]> {
  const { roots } = await server.request({ method: 'roots/list' }, anyRoots, { timeout: 2_000 });
  return roots.map(({ uri }) => uri);
}

interface Surroundings {
  readonly server: Server;
  readonly roots: Roots;
  readonly longestCallMs: (client: string | undefined) => Promise<number>;
}

async function contextOf(extra: Extra, { server, roots, longestCallMs }: Surroundings): Promise<Call> {
  const [here, maxWaitMs] = await Promise.all([roots.first(), longestCallMs(server.getClientVersion()?.name)]);
  const token = extra._meta?.progressToken;
  let progress = 0;
  return {
    signal: extra.signal,
    tell(message) {
      if (token === undefined) return;
      progress += 1;
      const params = { progressToken: token, progress, message };
      extra.sendNotification({ method: 'notifications/progress', params }).catch(() => undefined);
    },
    maxWaitMs,
    ...defined({ here }),
  };
}

/** The SDK's own transport ends at a long line, crashes when the reader is gone, and does not answer bad JSON. */
function transportOf({ input, output, onEnd }: Pick<ServerOptions<Subject>, 'input' | 'output' | 'onEnd'>): Transport {
  let wire: Wire | undefined;
  const complain = (code: number, message: string, id: Id = null) =>
    wire?.send(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }));
  const transport: Transport = {
    async start() {
      wire = openWire(input, output, {
        line(text) {
          const { message, error } = parseMessage(text, (json) => JSONRPCMessageSchema.safeParse(json).data);
          if (message !== undefined) transport.onmessage?.(message);
          else complain(error.code, error.words, error.id);
        },
        overlong: (bytes) => void complain(rpcCodes.parse, `A line of ${bytes} bytes is too long.`),
        end: onEnd,
      });
    },
    send: async (message) => wire?.send(JSON.stringify(message)),
    async close() {
      wire?.close();
      transport.onclose?.();
    },
  };
  return transport;
}
