// Runs one of our scripts in a process of its own, and ends it with the test.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { kill } from 'node:process';
import { buildSync } from 'esbuild';
import { eventually, type Sandbox } from '../support/sandbox.ts';

export interface Child {
  readonly pid: number;
  output(): string;
  /** Resolves with the exit code, or the signal's name. */
  readonly ended: Promise<number | string>;
  kill(signal: NodeJS.Signals): void;
}

export interface Children {
  start(script: string, ...args: string[]): Child;
  /** Starts one and waits until it has said so. */
  startUntil(said: string, script: string, ...args: string[]): Promise<Child>;
  /** Builds one and returns its file. */
  build(script: string): string;
  endAll(): Promise<void>;
}

export function childrenOf(sandbox: Sandbox): Children {
  const started: { readonly process: ChildProcess; readonly child: Child }[] = [];
  const run = (file: string, args: readonly string[]): Child => {
    const process = spawn(file, args, { env: sandbox.env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    let output = '';
    for (const stream of [process.stdout, process.stderr]) {
      stream.on('data', (data) => {
        output += data;
      });
    }
    const child: Child = {
      pid: process.pid ?? 0,
      output: () => output,
      ended: once(process, 'close').then(([code, signal]) => code ?? signal),
      kill: (signal) => process.kill(signal),
    };
    started.push({ process, child });
    return child;
  };
  const start = (script: string, ...args: string[]) =>
    script.endsWith('.ts') ? run(process.execPath, [built(sandbox, script), ...args]) : run(script, args);
  return {
    start,
    async startUntil(said, script, ...args) {
      const child = start(script, ...args);
      await eventually(`${script} says ${said}`, () => child.output().includes(said));
      return child;
    },
    build: (script) => built(sandbox, script),
    async endAll() {
      for (const { child } of started) endGroup(child.pid);
      await Promise.all(started.map(({ child }) => child.ended));
    },
  };
}

// Each child leads a group of its own, which its children are in too.
function endGroup(leader: number): void {
  try {
    kill(-leader, 'SIGKILL');
  } catch {
    // all of it has ended
  }
}

function built(sandbox: Sandbox, script: string): string {
  const outfile = join(sandbox.root, script.replace('.ts', '.mjs'));
  if (existsSync(outfile)) return outfile;
  buildSync({
    entryPoints: [join(import.meta.dirname, 'children', script)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  return outfile;
}
