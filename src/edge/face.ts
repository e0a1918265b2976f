// What one of our servers shows its client: a name, a few words, and tools over one subject.
import type { CallDoors, Outcome, ToolCall } from './calls.ts';
import type { describeTool } from './toolbox.ts';

/** What the tools act on; let go of when the server ends. */
export interface Subject {
  dispose(): Promise<void>;
}

export interface Toolbox<S> {
  describeTools(): readonly ReturnType<typeof describeTool>[];
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
