// Work that goes on behind the conversation, and comes back to it as a prompt of its own.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isoTime } from '../../model/clock.ts';
import { newNonce } from '../../model/ids.ts';
import { type Fields, wordOf } from '../../model/json.ts';
import { permit } from './permission.ts';
import { notice } from './queue.ts';
import { holdPath, rest, untilFile } from './rest.ts';
import { type Directive, parseScript, secondsIn } from './script.ts';
import { runCommand } from './shell.ts';
import { type Stage, show, type Task } from './stage.ts';
import { type ToolUse, toolUseOf } from './tool-use.ts';

/** Starts the shell and returns what the model is told at once. */
export function startShell(stage: Stage, use: ToolUse): string {
  const id = `b${newNonce()}`;
  const command = wordOf(use.input.command) ?? '';
  const task: Task = { id, type: 'shell', status: 'running', description: command, command };
  follow(stage, { task, use }, async () => {
    const { isError } = await runCommand(stage, command, stage.life);
    return { summary: `Background command "${command}" completed (exit code ${isError ? 1 : 0})`, result: undefined };
  });
  return `Command running in background with ID: ${id}. You will be notified when it completes.`;
}

export function startSubagent(stage: Stage, use: ToolUse): string {
  const id = `a${newNonce()}`;
  const description = wordOf(use.input.description) ?? '';
  const task: Task = { id, type: 'subagent', status: 'running', description };
  follow(stage, { task, use }, async () => {
    const result = await playSubagent(stage, id, wordOf(use.input.prompt) ?? '');
    return { summary: `Agent "${description}" finished`, result };
  });
  return `Async agent launched successfully.\nagentId: ${id}\nYou will be notified automatically when it completes.`;
}

interface Done {
  readonly summary: string;
  readonly result: string | undefined;
}

function follow(stage: Stage, { task, use }: { task: Task; use: ToolUse }, work: () => Promise<Done>): void {
  stage.tasks.set(task.id, task);
  show(stage);
  const failed = (error: unknown): Done => ({ summary: `Background task failed: ${error}`, result: undefined });
  void work()
    .catch(failed)
    .then(({ summary, result }) => {
      if (stage.life.aborted) return;
      stage.tasks.delete(task.id);
      notice(stage, notification({ task, use, summary, result }));
    });
}

const notification = ({ task, use, summary, result }: { task: Task; use: ToolUse } & Done): string =>
  [
    '<task-notification>',
    `<task-id>${task.id}</task-id>`,
    `<tool-use-id>${use.id}</tool-use-id>`,
    '<status>completed</status>',
    `<summary>${summary}</summary>`,
    ...(result === undefined ? [] : [`<result>${result}</result>`]),
    '</task-notification>',
  ].join('\n');

/** A model takes its time; meanwhile the turn that started it ends. */
const firstWordMs = 300;

/** Its lines go to a file of its own, marked as beside the conversation. */
async function playSubagent(stage: Stage, agentId: string, prompt: string): Promise<string> {
  const base = join(stage.transcript.path.replace(/\.jsonl$/, ''), 'subagents', `agent-${agentId}`);
  mkdirSync(dirname(base), { recursive: true, mode: 0o700 });
  const write = (fields: Fields) => {
    const line = {
      isSidechain: true,
      agentId,
      ...fields,
      timestamp: isoTime(stage.clock.now()),
      sessionId: stage.transcript.agentSessionId,
    };
    appendFileSync(`${base}.jsonl`, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  };
  write({ type: 'user', message: { role: 'user', content: prompt } });
  const said: string[] = [];
  await rest(firstWordMs, stage.life);
  for (const directive of parseScript(prompt)) {
    const text = await playOne(stage, agentId, directive);
    if (text !== undefined) said.push(text);
  }
  const text = said.join('\n') || 'Done.';
  write({ type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text }] } });
  writeFileSync(`${base}.meta.json`, JSON.stringify({ agentType: 'general-purpose', finished: true }), { mode: 0o600 });
  return text;
}

async function playOne(stage: Stage, agentId: string, directive: Directive): Promise<string | undefined> {
  switch (directive.word) {
    case 'SAY':
      return directive.rest;
    case 'SLEEP':
    case 'SLOW':
      await rest(secondsIn(directive.rest) * 1_000, stage.life);
      return undefined;
    case 'HOLD':
      await untilFile(holdPath(stage, directive.rest), stage.life);
      return undefined;
    case 'BASH': {
      const use = toolUseOf(directive, stage.cwd);
      const verdict = await permit(stage, use, { signal: stage.life, agentId });
      if (verdict.may !== 'yes') return 'not permitted';
      return (await runCommand(stage, directive.rest, stage.life)).content;
    }
    default:
      return undefined;
  }
}
