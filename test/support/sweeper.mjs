// Outlives a run of tests, however that ends: ends and removes what its sandboxes have left, then itself.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** Each sandbox of the run has written its folder there. */
const [list = ''] = process.argv.slice(2);

// The other end of it closes with the main process of the run, also where that is killed.
process.stdin.resume().on('close', sweep);

async function sweep() {
  for (const socket of rootsNow().flatMap(socketsIn)) endServer(socket);
  // Until the last worker of the run has ended, there may be more of them.
  for (let round = 0; round < 50 && killAll([list, ...rootsNow()]) > 0; round++) await wait(100);
  for (const folder of rootsNow().flatMap(withCopies)) {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
  rmSync(list, { force: true });
}

const rootsNow = () => (existsSync(list) ? readFileSync(list, 'utf8').split('\n').filter(isOurs) : []);

/** What is removed unasked is looked at twice. */
function isOurs(root) {
  return /^crewmux-test-\w{6}$/.test(basename(root));
}

function socketsIn(root) {
  return namesIn(join(root, 'tmux')).flatMap((user) =>
    namesIn(join(root, 'tmux', user)).map((name) => join(root, 'tmux', user, name)),
  );
}

function endServer(socket) {
  try {
    execFileSync('tmux', ['-S', socket, 'kill-server'], { stdio: 'ignore', timeout: 5_000 });
  } catch {
    // it has ended by itself
  }
}

/** Kills every process whose environment names one of them; returns how many there were. */
function killAll(marks) {
  const pids = namesIn('/proc').filter(
    (name) => /^\d+$/.test(name) && marks.some((mark) => environmentOf(name).includes(mark)),
  );
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

function withCopies(root) {
  const names = namesIn(dirname(root)).filter((name) => name.startsWith(`${basename(root)}.kept-`));
  return [root, ...names.map((name) => join(dirname(root), name))];
}

function namesIn(folder) {
  return existsSync(folder) ? readdirSync(folder) : [];
}
