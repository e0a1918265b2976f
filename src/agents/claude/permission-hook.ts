// Claude Code's PermissionRequest hook: what it is asked, and the words it is answered with.
import { fieldsOf, listOf, wordOf } from '../../model/fields.ts';
import type { RequestAnswer, RequestKind } from '../../model/request.ts';
import type { HookQuestion, PermissionHook } from '../agent.ts';

export const kindOf = (tool: string): RequestKind => {
  if (tool === 'AskUserQuestion') return 'question';
  return tool === 'ExitPlanMode' ? 'plan_approval' : 'permission';
};

export const permissionHook: PermissionHook = {
  asked(payload) {
    const { hook_event_name, tool_name, tool_input, cwd, permission_suggestions } = fieldsOf(payload);
    const tool = wordOf(tool_name);
    if (hook_event_name !== 'PermissionRequest' || tool === undefined) return undefined;
    const suggestions = listOf(permission_suggestions);
    return {
      kind: kindOf(tool),
      tool,
      input: tool_input,
      cwd: wordOf(cwd) ?? '',
      ...(suggestions.length === 0 ? {} : { suggestions }),
    };
  },
  say(question, answer) {
    const decision = decisionOf(question, answer);
    if (decision === undefined) return '';
    return JSON.stringify({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } });
  },
  changesInput: true,
  holdMs: undefined,
};

function decisionOf({ input }: HookQuestion, answer: RequestAnswer): object | undefined {
  switch (answer.decision) {
    case 'deny':
      return { behavior: 'deny', message: answer.message ?? 'Denied by the manager of this worker.' };
    case 'allow':
    case 'text': {
      const given = answer.input ?? input;
      const updatedInput = answer.answers === undefined ? given : { ...fieldsOf(given), answers: answer.answers };
      return updatedInput === input ? { behavior: 'allow' } : { behavior: 'allow', updatedInput };
    }
    case 'let-go':
      return undefined;
  }
}
