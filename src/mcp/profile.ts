// The parts of an MCP server that differ between a manager's and a worker's: its name, its instructions, its tools.
import type { ToolSet } from '../model/tool-set.ts';
import type { Log } from '../system/log.ts';
import type { Answer } from '../tools/answer.ts';
import type { Call, JsonSchema } from '../tools/tool.ts';
import type { Form } from './person-form.ts';
import type { PromptSource } from './prompts.ts';

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
  readonly annotations: Readonly<Record<`${'readOnly' | 'destructive' | 'idempotent' | 'openWorld'}Hint`, boolean>>;
  readonly _meta?: Readonly<Record<string, boolean>>;
}

/** A tool with the set it is in. */
export interface Listed {
  readonly set?: ToolSet | undefined;
  readonly tool: ToolDescription;
}

export const isIn = (sets: readonly ToolSet[], { set }: Pick<Listed, 'set'>): boolean =>
  set === undefined || sets.includes(set);

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

export type CallOutcome = { readonly answer: Answer } | { readonly errorText: string };

export interface Toolbox<S> {
  /** Never throws: an error becomes an error text, whether the caller can mend it or it is our fault. */
  callTool(call: ToolCall, doors: CallDoors<S>): Promise<CallOutcome>;
}

/** A text that a client reads by its address. */
export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
}

/** What stands at the addresses. Each throws what the crew throws, and `invalid_argument` for an unknown address. */
export interface Resources<S> {
  readonly templates: readonly (Omit<Resource, 'uri'> & { readonly uriTemplate: string })[];
  list(open: () => Promise<S>): Promise<readonly Resource[]>;
  read(
    uri: string,
    doors: { readonly open: () => Promise<S>; readonly context: Call },
  ): Promise<Pick<Resource, 'uri' | 'mimeType'> & { readonly text: string }>;
  /** The values of a template's argument that go on from what is typed. */
  complete(
    template: string,
    argument: { readonly name: string; readonly value: string },
    open: () => Promise<S>,
  ): Promise<readonly string[]>;
}

/** The client, as far as the server speaks to it unasked. */
export interface ClientDoor {
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
  readonly log: Log;
  resourcesChanged(): void;
  /** Absent where the client shows no forms. Rejects once the signal aborts; the form is gone then. */
  readonly elicit?: (form: Form, signal: AbortSignal) => Promise<FilledIn>;
}

/** What became of a form. */
export interface FilledIn {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: unknown;
}

export interface ServerProfile<S extends Subject> {
  readonly name: string;
  readonly instructions: () => Promise<string>;
  readonly listTools: () => Promise<readonly ToolDescription[]>;
  /** The tools with all their schemas: loaded at the first call. */
  readonly toolbox: () => Promise<Toolbox<S>>;
  /** Only a manager has commands. */
  readonly prompts?: PromptSource<S>;
  /** The longest time that one call may take for a client of this name. */
  readonly longestCallMs: (client: string | undefined) => Promise<number>;
  /** Loaded when a client first asks for them. */
  readonly resources?: () => Promise<Resources<S>>;
  /** Runs once the subject is open, and speaks to the client from then on. */
  readonly attend?: (subject: S, client: ClientDoor) => Promise<void>;
}
