// Codex's PermissionRequest hook: what it is asked, and the words it is answered with.
import { fieldsOf, wordOf } from '../../model/fields.ts';
import type { RequestAnswer } from '../../model/request.ts';
import type { PermissionHook } from '../agent.ts';

// While the hook runs there is no dialog that a person could answer.
const holdMs = 10 * 60_000;

export const permissionHook: PermissionHook = {
  asked(payload) {
    const { hook_event_name, tool_name, tool_input, cwd } = fieldsOf(payload);
    const tool = wordOf(tool_name);
    if (hook_event_name !== 'PermissionRequest' || tool === undefined) return undefined;
    return { kind: 'permission', tool, input: tool_input, cwd: wordOf(cwd) ?? '' };
  },
  say(_, answer) {
    const decision = decisionOf(answer);
    if (decision === undefined) return '';
    return JSON.stringify({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } });
  },
  changesInput: false,
  holdMs,
};

function decisionOf({ decision, message }: RequestAnswer): object | undefined {
  if (decision === 'let-go') return undefined;
  if (decision === 'allow') return { behavior: 'allow' };
  return { behavior: 'deny', message: message ?? 'Denied by the manager of this worker.' };
}
