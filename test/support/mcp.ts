// A real MCP client over stdio, and the same pipe without one.
import { ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  CallToolResultSchema,
  ElicitRequestSchema,
  type ElicitResultSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { JsonSchemaType, jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js';
import { z } from 'zod';
import { CrewError, errorCodes, messageOf } from '../../src/model/errors.ts';
import { tools } from '../../src/tools/index.ts';
import { workerTools } from '../../src/tools/worker/index.ts';
import { eventually } from './sandbox.ts';

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

export interface ConnectOptions extends ServerCommand {
  readonly clientName?: string;
  /** File URIs; the client declares roots when they are given. */
  readonly roots?: readonly string[];
  /** The person at the client: fills in a form, and learns by the signal that it is gone. The client declares it. */
  readonly person?: Person;
}

export type Person = (form: Fields, gone: AbortSignal) => Promise<z.infer<typeof ElicitResultSchema>>;

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (message: string, progress: number) => void;
  readonly timeoutMs?: number;
}

export type Fields = Readonly<Record<string, unknown>>;

export interface Connection {
  readonly client: Client;
  readonly pid: number;
  /** Everything the server has written to stderr. */
  stderr(): string;
  /** Resolves with the structured content; rejects with the `CrewError` of an error answer. */
  call(tool: string, args?: Fields, options?: CallOptions): Promise<Fields>;
  /** The whole answer, errors included. */
  answer(tool: string, args?: Fields, options?: CallOptions): Promise<z.infer<typeof CallToolResultSchema>>;
  /** Ends the connection; rejects when the server does not end by itself within its two seconds. */
  close(): Promise<void>;
}

/** The SDK hands out its own compiler only with a client. */
const compiler = z
  .custom<jsonSchemaValidator>((own) => typeof own === 'object' && own !== null && 'getValidator' in own)
  .parse(Reflect.get(new Client({ name: 'crewmux-test', version: '0' }), '_jsonSchemaValidator'));
const listed = new Map<string, JsonSchemaType>();

/** All servers list the same output schemas, and a compiler that is shown the same object again compiles nothing. */
const compiledOnce: jsonSchemaValidator = {
  getValidator(schema) {
    const text = JSON.stringify(schema);
    const known = listed.get(text) ?? schema;
    listed.set(text, known);
    return compiler.getValidator(known);
  },
};

/** A client sees only the outside of an answer; what stands in the house must fit its inside as well. */
function mustFit(name: string, structured: unknown): void {
  const tool = [...tools, ...workerTools].find((one) => one.name === name);
  if (tool === undefined || structured === undefined) return;
  const schema = z.custom<JsonSchemaType>((made) => made instanceof Object).parse(tool.outputSchema());
  const { valid, errorMessage } = compiledOnce.getValidator(schema)(structured);
  if (!valid) throw new Error(`${name} answered what its whole shape does not have: ${errorMessage}`);
}

/** Starts a server and shakes hands with it. */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const { command, args, env, cwd, clientName = 'crewmux-test', roots, person } = options;
  const transport = new StdioClientTransport({ command, args: [...args], env: { ...env }, cwd, stderr: 'pipe' });
  let errors = '';
  transport.stderr?.on('data', (chunk) => {
    errors += String(chunk);
  });
  const client = new Client(
    { name: clientName, version: '0' },
    {
      capabilities: {
        ...(roots === undefined ? {} : { roots: { listChanged: true } }),
        ...(person === undefined ? {} : { elicitation: {} }),
      },
      jsonSchemaValidator: compiledOnce,
    },
  );
  if (roots !== undefined) {
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: roots.map((uri) => ({ uri })) }));
  }
  if (person !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }, { signal }) => person(params, signal));
  }
  const connecting = client.connect(transport);
  const ended = endOf(transport);
  await connecting.catch(async (error: unknown) => {
    throw new Error(`${messageOf(error)}; the server ${await ended()}, and wrote: ${errors}`);
  });
  // The client checks answers against the output schemas it has listed.
  await client.listTools();
  const pid = transport.pid ?? 0;
  const answer: Connection['answer'] = async (name, fields = {}, { signal, onProgress, timeoutMs = 120_000 } = {}) => {
    const result = CallToolResultSchema.parse(
      await client.callTool({ name, arguments: { ...fields } }, undefined, {
        timeout: timeoutMs,
        ...(signal === undefined ? {} : { signal }),
        ...(onProgress === undefined
          ? {}
          : { onprogress: ({ message, progress }) => onProgress(message ?? '', progress) }),
      }),
    );
    mustFit(name, result.structuredContent);
    return result;
  };
  return {
    client,
    pid,
    stderr: () => errors,
    answer,
    async call(tool, fields, callOptions) {
      const result = await answer(tool, fields, callOptions);
      if (result.isError === true) throw crewError(result);
      return z.record(z.string(), z.unknown()).parse(result.structuredContent);
    },
    async close() {
      await client.close();
      await eventually(`server ${pid} is gone`, () => !isAlive(pid));
    },
  };
}

/** How the process of a server that does not shake hands has ended; the client keeps that to itself. */
function endOf(transport: StdioClientTransport): () => Promise<string> {
  const child: unknown = Reflect.get(transport, '_process');
  if (!(child instanceof ChildProcess)) return async () => 'was not started';
  let told = 'goes on';
  const end = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      told = `has ended (${signal ?? code})`;
      resolve();
    });
  });
  return async () => {
    await Promise.race([end, new Promise((resolve) => setTimeout(resolve, 1_000))]);
    return told;
  };
}

const errorShape = z.strictObject({
  error: z.strictObject({ code: z.enum(errorCodes), message: z.string(), hint: z.string() }),
});

/** Reads an error answer; throws when it has any other form than the one promised. */
export function crewError(result: z.infer<typeof CallToolResultSchema>): CrewError {
  const [block] = result.content;
  if (block?.type !== 'text' || result.content.length !== 1 || result.structuredContent !== undefined) {
    throw new Error(`Not the form of an error: ${JSON.stringify(result)}`);
  }
  const { error } = errorShape.parse(JSON.parse(block.text));
  return new CrewError(error.code, error.message, error.hint);
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const messageShape = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.number(), z.string(), z.null()]).optional(),
  method: z.string().optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.looseObject({ code: z.number(), message: z.string() }).optional(),
  params: z.record(z.string(), z.unknown()).optional(),
});
export type RawMessage = z.infer<typeof messageShape>;

export interface RawServer {
  readonly child: ChildProcess;
  /** Every line of stdout so far, parsed; a line that is no JSON-RPC fails the test that reads it. */
  messages(): readonly RawMessage[];
  stderr(): string;
  /** Writes a value as a line, or a text as it is. */
  send(message: Fields | string): void;
  /** Waits for the answer with this id. */
  reply(id: number | string | null): Promise<RawMessage>;
  /** Says hello as an MCP client does. */
  shakeHands(clientName?: string): Promise<RawMessage>;
  endInput(): void;
  /** How the process ended. */
  ended(): Promise<{ code: number | null; signal: string | null }>;
  /** Ends the process whatever its state; safe to call twice. */
  kill(): void;
}

/** Starts a server with nothing between it and the test. */
export function openRaw({ command, args, env, cwd }: ServerCommand): RawServer {
  const child = spawn(command, args, { env, cwd, stdio: ['pipe', 'pipe', 'pipe'] });
  const lines: string[] = [];
  let errors = '';
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  child.stderr.on('data', (chunk) => {
    errors += String(chunk);
  });
  child.stdin.on('error', () => undefined);
  const messages = () => lines.map((line) => messageShape.parse(JSON.parse(line)));
  const send: RawServer['send'] = (message) => {
    child.stdin.write(typeof message === 'string' ? message : `${JSON.stringify(message)}\n`);
  };
  const reply: RawServer['reply'] = (id) =>
    eventually(`an answer to ${id}`, () =>
      messages().find((message) => message.id === id && message.method === undefined),
    );
  return {
    child,
    messages,
    stderr: () => errors,
    send,
    reply,
    async shakeHands(clientName = 'raw') {
      const params = {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: clientName, version: '0' },
      };
      send({ jsonrpc: '2.0', id: 'hello', method: 'initialize', params });
      const hello = await reply('hello');
      send({ jsonrpc: '2.0', method: 'notifications/initialized' });
      return hello;
    },
    endInput: () => child.stdin.end(),
    async ended() {
      await eventually('the server ends', () => child.exitCode !== null || child.signalCode !== null);
      return { code: child.exitCode, signal: child.signalCode };
    },
    kill: () => child.kill('SIGKILL'),
  };
}
