// The tools as clients see and call them, with all their schemas: loaded once the handshake is answered.
import type { Crew } from '../crew/api.ts';
import type { Log } from '../log.ts';
import { tools } from '../tools/index.ts';
import type { Tool } from '../tools/tool.ts';
import { perform, type ToolCall } from './calls.ts';

export const describeTools = () => tools.map(describeTool);

export const callTool = (call: ToolCall, doors: { readonly crew: () => Promise<Crew>; readonly log: Log }) =>
  perform(call, { tools, ...doors });

const describeTool = (tool: Tool) => ({
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
