// `crewmux status` of a crew whose workers have each a commit and a file that is not committed.
import { execFileSync } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Row, timed } from './measure.ts';
import { openStand, spawnCrowd } from './stand.ts';

const workers = 20;
const rounds = 12;

export async function measureStatus(): Promise<Row[]> {
  const stand = await openStand();
  try {
    const crowd = await spawnCrowd(stand, workers);
    for (const { worktree_path: path = '', name } of crowd) {
      writeFileSync(join(path, `${name}.txt`), name);
      const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: path, env: stand.sandbox.env });
      git('add', '.');
      git('commit', '-qm', `Add ${name}`);
      appendFileSync(join(path, `${name}.txt`), 'more');
    }
    const status = () =>
      execFileSync(process.execPath, ['dist/crewmux.mjs', 'status'], {
        env: { ...stand.sandbox.env, CREWMUX_PROJECT_DIR: stand.repo },
        encoding: 'utf8',
      });
    const shown = status();
    const missing = crowd.filter(({ name }) => !shown.includes(name));
    if (missing.length > 0) throw new Error(`Not shown: ${missing.map(({ name }) => name).join(', ')}\n${shown}`);
    const samples: number[] = [];
    for (let i = 0; i < rounds; i++) samples.push(await timed(async () => void status()));
    return [{ what: `crewmux status, ${workers} workers`, unit: 'ms', samples, target: { p50: 500 } }];
  } finally {
    await stand.dispose();
  }
}
