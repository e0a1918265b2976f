// A demo that is played by the built program, in a sandbox where all that it leaves is seen.
import { execFileSync, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, type Sandbox } from '../support/sandbox.ts';
import { bundle } from './crew.ts';

/** The whole demo takes as long as a machine makes it take; this is for one that never ends. */
export const demoCeilingMs = 600_000;

export interface Demo {
  said(): string;
  press(key: string): void;
  /** Closes the pipe that it writes to, as `head` does. */
  stopReading(): void;
  kill(signal: NodeJS.Signals): void;
  hasEnded(): boolean;
  until(what: string, text: string): Promise<void>;
  /** Its exit code. */
  ended(): Promise<number | null>;
}

export function startDemo({ env }: Pick<Sandbox, 'env'>, ...args: string[]): Demo {
  const child = spawn(process.execPath, [bundle, 'demo', ...args], { env, stdio: 'pipe' });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      said += String(chunk);
    });
  }
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    said: () => said,
    press: (key) => void child.stdin.write(key),
    stopReading: () => void child.stdout.destroy(),
    kill: (signal) => void child.kill(signal),
    hasEnded,
    async until(what, text) {
      await eventually(what, () => said.includes(text) || hasEnded(), demoCeilingMs);
    },
    async ended() {
      await eventually('the demo has ended', hasEnded, demoCeilingMs);
      return child.exitCode;
    },
  };
}

/** What lies in the sandbox's temporary folder, and processes whose command line names it. */
export function leftovers({ root }: Sandbox): readonly string[] {
  const tmp = join(root, 'tmp');
  const processes = execFileSync('ps', ['-A', '-ww', '-o', 'args='], { encoding: 'utf8' }).split('\n');
  return [...readdirSync(tmp), ...processes.filter((args) => args.includes(tmp))];
}
