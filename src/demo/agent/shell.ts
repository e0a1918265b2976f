// Runs a command line in the working folder.
import type { Stage } from './stage.ts';

export interface ToolResult {
  readonly content: string;
  readonly isError: boolean;
}

export const fine = (content: string): ToolResult => ({ content, isError: false });

const longestOutput = 30_000;

export async function runCommand(stage: Stage, command: string, signal: AbortSignal): Promise<ToolResult> {
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
