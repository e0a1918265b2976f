// Real shells with two programs to find: `ok`, which does nothing, and `bad`, which leaves a trace.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Shells {
  /** Runs the line in every shell there is; names those in which `bad` was run. */
  traitors(line: string): readonly string[];
  dispose(): void;
}

const runners = ['env', 'xargs', 'nohup', 'nice', 'timeout', 'cat', 'tee', 'rm', 'find'];

export function openShells(): Shells {
  const dir = mkdtempSync(join(tmpdir(), 'crewmux-shells-'));
  const trace = join(dir, 'trace');
  const bin = join(dir, 'bin');
  const work = join(dir, 'work');
  for (const folder of [bin, work]) spawnSync('mkdir', [folder]);
  writeFileSync(join(bin, 'ok'), '#!/bin/sh\nexit 0\n', { mode: 0o700 });
  writeFileSync(join(bin, 'bad'), `#!/bin/sh\necho bad >> '${trace}'\n`, { mode: 0o700 });
  const shells = ['bash', 'dash', 'zsh', 'ksh'].flatMap((name) => pathOf(name));
  for (const path of [...shells, ...runners.flatMap(pathOf), ...pathOf('sh')]) {
    symlinkSync(path, join(bin, path.replace(/^.*\//, '')));
  }
  return {
    traitors: (line) =>
      shells.filter((shell) => {
        rmSync(trace, { force: true });
        const env = { PATH: bin, HOME: work };
        spawnSync(shell, ['-c', line], { cwd: work, env, stdio: 'ignore', timeout: 3_000, killSignal: 'SIGKILL' });
        return existsSync(trace);
      }),
    dispose: () => rmSync(dir, { recursive: true, force: true }),
  };
}

const pathOf = (name: string): readonly string[] =>
  ['/usr/bin', '/bin', '/usr/local/bin', '/opt/homebrew/bin']
    .map((dir) => join(dir, name))
    .filter(existsSync)
    .slice(0, 1);
