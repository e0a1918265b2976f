// The one door to other programs: argv only, never a shell string.
import type { ChildProcess } from 'node:child_process';
import { execa } from 'execa';
import { defined } from '../model/defined.ts';
import { pause } from './clock.ts';

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
  /** Everything it started is stopped as well: when it is stopped itself, or also when it ends by itself. */
  readonly wholeTree?: 'when-stopped' | 'always';
  /** The system kills its process group when our own process ends in any way. Only with `wholeTree`, without `input`. */
  readonly guard?: Guard;
}

export interface Guard {
  /** Gets the pid of the process group before anything of the program runs. */
  readonly beforeStart: (leaderPid: number) => Promise<void>;
  /** The program has ended; what left its group may still hold its output open. */
  readonly afterEnd?: () => Promise<void>;
}

// The leader holds the other end of its stdin open: what it reads there is our word to begin, and then our end.
const guarded = `exec 3<&0 </dev/null
read -r _ <&3 || exit 125
{ read -r _ <&3; kill -s KILL 0; } >/dev/null 2>&1 &
"$@" 3<&-
exit $?`;

/** Runs a program to its end and returns what it did; a failure is a result, never a throw. */
export async function run(file: string, args: readonly string[], options: RunOptions): Promise<RunResult> {
  const { guard } = options;
  const argv = guard === undefined ? [file, ...args] : ['/bin/sh', '-c', guarded, 'sh', file, ...args];
  const [program = file, ...words] = argv;
  const subprocess = execa(program, words, {
    cwd: options.cwd ?? '/',
    env: options.env,
    extendEnv: false,
    reject: false,
    stripFinalNewline: false,
    ...inputOf(options),
    ...defined({ timeout: options.timeoutMs, cancelSignal: options.signal, detached: options.wholeTree && true }),
  });
  if (options.wholeTree !== undefined) {
    subprocess.once('exit', (_, signal) => {
      if ((signal !== null || options.wholeTree === 'always') && subprocess.pid !== undefined)
        killGroup(subprocess.pid);
    });
  }
  subprocess.once('exit', () => {
    // Whoever got its pipes from it, as a tmux server does, may keep them open for ever.
    if (subprocess.killed) void pause(heldPipesMs).then(() => closePipes(subprocess));
  });
  const { pid, stdin } = subprocess;
  let cleared: Promise<void> | undefined;
  if (guard !== undefined && pid !== undefined && stdin !== null) {
    subprocess.once('exit', () => {
      cleared = guard.afterEnd?.();
      // It may fail while the output is still read, before anybody waits for it.
      cleared?.catch(() => undefined);
    });
    await begin(stdin, guard.beforeStart(pid));
  }
  const result = await subprocess;
  await cleared;
  return {
    exitCode: result.exitCode,
    signal: result.signal,
    stdout: result.stdout ?? '',
    stderr: result.stderr ?? '',
    timedOut: result.timedOut,
    startError: result.exitCode === undefined && result.code !== undefined ? String(result.code) : undefined,
  };
}

/** Runs a program with our own terminal, and resolves to its exit code: 127 where it could not be started. */
export async function handOver(
  file: string,
  args: readonly string[],
  { env, input }: Pick<RunOptions, 'env' | 'input'>,
): Promise<number> {
  const stdin = input === undefined ? { stdin: 'inherit' as const } : { input };
  const terminal = { ...stdin, stdout: 'inherit', stderr: 'inherit' } as const;
  const { exitCode } = await execa(file, args, { env, extendEnv: false, reject: false, ...terminal });
  return exitCode ?? 127;
}

export interface HeldProgram {
  /** Resolves to its exit code, undefined where a signal ended it. */
  readonly ended: Promise<number | undefined>;
  /** Ends its input, which tells it to end; it is killed where it has not within `graceMs`. */
  end(graceMs: number): Promise<void>;
}

/** Starts a program that writes where we write, and whose input ends with us however we end. */
export function startHeld(
  file: string,
  args: readonly string[],
  { cwd, env }: Pick<RunOptions, 'cwd' | 'env'>,
): HeldProgram {
  const program = execa(file, args, {
    ...{ env, extendEnv: false, reject: false, stdin: 'pipe', stdout: 'inherit', stderr: 'inherit' },
    ...defined({ cwd }),
  });
  const ended = program.then(({ exitCode }) => exitCode);
  return {
    ended,
    async end(graceMs) {
      program.stdin?.end();
      await Promise.race([ended, pause(graceMs)]);
      program.kill('SIGKILL');
      await ended;
    },
  };
}

function inputOf({ input, guard }: RunOptions) {
  if (guard !== undefined) return { stdin: 'pipe' as const };
  return input === undefined ? { stdin: 'ignore' as const } : { input };
}

/** Lets the program begin; where what must come first fails, it ends unbegun. */
async function begin(leader: NodeJS.WritableStream, ready: Promise<void>): Promise<void> {
  try {
    await ready;
    leader.write('\n');
  } catch (error) {
    leader.end();
    throw error;
  }
}

const heldPipesMs = 500;

/** Nothing more is read from it, and its end has come once it has ended. */
export function closePipes({ stdio }: Pick<ChildProcess, 'stdio'>): void {
  for (const stream of stdio) stream?.destroy();
}

/** What the leader of a process group left running; its open pipes would keep the result from coming. */
export function killGroup(leaderPid: number): void {
  // The pid may be nobody's any more, and that is fine.
  execa('/bin/sh', ['-c', 'kill -s KILL -- "-$1"', 'sh', String(leaderPid)], {
    env: { PATH: '/bin:/usr/bin' },
    extendEnv: false,
    reject: false,
    stdio: 'ignore',
  }).unref();
}
