// What the tools of a script really do.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fieldsOf, listOf, wordOf } from '../../model/json.ts';
import { startShell, startSubagent } from './background.ts';
import type { Verdict } from './permission.ts';
import { fine, runCommand, type ToolResult } from './shell.ts';
import type { Stage } from './stage.ts';
import type { ToolUse } from './tool-use.ts';

/** Never throws: what goes wrong is the result. */
export async function useTool(
  stage: Stage,
  use: ToolUse,
  options: { readonly signal: AbortSignal; readonly choice: number | undefined },
): Promise<ToolResult> {
  const { input } = use;
  const path = wordOf(input.file_path) ?? '';
  try {
    switch (use.name) {
      case 'Write':
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, wordOf(input.content) ?? '');
        return fine(`File created successfully at: ${path}`);
      case 'Read':
        return fine(readFileSync(path, 'utf8'));
      case 'AskUserQuestion':
        return answerOf(use, options.choice);
      case 'ExitPlanMode':
        return fine('User has approved your plan. You can now start coding.');
      case 'Agent':
        return fine(startSubagent(stage, use));
      default:
        return input.run_in_background === true
          ? fine(startShell(stage, use))
          : await runCommand(stage, wordOf(input.command) ?? '', options.signal);
    }
  } catch (error) {
    return { content: error instanceof Error ? error.message : String(error), isError: true };
  }
}

function answerOf({ input }: ToolUse, choice: number | undefined): ToolResult {
  const asked = fieldsOf(listOf(input.questions)[0]);
  const question = wordOf(asked.question) ?? '';
  const told = wordOf(fieldsOf(input.answers)[question]);
  const label = told ?? wordOf(fieldsOf(listOf(asked.options)[choice ?? 0]).label);
  return label === undefined
    ? { content: `The user wants to clarify these questions.\n- "${question}"`, isError: true }
    : fine(
        `User has answered your questions: "${question}"="${label}". You can now continue with these answers in mind.`,
      );
}

/** What a refusal of the mode or a hook tells the model; undefined where the tool may be used or the turn ends. */
export const denial = (verdict: Verdict): ToolResult | undefined =>
  verdict.may === 'no' ? { content: verdict.why, isError: true } : undefined;
