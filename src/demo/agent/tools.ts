// Runs the tools of a script, also those that go on in the background.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { defined } from '../../model/defined.ts';
import { newNonce } from '../../model/ids.ts';
import { type Fields, fieldsOf, listOf, wordOf } from '../../model/json.ts';
import { taskNotification } from './lines.ts';
import { parseScript, rest, type ScriptedToolUse, secondsIn, untilHeldFile } from './script.ts';
import { notice, type ScriptedTask, type Stage, show } from './stage.ts';

export interface ScriptedToolResult {
  readonly content: string;
  readonly isError: boolean;
}

const fine = (content: string): ScriptedToolResult => ({ content, isError: false });

export interface ToolRun {
  readonly signal: AbortSignal;
  /** The choice in the tool's dialog. */
  readonly choice: number | undefined;
}

/** Never throws: an error is the result. */
export async function runTool(
  stage: Stage,
  use: ScriptedToolUse,
  { signal, choice }: ToolRun,
): Promise<ScriptedToolResult> {
  const { name, input } = use;
  const path = wordOf(input.file_path) ?? '';
  try {
    switch (name) {
      case 'Write':
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, wordOf(input.content) ?? '');
        return fine(`File created successfully at: ${path}`);
      case 'AskUserQuestion':
        return answerOf(input, choice);
      case 'ExitPlanMode':
        return fine('User has approved your plan. You can now start coding.');
      case 'Agent':
        return fine(startSubagent(stage, use));
      default: {
        const command = wordOf(input.command) ?? '';
        if (input.run_in_background === true) return fine(startShell(stage, use, command));
        return await runCommand(stage, command, signal);
      }
    }
  } catch (error) {
    return { content: error instanceof Error ? error.message : String(error), isError: true };
  }
}

function answerOf(input: Fields, choice: number | undefined): ScriptedToolResult {
  const asked = fieldsOf(listOf(input.questions)[0]);
  const question = wordOf(asked.question) ?? '';
  const byHook = wordOf(fieldsOf(input.answers)[question]);
  const label = byHook ?? wordOf(fieldsOf(listOf(asked.options)[choice ?? 0]).label);
  if (label === undefined) {
    return { content: `The user wants to clarify these questions.\n- "${question}"`, isError: true };
  }
  return fine(`User has answered your questions: "${question}"="${label}". You can now continue with it in mind.`);
}

const longestOutput = 30_000;

async function runCommand(stage: Stage, command: string, signal: AbortSignal): Promise<ScriptedToolResult> {
  const { run } = await import('../../system/exec.ts');
  const { exitCode, stdout, stderr } = await run('/bin/sh', ['-c', command], {
    cwd: stage.cwd,
    env: { ...stage.env, CLAUDECODE: '1' },
    signal,
    wholeTree: 'when-stopped',
  });
  const output = [stdout, stderr].join('').trimEnd().slice(0, longestOutput);
  if (exitCode === 0) return fine(output === '' ? '(Bash completed with no output)' : output);
  return { content: `Exit code ${exitCode ?? 'none'}\n${output}`, isError: true };
}

function startShell(stage: Stage, use: ScriptedToolUse, command: string): string {
  const id = follow(stage, { use, type: 'shell', description: command }, async () => {
    const { isError } = await runCommand(stage, command, stage.life);
    return { summary: `Background command "${command}" completed (exit code ${isError ? 1 : 0})` };
  });
  return `Command running in background with ID: ${id}. You will be notified when it completes.`;
}

function startSubagent(stage: Stage, use: ScriptedToolUse): string {
  const description = wordOf(use.input.description) ?? '';
  const id = follow(stage, { use, type: 'subagent', description }, async () => {
    const result = await playSubagent(stage, wordOf(use.input.prompt) ?? '');
    return { summary: `Agent "${description}" finished`, result };
  });
  return `Async agent launched successfully.\nagentId: ${id}\nYou will be notified automatically when it completes.`;
}

interface Done {
  readonly summary: string;
  readonly result?: string;
}

type Background = Pick<ScriptedTask, 'type' | 'description'> & { readonly use: ScriptedToolUse };

/** Starts a task and returns its id; when it ends, its news comes back to the conversation as a prompt. */
function follow(stage: Stage, { use, type, description }: Background, work: () => Promise<Done>): string {
  const id = newNonce();
  stage.tasks.set(id, { id, type, status: 'running', description });
  show(stage);
  void work()
    .catch((error: unknown): Done => ({ summary: `Background task failed: ${error}` }))
    .then(({ summary, result }) => {
      if (stage.life.aborted) return;
      stage.tasks.delete(id);
      notice(stage, taskNotification({ taskId: id, toolUseId: use.id, summary, ...defined({ result }) }));
    });
  return id;
}

/** A model takes its time; meanwhile the turn that started it ends. */
const firstWordMs = 300;

async function playSubagent({ configDir, life }: Stage, prompt: string): Promise<string> {
  const said: string[] = [];
  await rest(firstWordMs, life);
  for (const { word, rest: words } of parseScript(prompt)) {
    if (word === 'SAY') said.push(words);
    if (word === 'SLEEP') await rest(secondsIn(words) * 1_000, life);
    if (word === 'HOLD') await untilHeldFile(configDir, words, life);
  }
  return said.join('\n') || 'Done.';
}
