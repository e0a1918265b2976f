// What Codex's hooks ask before it uses a tool, and the words they are answered with.
import { fieldsOf, wordOf } from '../../model/json.ts';
import { deniedUnsaid, type PermissionHook } from '../agent.ts';
import { actOf } from './act.ts';

const unanswered = 'Nobody has answered yet whether this may be done. Go on without it, or ask your manager.';

type Said = Parameters<PermissionHook['say']>[1];

export const permissionHook: PermissionHook = {
  asked(payload) {
    const { hook_event_name: event, tool_name, tool_input, cwd } = fieldsOf(payload);
    const tool = wordOf(tool_name);
    if ((event !== 'PermissionRequest' && event !== 'PreToolUse') || tool === undefined) return undefined;
    return {
      when: event === 'PreToolUse' ? 'before' : 'asking',
      asksInVain: false,
      hidesDialog: true,
      kind: 'permission',
      tool,
      input: tool_input,
      cwd: wordOf(cwd) ?? '',
    };
  },
  actOf,
  rulesIn: () => [],
  say: ({ when }, answer) => (when === 'before' ? beforehand(answer) : asked(answer)),
  // It runs the tool when its hook says "ask".
  asksWhenTold: false,
  changesInput: false,
};

/** What is said before a tool when our program fails: this agent would ask nobody. */
export const unjudged = beforehand({
  decision: 'deny',
  message: 'crewmux could not look at this, and it is to look at everything. Tell the user.',
});

function beforehand({ decision, message }: Said): string {
  if (decision === 'allow' || decision === 'text') return '';
  return JSON.stringify({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: decision === 'let-go' ? unanswered : (message ?? deniedUnsaid),
    },
  });
}

function asked({ decision, message }: Said): string {
  if (decision === 'let-go') return '';
  const said = decision === 'deny' ? { behavior: 'deny', message: message ?? deniedUnsaid } : { behavior: 'allow' };
  return JSON.stringify({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: said } });
}
