// May a tool be used: by the mode and the rules, else a dialog that a person or a hook answers.

import { type Fields, fieldsOf, wordOf } from '../../model/json.ts';
import type { Rules } from '../../model/rule.ts';
import { type Dialog, permissionDialog, planDialog, questionDialog } from './dialog.ts';
import type { Before } from './hooks.ts';
import { ask, type Stage, show } from './stage.ts';
import type { ToolUse } from './tool-use.ts';

export type Verdict =
  | { readonly may: 'yes'; readonly input: Fields; readonly choice: number | undefined }
  /** The model is told why and goes on. */
  | { readonly may: 'no'; readonly why: string }
  /** The person wants it to stop. */
  | { readonly may: 'stop' };

const harmless = /^\s*(?:ls|cat|pwd|head|tail|wc|echo|date|true|git (?:status|log|diff|show))\b[^;&|<>$`\n]*$/;

/** What the mode says without anybody being asked; undefined when somebody must be. Pure. */
export function byMode(mode: string, { name, input }: ToolUse, rules: Rules): 'yes' | 'no' | undefined {
  if (name === 'AskUserQuestion' || name === 'ExitPlanMode') return undefined;
  if (name === 'Read' || name === 'Agent') return 'yes';
  const command = wordOf(input.command) ?? '';
  const fits = (rule: string) => ruleFits(rule, name, command);
  if (rules.deny.some(fits)) return 'no';
  if (name === 'Bash' && harmless.test(command)) return 'yes';
  if (mode === 'bypassPermissions' || mode === 'auto') return 'yes';
  if (rules.ask.some(fits)) return mode === 'dontAsk' ? 'no' : undefined;
  if (mode === 'acceptEdits' && name === 'Write') return 'yes';
  if (rules.allow.some(fits)) return 'yes';
  return mode === 'dontAsk' ? 'no' : undefined;
}

function ruleFits(rule: string, name: string, command: string): boolean {
  const [, tool, pattern] = /^(\w+)(?:\((.*)\))?$/s.exec(rule) ?? [];
  if (tool !== name && !(tool === 'Edit' && name === 'Write')) return false;
  if (pattern === undefined || pattern === '*' || (name === 'Write' && pattern === './**')) return true;
  const prefix = /^(.*?)(?::\*| \*)$/s.exec(pattern)?.[1];
  return prefix === undefined ? command === pattern : command === prefix || command.startsWith(`${prefix} `);
}

function dialogFor({ name, input }: ToolUse, stage: Stage, bySubagent: boolean): Dialog {
  if (name === 'AskUserQuestion') return questionDialog(input);
  if (name === 'ExitPlanMode') return planDialog;
  return permissionDialog({ tool: name, input, cwd: stage.cwd, bySubagent });
}

/** Resolves with `stop` also when `signal` aborts. */
export async function permit(
  stage: Stage,
  use: ToolUse,
  options: { readonly signal: AbortSignal; readonly agentId?: string },
): Promise<Verdict> {
  const before = await beforeUse(stage, use);
  if (before?.word === 'deny') return { may: 'no', why: `PreToolUse:${use.name} hook error: ${before.reason}` };
  if (before?.word === 'allow') return { may: 'yes', input: use.input, choice: undefined };
  const decided = before?.word === 'ask' ? undefined : byMode(stage.permissionMode, use, stage.rules());
  if (decided === 'yes') return { may: 'yes', input: use.input, choice: undefined };
  if (decided === 'no') {
    return { may: 'no', why: `Permission to use ${use.name} has been denied.` };
  }
  const over = new AbortController();
  const signal = AbortSignal.any([options.signal, over.signal]);
  const dialog = dialogFor(use, stage, options.agentId !== undefined);
  // The hook runs beside the dialog and is not told when a person was quicker.
  const byHook = hookVerdict(stage, use, options.agentId);
  const byPerson = ask(stage, dialog, signal).then((choice) => personsVerdict(stage, use, { choice, dialog }));
  const first = await Promise.race([byPerson, byHook.then((verdict) => verdict ?? byPerson)]);
  over.abort();
  if (options.signal.aborted) return { may: 'stop' };
  if (first.may !== 'stop') show(stage);
  return first;
}

async function beforeUse(stage: Stage, { id, name, input }: ToolUse): Promise<Before | undefined> {
  const payload = { tool_name: name, tool_input: input, tool_use_id: id };
  return (await stage.hooks.run('PreToolUse', payload, { about: name, signal: stage.life })).before;
}

async function hookVerdict(stage: Stage, use: ToolUse, agentId: string | undefined): Promise<Verdict | undefined> {
  const { decision } = await stage.hooks.run(
    'PermissionRequest',
    {
      ...(agentId === undefined ? {} : { agent_id: agentId, agent_type: 'general-purpose' }),
      tool_name: use.name,
      tool_input: use.name === 'ExitPlanMode' ? {} : use.input,
      permission_suggestions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
    },
    { about: use.name, signal: stage.life },
  );
  if (decision === undefined) return undefined;
  if (decision.behavior !== 'allow') return { may: 'no', why: wordOf(decision.message) ?? 'Denied by a hook.' };
  // A tool that asks a person itself is let go on only with an input given anew.
  const asksItself = use.name === 'AskUserQuestion' || use.name === 'ExitPlanMode';
  if (asksItself && decision.updatedInput === undefined) return undefined;
  const input = decision.updatedInput === undefined ? use.input : fieldsOf(decision.updatedInput);
  return { may: 'yes', input, choice: 0 };
}

function personsVerdict(
  stage: Stage,
  use: ToolUse,
  { choice, dialog }: { readonly choice: number | undefined; readonly dialog: Dialog },
): Verdict {
  const isQuestion = use.name === 'AskUserQuestion';
  if (choice === undefined || (choice === dialog.count - 1 && !isQuestion)) return { may: 'stop' };
  if (use.name === 'Write' && choice === 1) stage.permissionMode = 'acceptEdits';
  if (use.name === 'ExitPlanMode') stage.permissionMode = 'default';
  return { may: 'yes', input: use.input, choice };
}
