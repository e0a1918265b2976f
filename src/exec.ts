// The one door to other programs: argv only, never a shell string.
import { execa } from 'execa';

export interface RunResult {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
  /** `ENOENT` and its like, when the program could not be started at all. */
  readonly startError: string | undefined;
}

export interface RunOptions {
  readonly cwd?: string;
  /** The whole environment of the child; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** Runs a program to its end and returns what it did; a failure is a result, never a throw. */
export async function run(file: string, args: readonly string[], options: RunOptions): Promise<RunResult> {
  const result = await execa(file, args, {
    cwd: options.cwd ?? '/',
    env: options.env,
    extendEnv: false,
    reject: false,
    stripFinalNewline: false,
    ...(options.input === undefined ? { stdin: 'ignore' as const } : { input: options.input }),
    ...(options.timeoutMs === undefined ? {} : { timeout: options.timeoutMs }),
    ...(options.signal === undefined ? {} : { cancelSignal: options.signal }),
  });
  return {
    exitCode: result.exitCode,
    signal: result.signal,
    stdout: result.stdout ?? '',
    stderr: result.stderr ?? '',
    timedOut: result.timedOut,
    startError: result.exitCode === undefined && result.code !== undefined ? String(result.code) : undefined,
  };
}
