// Claude Code without a screen: `claude -p`, which answers one question with the tools that read.
import { join } from 'node:path';
import { defined } from '../../model/defined.ts';
import { type Fields, fieldsIn, fieldsOf, listOf, wordOf } from '../../model/json.ts';
import { mapRules, noRules } from '../../model/rule.ts';
import type { ModelTokens } from '../../model/usage.ts';
import {
  type Headless,
  otherLine,
  type PrintedLine,
  type QuestionPlan,
  type QuestionSpec,
  type RunUsage,
} from '../headless.ts';
import { agentEnv, commandsPart, promptWords, sourceFlags, systemPromptPart } from './launch.ts';
import { fromWorktree } from './rule-file.ts';
import { sandboxSettings } from './sandbox.ts';

export const headless: Headless = { ask, readLine };

/** A rule that the user's own settings allow would let a command write where no sandbox holds it. */
const readers = ['Read', 'Glob', 'Grep', 'WebSearch', 'Agent'];
function toolsFor({ sandbox, tools }: QuestionSpec): readonly string[] {
  const all = sandbox === undefined ? readers : [...readers, 'Bash'];
  return all.filter((name) => tools?.includes(name) ?? true);
}

function ask(spec: QuestionSpec): QuestionPlan {
  const { sandbox, leftOut, cwd, env, mark, dir: launchDir, standingPrompt: appendSystemPrompt } = spec;
  const settings = { path: join(launchDir, 'settings.json'), content: settingsFile(spec) };
  const system = systemPromptPart({ launchDir, ...defined({ appendSystemPrompt }) });
  const commands = commandsPart({ launchDir, ...defined({ sandbox }) });
  return {
    argv: [
      ...[...spec.command, '-p', '--output-format', 'stream-json', '--verbose', '--include-partial-messages'],
      ...(spec.resume === undefined ? ['--session-id', spec.agentSessionId] : ['--resume', spec.resume]),
      ...['--settings', settings.path, '--strict-mcp-config', '--permission-mode', 'dontAsk'],
      // `=` keeps the flag, which takes any number of values, from swallowing what follows.
      `--tools=${toolsFor(spec).join(',')}`,
      ...(spec.model === undefined ? [] : ['--model', spec.model]),
      ...system.flags,
      ...sourceFlags({ cwd, leftOut }),
      ...promptWords(spec.question, 'Put a word before it.'),
    ],
    env: { ...agentEnv({ env, mark, sandbox, leftOut }), ...commands.env },
    files: [settings, ...system.files, ...commands.files],
  };
}

function settingsFile({ rules, leftOut, sandbox }: QuestionSpec): string {
  const { rules: more = noRules } = leftOut ?? {};
  const lists = fromWorktree(mapRules((list) => [...rules[list], ...more[list]]));
  const settings = {
    permissions: { disableAutoMode: 'disable', ...lists },
    ...defined({ sandbox: sandbox && sandboxSettings({ sandbox, skipPermissions: false }) }),
  };
  return `${JSON.stringify(settings, null, 2)}\n`;
}

function readLine(line: string): PrintedLine {
  const fields = fieldsIn(line);
  // A subagent talks to its own agent.
  if (typeof fields.parent_tool_use_id === 'string') return otherLine;
  switch (fields.type) {
    case 'system':
      return begun(fields);
    case 'stream_event':
      return piece(fieldsOf(fields.event));
    case 'assistant':
      return said(fieldsOf(fields.message));
    case 'result':
      return ended(fields);
    default:
      return otherLine;
  }
}

function begun({ subtype, session_id: id }: Fields): PrintedLine {
  return subtype === 'init' && typeof id === 'string' ? { is: 'begun', agentSessionId: id } : otherLine;
}

function piece(event: Fields): PrintedLine {
  const delta = fieldsOf(event.delta);
  return delta.type === 'text_delta' ? { is: 'piece', text: wordOf(delta.text) ?? '' } : otherLine;
}

function said({ content }: Fields): PrintedLine {
  const text = listOf(content)
    .map(fieldsOf)
    .flatMap((block) => (block.type === 'text' ? (wordOf(block.text) ?? '') : []))
    .join('\n');
  return text === '' ? otherLine : { is: 'said', text };
}

function ended(fields: Fields): PrintedLine {
  const text = wordOf(fields.result);
  const trouble = fields.is_error === true ? (text ?? wordOf(fields.subtype) ?? 'an error') : undefined;
  return { is: 'ended', usage: usageIn(fields), ...defined(trouble === undefined ? { text } : { trouble }) };
}

/** Of this run with its subagents; the older figures of a conversation that goes on are in other fields. */
function usageIn({ model_usage_since_last_result: used }: Fields): RunUsage {
  const models = Object.entries(fieldsOf(used)).map(([model, counts]) => ({ model, counts: fieldsOf(counts) }));
  const usd = models.reduce((sum, { counts }) => sum + numberOf(counts.costUSD), 0);
  return { of: 'run', tokens: models.map(({ model, counts }) => tokensOf(model, counts)), usd };
}

function tokensOf(model: string, counts: Fields): ModelTokens {
  const cacheWriteTokens = numberOf(counts.cacheCreationInputTokens);
  return {
    model,
    inputTokens: numberOf(counts.inputTokens),
    outputTokens: numberOf(counts.outputTokens),
    cacheTokens: numberOf(counts.cacheReadInputTokens) + cacheWriteTokens,
    ...(cacheWriteTokens > 0 && { cacheWriteTokens }),
  };
}

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);
