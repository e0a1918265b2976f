// May a tool run: by the mode and the rules, else by a dialog that a person or a hook answers.
import { type Fields, fieldsOf, listOf, wordOf } from '../../model/json.ts';
import type { Rules } from '../../model/rule.ts';
import { dialogFor, type ScriptedDialog } from './dialog.ts';
import type { ScriptedToolUse } from './script.ts';
import { ask, type Stage, show } from './stage.ts';

export type PermissionVerdict =
  | { readonly may: 'yes'; readonly input: Fields; readonly choice: number | undefined }
  /** The model reads the reason and goes on. */
  | { readonly may: 'no'; readonly why: string }
  /** The person wants the turn to stop. */
  | { readonly may: 'stop' };

const harmless = /^\s*(?:ls|cat|pwd|echo|date|true)\b[^;&|<>$`\n]*$/;

const asksItself = (name: string): boolean => name === 'AskUserQuestion' || name === 'ExitPlanMode';

/** The verdict of mode and rules; undefined where somebody must answer. */
function byMode(mode: string, { name, input }: ScriptedToolUse, rules: Rules): 'yes' | 'no' | undefined {
  if (asksItself(name)) return undefined;
  const command = wordOf(input.command) ?? '';
  const fits = (rule: string) => ruleFits(rule, name, command);
  if (rules.deny.some(fits)) return 'no';
  if (name === 'Agent' || mode === 'bypassPermissions' || (name === 'Bash' && harmless.test(command))) return 'yes';
  if (rules.ask.some(fits)) return undefined;
  return (mode === 'acceptEdits' && name === 'Write') || rules.allow.some(fits) ? 'yes' : undefined;
}

function ruleFits(rule: string, name: string, command: string): boolean {
  const [, tool, pattern] = /^(\w+)(?:\((.*)\))?$/s.exec(rule) ?? [];
  if (tool !== name && !(tool === 'Edit' && name === 'Write')) return false;
  if (pattern === undefined || name === 'Write') return pattern === undefined || pattern === './**';
  const prefix = /^(.*?)(?::\*| \*)$/s.exec(pattern)?.[1];
  return prefix === undefined ? command === pattern : command === prefix || command.startsWith(`${prefix} `);
}

/** Resolves with `stop` also when `signal` aborts. */
export async function permit(stage: Stage, use: ScriptedToolUse, signal: AbortSignal): Promise<PermissionVerdict> {
  const { id, name, input } = use;
  const payload = { tool_name: name, tool_input: input, tool_use_id: id };
  const { before } = await stage.hooks.run('PreToolUse', payload, stage.life);
  if (before?.word === 'deny') return { may: 'no', why: `PreToolUse:${name} hook error: ${before.reason}` };
  const decided = before?.word === 'ask' ? undefined : byMode(stage.permissionMode, use, stage.rules());
  if (decided === 'yes') return { may: 'yes', input, choice: undefined };
  if (decided === 'no') return { may: 'no', why: `Permission to use ${name} has been denied.` };
  const over = new AbortController();
  const dialog = dialogFor(use, stage.cwd);
  // The hook runs beside the dialog and does not learn that a person was quicker.
  const byHook = hookVerdict(stage, use);
  const byPerson = ask(stage, dialog, AbortSignal.any([signal, over.signal])).then((choice) =>
    personsVerdict(stage, use, dialog, choice),
  );
  const first = await Promise.race([byPerson, byHook.then((verdict) => verdict ?? byPerson)]);
  over.abort();
  if (signal.aborted) return { may: 'stop' };
  if (first.may !== 'stop') show(stage);
  return first;
}

async function hookVerdict(stage: Stage, { name, input }: ScriptedToolUse): Promise<PermissionVerdict | undefined> {
  const { decision } = await stage.hooks.run(
    'PermissionRequest',
    {
      tool_name: name,
      tool_input: name === 'ExitPlanMode' ? {} : input,
      permission_suggestions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
    },
    stage.life,
  );
  if (decision === undefined) return undefined;
  for (const update of listOf(decision.updatedPermissions).map(fieldsOf)) {
    if (update.type === 'setMode') stage.permissionMode = wordOf(update.mode) ?? stage.permissionMode;
  }
  if (decision.behavior !== 'allow') return { may: 'no', why: wordOf(decision.message) ?? 'Denied by a hook.' };
  // A tool that asks a person itself goes on only with a new input.
  if (asksItself(name) && decision.updatedInput === undefined) return undefined;
  return {
    may: 'yes',
    input: decision.updatedInput === undefined ? input : fieldsOf(decision.updatedInput),
    choice: 0,
  };
}

function personsVerdict(
  stage: Stage,
  { name, input }: ScriptedToolUse,
  { count }: ScriptedDialog,
  choice: number | undefined,
): PermissionVerdict {
  if (choice === undefined || (choice === count - 1 && name !== 'AskUserQuestion')) return { may: 'stop' };
  if (name === 'Write' && choice === 1) stage.permissionMode = 'acceptEdits';
  if (name === 'ExitPlanMode') stage.permissionMode = 'default';
  return { may: 'yes', input, choice };
}
