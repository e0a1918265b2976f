// Tools as clients call them.
import { asCrewError, CrewError } from '../model/errors.ts';
import { nearest } from '../model/nearest.ts';
import { type ToolSet, toolSets } from '../model/tool-set.ts';
import type { Log } from '../system/log.ts';
import { errorText } from '../tools/answer.ts';
import type { Tool } from '../tools/tool.ts';
import { explained } from './explained.ts';
import { isIn, type Toolbox, type ToolCall } from './profile.ts';

export const toolboxOf = <S>(tools: readonly Tool<S>[], sets: readonly ToolSet[] = toolSets): Toolbox<S> => ({
  async callTool(call, { open, log }) {
    try {
      return { answer: await resolveTool(call.name, tools, sets).call(open, call.args, call.context) };
    } catch (thrown) {
      return { errorText: errorText(explain(thrown, call, log), call.context.by) };
    }
  },
});

function resolveTool<S>(name: string, tools: readonly Tool<S>[], sets: readonly ToolSet[]): Tool<S> {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool !== undefined && isIn(sets, tool)) return tool;
  if (tool?.set !== undefined) {
    throw new CrewError(
      'unknown_tool',
      `${name} is in the set ${JSON.stringify(tool.set)}, and the setting tools.sets has only ${sets.join(', ')}.`,
      'Do without it, or the user adds that set to tools.sets and starts this server again.',
    );
  }
  const names = tools.filter((candidate) => isIn(sets, candidate)).map((candidate) => candidate.name);
  const close = nearest(name, names);
  throw new CrewError(
    'unknown_tool',
    `No tool named ${JSON.stringify(name)}.`,
    close === undefined ? 'Call one of the tools that tools/list shows.' : `Did you mean ${close}?`,
  );
}

/** A call that was given up fails as it likes. */
const explain = (thrown: unknown, { name, context }: ToolCall, log: Log): CrewError =>
  context.signal.aborted ? asCrewError(thrown) : explained(thrown, { what: name, log });
