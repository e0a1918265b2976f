// The questions of Claude Code's permission hooks, and the JSON that answers them.
import { defined } from '../../model/defined.ts';
import { fieldsOf, listOf, wordOf } from '../../model/json.ts';
import type { RequestKind } from '../../model/request.ts';
import { deniedUnsaid, type HookQuestion, type PermissionHook } from '../agent.ts';
import { beforeTool, onRequest, questionIn } from '../permission-json.ts';
import { actOf, afterOf, changeOf, planOf } from './act.ts';

export const kindOf = (tool: string): RequestKind => {
  if (tool === 'AskUserQuestion') return 'question';
  return tool === 'ExitPlanMode' ? 'plan_approval' : 'permission';
};

type Said = Parameters<PermissionHook['say']>[1];

const isRules = (suggestion: unknown): boolean => {
  const { type, behavior } = fieldsOf(suggestion);
  return type === 'addRules' && behavior === 'allow';
};

const isAcceptEdits = (suggestion: unknown): boolean => {
  const { type, mode } = fieldsOf(suggestion);
  return type === 'setMode' && mode === 'acceptEdits';
};

/** Valid until the agent ends; crewmux itself keeps rules that last longer. */
const keptIn = (suggestions: readonly unknown[], { remember, edits }: Said): readonly unknown[] =>
  suggestions
    .filter((one) => (remember === true && isRules(one)) || (edits === true && isAcceptEdits(one)))
    .map((suggestion) => ({ ...fieldsOf(suggestion), destination: 'session' }));

const rulesIn = (suggestions: readonly unknown[]): readonly string[] =>
  suggestions.filter(isRules).flatMap((suggestion) =>
    listOf(fieldsOf(suggestion).rules).flatMap((rule) => {
      const [tool, content] = [wordOf(fieldsOf(rule).toolName), wordOf(fieldsOf(rule).ruleContent)];
      return tool === undefined ? [] : [content === undefined ? tool : `${tool}(${content})`];
    }),
  );

/** With another folder beside it, the mode alone would not keep Claude Code from asking the same again. */
function acceptsEdits(suggestions: readonly unknown[], folder: string): boolean {
  const folders = suggestions.flatMap((one) => listOf(fieldsOf(one).directories)).map(wordOf);
  return suggestions.some(isAcceptEdits) && folders.every((one) => one === folder || one?.startsWith(`${folder}/`));
}

const editWords = 'file edits and common file commands (such as mkdir, touch, cp, mv, rm and sed)';

const writesFiles = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);

export const permissionHook: PermissionHook = {
  asked: (payload) =>
    questionIn(payload, (tool, { permission_mode, agent_id, permission_suggestions }) => {
      const suggestions = listOf(permission_suggestions);
      return {
        // With permissions skipped it ignores a hook's "ask" about its own settings files, but heeds one about commands.
        asksInVain: permission_mode === 'bypassPermissions' && writesFiles.has(tool),
        // The main conversation draws its dialog at once, an agent behind it only when its hooks have nothing to say.
        hidesDialog: wordOf(agent_id) !== undefined,
        kind: kindOf(tool),
        ...(suggestions.length === 0 ? {} : { suggestions }),
      };
    }),
  actOf,
  changeOf,
  afterOf,
  planOf,
  proposed: (suggestions, folder) => ({
    rules: rulesIn(suggestions),
    ...defined({ edits: acceptsEdits(suggestions, folder) ? editWords : undefined }),
  }),
  say: (question, answer) => (question.when === 'before' ? beforehand(answer) : asked(question, answer)),
  asksWhenTold: true,
  changesInput: true,
};

/** The output before a tool when our program fails: the agent asks by its own dialog. */
export const unjudged = beforehand({
  decision: 'let-go',
  message: 'crewmux could not look at this, and it is to be asked about everything.',
});

/** The output before a command in the sandbox. Claude Code's rules to ask and to deny count before it. */
export const allowedInSandbox = beforehand({ decision: 'allow' });

/** `let-go` makes Claude Code ask by its own dialog, and so run the other hook. */
function beforehand({ decision, message }: Said): string {
  if (decision === 'text') return '';
  if (decision === 'allow') return beforeTool('allow', 'The sandbox keeps this command.');
  return beforeTool(decision === 'deny' ? 'deny' : 'ask', message ?? deniedUnsaid);
}

function asked(question: HookQuestion, answer: Said): string {
  const decision = decisionOf(question, answer);
  return decision === undefined ? '' : onRequest(decision);
}

/** A tool that asks a person goes on only when the answer carries an input, even an unchanged one. */
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
      const updatedPermissions = keptIn(suggestions, answer);
      return { behavior: 'allow', ...changed, ...(updatedPermissions.length === 0 ? {} : { updatedPermissions }) };
    }
    case 'let-go':
      return undefined;
  }
}
