// What Claude Code's hooks ask before it uses a tool, and the words they are answered with.
import { fieldsOf, listOf, wordOf } from '../../model/json.ts';
import type { RequestKind } from '../../model/request.ts';
import { deniedUnsaid, type HookQuestion, type PermissionHook } from '../agent.ts';
import { actOf } from './act.ts';

export const kindOf = (tool: string): RequestKind => {
  if (tool === 'AskUserQuestion') return 'question';
  return tool === 'ExitPlanMode' ? 'plan_approval' : 'permission';
};

type Said = Parameters<PermissionHook['say']>[1];

const isRules = (suggestion: unknown): boolean => {
  const { type, behavior } = fieldsOf(suggestion);
  return type === 'addRules' && behavior === 'allow';
};

/** Until the agent ends; what is to hold for longer the crew keeps itself. */
const keptIn = (suggestions: readonly unknown[]): readonly unknown[] =>
  suggestions.filter(isRules).map((suggestion) => ({ ...fieldsOf(suggestion), destination: 'session' }));

const rulesIn = (suggestions: readonly unknown[]): readonly string[] =>
  suggestions.filter(isRules).flatMap((suggestion) =>
    listOf(fieldsOf(suggestion).rules).flatMap((rule) => {
      const [tool, content] = [wordOf(fieldsOf(rule).toolName), wordOf(fieldsOf(rule).ruleContent)];
      return tool === undefined ? [] : [content === undefined ? tool : `${tool}(${content})`];
    }),
  );

const writesFiles = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);

export const permissionHook: PermissionHook = {
  asked(payload) {
    const { hook_event_name: event, tool_name, tool_input, cwd, ...rest } = fieldsOf(payload);
    const tool = wordOf(tool_name);
    if ((event !== 'PermissionRequest' && event !== 'PreToolUse') || tool === undefined) return undefined;
    const suggestions = listOf(rest.permission_suggestions);
    return {
      when: event === 'PreToolUse' ? 'before' : 'asking',
      // Where it asks nobody, a hook's "ask" about one of its own files of settings is lost; about commands it holds.
      asksInVain: rest.permission_mode === 'bypassPermissions' && writesFiles.has(tool),
      // The main conversation draws its dialog at once, an agent behind it only when its hooks have nothing to say.
      hidesDialog: wordOf(rest.agent_id) !== undefined,
      kind: kindOf(tool),
      tool,
      input: tool_input,
      cwd: wordOf(cwd) ?? '',
      ...(suggestions.length === 0 ? {} : { suggestions }),
    };
  },
  actOf,
  rulesIn,
  say: (question, answer) => (question.when === 'before' ? beforehand(answer) : asked(question, answer)),
  asksWhenTold: true,
  changesInput: true,
};

/** What is said before a tool when our program fails: the agent asks by its own dialog. */
export const unjudged = beforehand({
  decision: 'let-go',
  message: 'crewmux could not look at this, and it is to be asked about everything.',
});

/** Let go of, the question is put by its own dialog, and so to the other hook. */
function beforehand({ decision, message }: Said): string {
  if (decision === 'allow' || decision === 'text') return '';
  const permissionDecision = decision === 'deny' ? 'deny' : 'ask';
  return JSON.stringify({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision,
      permissionDecisionReason: message ?? deniedUnsaid,
    },
  });
}

function asked(question: HookQuestion, answer: Said): string {
  const decision = decisionOf(question, answer);
  if (decision === undefined) return '';
  return JSON.stringify({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } });
}

/** A tool that asks a person itself is let go on only with an input given anew, be it the same. */
function decisionOf({ input, kind, suggestions = [] }: HookQuestion, answer: Said): object | undefined {
  switch (answer.decision) {
    case 'deny':
      return { behavior: 'deny', message: answer.message ?? deniedUnsaid };
    case 'allow':
    case 'text': {
      const given = answer.input ?? input;
      const updatedInput = answer.answers === undefined ? given : { ...fieldsOf(given), answers: answer.answers };
      const isSame = kind === 'permission' && updatedInput === input;
      const changed = isSame ? {} : { updatedInput: fieldsOf(updatedInput) };
      const kept = answer.remember === true ? { updatedPermissions: keptIn(suggestions) } : {};
      return { behavior: 'allow', ...changed, ...kept };
    }
    case 'let-go':
      return undefined;
  }
}
