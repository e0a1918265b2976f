// Runs once around all test files: their folder for what is temporary, and what tidies it up, however the run ends.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function setup(): void {
  // Short, since the paths of sockets below it may have a hundred bytes.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cm-')));
  spreadOut(folder);
  process.env.TMPDIR = folder;
  const sweeper = spawn(process.execPath, [join(import.meta.dirname, 'sweeper.mjs'), folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: process.env.PATH },
    cwd: '/',
  });
  sweeper.unref();
}

/**
 * Where ext4 makes a file it looks at every inode of that part of the disk that was freed in the last minutes, and
 * tests free thousands: a sixth of a run. This flag gives each folder in this one a part of the disk of its own.
 */
function spreadOut(folder: string): void {
  try {
    execFileSync('chattr', ['+T', folder], { stdio: 'ignore' });
  } catch {
    // another file system, or another system
  }
}
