// Runs once around all test files: starts what tidies up after a run that is ended before its tests are.
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newNonce } from '../../src/model/ids.ts';

export function setup(): void {
  const list = join(tmpdir(), `crewmux-run-${newNonce()}`);
  process.env.CREWMUX_TEST_RUN = list;
  const sweeper = spawn(process.execPath, [join(import.meta.dirname, 'sweeper.mjs'), list], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: process.env.PATH },
    cwd: '/',
  });
  sweeper.unref();
}
