// One tool call from its arguments to its answer, whatever goes wrong on the way.

import { asCrewError, CrewError } from '../model/errors.ts';
import { nearest } from '../model/nearest.ts';
import type { Log } from '../system/log.ts';
import { type Answer, errorText } from '../tools/answer.ts';
import type { Call, Tool } from '../tools/tool.ts';

export interface ToolCall {
  readonly name: string;
  readonly args: unknown;
  readonly context: Call;
}

export interface CallDoors<S> {
  readonly tools: readonly Tool<S>[];
  /** Hands out what the tools act on. */
  readonly open: () => Promise<S>;
  readonly log: Log;
}

export type Outcome = { readonly answer: Answer } | { readonly errorText: string };

/** Never throws: what a caller can mend and what is our fault both become an error text. */
export async function perform<S>({ name, args, context }: ToolCall, doors: CallDoors<S>): Promise<Outcome> {
  try {
    return { answer: await resolveTool(name, doors.tools).call(doors.open, args, context) };
  } catch (thrown) {
    return { errorText: errorText(explain(thrown, { name, context, log: doors.log })) };
  }
}

function resolveTool<S>(name: string, tools: readonly Tool<S>[]): Tool<S> {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool !== undefined) return tool;
  const names = tools.map((candidate) => candidate.name);
  const close = nearest(name, names);
  throw new CrewError(
    'unknown_tool',
    `No tool named ${JSON.stringify(name)}.`,
    `${close === undefined ? '' : `Did you mean ${close}? `}Tools: ${names.join(', ')}.`,
  );
}

interface Circumstances {
  readonly name: string;
  readonly context: Call;
  readonly log: Log;
}

/** Our own mistakes go to the log with their stack; the caller is told where that is. */
function explain(thrown: unknown, { name, context, log }: Circumstances): CrewError {
  const error = asCrewError(thrown);
  if (error.code !== 'internal' || context.signal.aborted) return error;
  log.write('error', `${name}: ${error.message}`, error.cause ?? error);
  return new CrewError(
    'internal',
    error.message,
    `This is a bug in crewmux. ${log.path} has the details; please report it.`,
  );
}
