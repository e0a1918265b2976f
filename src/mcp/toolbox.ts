// Tools as clients see and call them.
import { asCrewError, CrewError } from '../model/errors.ts';
import { nearest } from '../model/nearest.ts';
import type { Log } from '../system/log.ts';
import { errorText } from '../tools/answer.ts';
import type { Tool } from '../tools/tool.ts';
import { described } from './described.ts';
import type { Toolbox, ToolCall, ToolDescription } from './profile.ts';

/** `name`: the key of the descriptions that the build has rendered. */
export const toolboxOf = <S>(name: string, tools: readonly Tool<S>[]): Toolbox<S> => ({
  describeTools: () => described[name]?.() ?? tools.map(describeTool),
  async callTool(call, { open, log }) {
    try {
      return { answer: await resolveTool(call.name, tools).call(open, call.args, call.context) };
    } catch (thrown) {
      return { errorText: errorText(explain(thrown, call, log)) };
    }
  },
});

export const describeTool = <S>(tool: Tool<S>): ToolDescription => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: tool.inputSchema(),
  outputSchema: tool.outputSchema(),
  annotations: {
    title: tool.title,
    readOnlyHint: tool.hints.readOnly,
    destructiveHint: tool.hints.destructive,
    idempotentHint: tool.hints.idempotent,
    openWorldHint: tool.hints.openWorld,
  },
  ...(tool.alwaysLoad ? { _meta: { 'anthropic/alwaysLoad': true } } : {}),
});

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

/** Our own mistakes go to the log with their stack; the caller learns where the log is. */
function explain(thrown: unknown, { name, context }: ToolCall, log: Log): CrewError {
  const error = asCrewError(thrown);
  if (error.code !== 'internal' || context.signal.aborted) return error;
  log.write('error', `${name}: ${error.message}`, error.cause ?? error);
  return new CrewError(
    'internal',
    error.message,
    `This is a bug in crewmux. ${log.path} has the details; please report it.`,
  );
}
