// Tools as clients see and call them.
import type { Tool } from '../tools/tool.ts';
import { perform } from './calls.ts';
import { described } from './described.ts';
import type { Toolbox, ToolDescription } from './face.ts';

export const toolboxOf = <S>(name: string, tools: readonly Tool<S>[]): Toolbox<S> => ({
  describeTools: () => described[name]?.() ?? tools.map(describeTool),
  callTool: (call, doors) => perform(call, { tools, ...doors }),
});

const describeTool = <S>(tool: Tool<S>): ToolDescription => ({
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
