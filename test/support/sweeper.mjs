// Outlives a run of tests, however that ends: ends and removes what its sandboxes have left, then itself.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** All that the run makes is in it. */
const [folder = ''] = process.argv.slice(2);

// The other end of it closes with the main process of the run, also where that is killed.
process.stdin.resume().on('close', sweep);

async function sweep() {
  // What is removed unasked is looked at twice.
  if (!/^cm-\w{6}$/.test(basename(folder))) return;
  for (const socket of namesIn(folder).flatMap(socketsIn)) endServer(socket);
  // Until the last worker of the run has ended, there may be more of them.
  for (let round = 0; round < 50 && killAll() > 0; round++) await wait(100);
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

function socketsIn(name) {
  const tmux = join(folder, name, 'tmux');
  return namesIn(tmux).flatMap((user) => namesIn(join(tmux, user)).map((socket) => join(tmux, user, socket)));
}

function endServer(socket) {
  try {
    execFileSync('tmux', ['-S', socket, 'kill-server'], { stdio: 'ignore', timeout: 5_000 });
  } catch {
    // it has ended by itself
  }
}

/** Kills every process whose environment names the folder; returns how many there were. */
function killAll() {
  const pids = namesIn('/proc').filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(folder));
  for (const pid of pids) {
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch {
      // it has just ended
    }
  }
  return pids.length;
}

function environmentOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
}

function namesIn(path) {
  return existsSync(path) ? readdirSync(path) : [];
}
