// The MCP server: speaks the protocol, lists the tools, and calls them.
import type { Readable, Writable } from 'node:stream';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  JSONRPCMessageSchema,
  ListToolsRequestSchema,
  RootsListChangedNotificationSchema,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { defined } from '../model/defined.ts';
import type { Log } from '../system/log.ts';
import type { Call } from '../tools/tool.ts';
import { openWire, type Wire } from './lines.ts';
import type { ServerProfile, Subject } from './profile.ts';
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
  /** Runs when the client closes its output. */
  readonly onEnd: () => void;
}

export interface RunningServer {
  /** Resolves when no call is under way. */
  settled(): Promise<void>;
  /** Aborts the calls under way and reads no more. */
  close(): Promise<void>;
}

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** Serves MCP on two streams; resolves once it listens. */
export async function serve<S extends Subject>(options: ServerOptions<S>): Promise<RunningServer> {
  const { log, open, profile } = options;
  const server = makeServer(options);
  const roots = watchRoots(() => listRoots(server));
  const active = new Set<Promise<unknown>>();
  server.onerror = (error) => log.write('debug', `protocol: ${error.message}`);
  server.oninitialized = () => {
    options.onGreeting();
    if (server.getClientCapabilities()?.roots !== undefined) roots.refresh();
    open().catch((thrown) => log.write('error', 'the crew could not be opened', thrown));
  };
  server.setNotificationHandler(RootsListChangedNotificationSchema, () => roots.refresh());
  server.setRequestHandler(ListToolsRequestSchema, async () => {
    const { describeTools } = await profile.toolbox();
    return { tools: [...describeTools()] };
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const call = Promise.all([
      profile.toolbox(),
      contextOf(extra, { server, roots, longestCallMs: profile.longestCallMs }),
    ]).then(([{ callTool }, context]) =>
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
    close: () => server.close(),
  };
}

const makeServer = <S extends Subject>({ version, profile }: ServerOptions<S>) =>
  new Server(
    { name: profile.name, title: profile.name, version },
    {
      capabilities: { tools: {} },
      instructions: profile.instructions,
      // The default validator loads a schema compiler that nothing here uses.
      jsonSchemaValidator: { getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'not used' }) },
    },
  );

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
  const complain = (code: ErrorCode, message: string, id: Id = null) =>
    wire?.send(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }));
  const transport: Transport = {
    async start() {
      wire = openWire(input, output, {
        line(text) {
          const { message, error } = parseMessage(text);
          if (message !== undefined) transport.onmessage?.(message);
          else complain(error.code, error.words, error.id);
        },
        overlong: (bytes) => void complain(ErrorCode.ParseError, `A line of ${bytes} bytes is too long.`),
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

type Id = string | number | null;

const request = z.looseObject({ id: z.union([z.string(), z.int()]), method: z.string() });

/** Whoever asked under an id is answered under it, also where the rest of the request is malformed. */
function parseMessage(text: string) {
  try {
    const json: unknown = JSON.parse(text);
    const parsed = JSONRPCMessageSchema.safeParse(json);
    if (parsed.success) return { message: parsed.data };
    const asked = request.safeParse(json).data;
    const words = 'That line was not a JSON-RPC message.';
    if (asked === undefined) return { error: { code: ErrorCode.InvalidRequest, words, id: null } };
    return {
      error: { code: ErrorCode.InvalidParams, words: `The params of ${asked.method} are malformed.`, id: asked.id },
    };
  } catch {
    return { error: { code: ErrorCode.ParseError, words: 'That line was not a JSON-RPC message.', id: null } };
  }
}
