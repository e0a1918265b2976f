// `crewmux keep` on a stand, as a person starts it in a terminal.
import { spawn } from 'node:child_process';
import { eventually } from '../support/sandbox.ts';
import { agentCommand, bundle } from './crew.ts';
import type { JobStand } from './job-stand.ts';

export interface Keeper {
  readonly pid: number;
  /** What it has printed. */
  said(): string;
  /** Resolves to its exit code; null where a signal has ended it. */
  readonly ended: Promise<number | null>;
}

/** Resolves when it keeps. */
export async function keepOn(
  stand: Pick<JobStand, 'sandbox' | 'repo' | 'config'>,
  more: Readonly<Record<string, string>> = {},
): Promise<Keeper> {
  const own = { CREWMUX_CONFIG: stand.config, CREWMUX_COMMAND: agentCommand.join(' ') };
  const child = spawn(process.execPath, [bundle, 'keep'], {
    cwd: stand.repo,
    env: { ...stand.sandbox.env, ...own, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      text += String(chunk);
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  await eventually('it keeps', () => text.includes('keep: keeps'));
  return { pid: child.pid ?? 0, said: () => text, ended };
}
