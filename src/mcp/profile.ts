// The parts of an MCP server that differ between a manager's and a worker's: its name, its instructions, its tools.
import type { Log } from '../system/log.ts';
import type { Answer } from '../tools/answer.ts';
import type { Call, JsonSchema } from '../tools/tool.ts';

/** The object that the tools act on; the server disposes of it at its end. */
export interface Subject {
  dispose(): Promise<void>;
}

/** A tool as tools/list shows it. */
export interface ToolDescription {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly annotations: Readonly<Record<`${'readOnly' | 'destructive' | 'idempotent' | 'openWorld'}Hint`, boolean>> & {
    readonly title: string;
  };
  readonly _meta?: Readonly<Record<string, boolean>>;
}

export interface ToolCall {
  readonly name: string;
  readonly args: unknown;
  readonly context: Call;
}

export interface CallDoors<S> {
  /** Opens the subject. */
  readonly open: () => Promise<S>;
  readonly log: Log;
}

export type Outcome = { readonly answer: Answer } | { readonly errorText: string };

export interface Toolbox<S> {
  describeTools(): readonly ToolDescription[];
  /** Never throws: an error becomes an error text, whether the caller can mend it or it is our fault. */
  callTool(call: ToolCall, doors: CallDoors<S>): Promise<Outcome>;
}

export interface ServerProfile<S extends Subject> {
  readonly name: string;
  readonly instructions: string;
  /** The tools with all their schemas: loaded once the handshake is answered. */
  readonly toolbox: () => Promise<Toolbox<S>>;
  /** The longest time that one call may take for a client of this name. */
  readonly longestCallMs: (client: string | undefined) => Promise<number>;
}
