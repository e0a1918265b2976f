// The demo's MCP client, which uses the server like any other client.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { z } from 'zod';

const result = z.looseObject({
  isError: z.boolean().optional(),
  structuredContent: z.unknown(),
  content: z.array(z.looseObject({ text: z.string().optional() })).optional(),
});

export interface DemoClient {
  /** Calls a tool and reads its structured answer; throws the tool's error text. */
  call<T>(tool: string, args: Readonly<Record<string, unknown>>, answer: z.ZodType<T>): Promise<T>;
  close(): Promise<void>;
}

export interface ServerStart {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

const callTimeoutMs = 120_000;

/** Starts the server and completes the handshake. */
export async function connectDemo(start: ServerStart): Promise<DemoClient> {
  const client = new Client({ name: 'crewmux-demo', version: '1' });
  const transport = new StdioClientTransport({
    command: start.command,
    args: [...start.args],
    env: { ...start.env },
    cwd: start.cwd,
    stderr: 'inherit',
  });
  await client.connect(transport);
  return {
    async call(tool, args, answer) {
      const told = result.parse(
        await client.callTool({ name: tool, arguments: args }, undefined, { timeout: callTimeoutMs }),
      );
      if (told.isError === true) throw new Error(`${tool}: ${told.content?.[0]?.text ?? 'failed'}`);
      return answer.parse(told.structuredContent);
    },
    close: () => client.close(),
  };
}
