// The JSON of permission hooks, whose form Claude Code and Codex share. A hook loads this at each request: no zod here.
import { type Fields, fieldsOf, wordOf } from '../model/json.ts';
import type { HookQuestion } from './agent.ts';

type Common = 'when' | 'tool' | 'input' | 'cwd';

/** Undefined for a payload that asks for no permission. */
export function questionIn(
  payload: unknown,
  rest: (tool: string, fields: Fields) => Omit<HookQuestion, Common>,
): HookQuestion | undefined {
  const fields = fieldsOf(payload);
  const { hook_event_name: event, tool_input: input, cwd } = fields;
  const tool = wordOf(fields.tool_name);
  if ((event !== 'PermissionRequest' && event !== 'PreToolUse') || tool === undefined) return undefined;
  const when = event === 'PreToolUse' ? 'before' : 'asking';
  return { when, tool, input, cwd: wordOf(cwd) ?? '', ...rest(tool, fields) };
}

export const beforeTool = (permissionDecision: 'allow' | 'deny' | 'ask', permissionDecisionReason: string): string =>
  output({ hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason });

export const onRequest = (decision: object): string => output({ hookEventName: 'PermissionRequest', decision });

const output = (hookSpecificOutput: object): string => JSON.stringify({ hookSpecificOutput });
