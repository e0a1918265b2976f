// What one of our servers shows its client: a name, a few words, and tools over one subject.
import type { JsonSchema } from '../tools/tool.ts';
import type { CallDoors, Outcome, ToolCall } from './calls.ts';

/** What the tools act on; let go of when the server ends. */
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

export interface Toolbox<S> {
  describeTools(): readonly ToolDescription[];
  callTool(call: ToolCall, doors: Omit<CallDoors<S>, 'tools'>): Promise<Outcome>;
}

export interface Face<S extends Subject> {
  readonly name: string;
  readonly instructions: string;
  /** The tools with all their schemas: loaded once the handshake is answered. */
  readonly toolbox: () => Promise<Toolbox<S>>;
  /** How long a client of this name waits for one answer, in ms. */
  readonly patience: (client: string | undefined) => Promise<number>;
}
