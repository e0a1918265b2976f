// A `git` that writes down with what words it was started, and then is git.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from './sandbox.ts';

export interface GitStarts {
  /** With it before all others. */
  readonly path: string;
  /** The starts since the last call, one line each. */
  taken(): readonly string[];
}

export function countGitStarts(sandbox: Sandbox): GitStarts {
  const { PATH: path = '' } = sandbox.env;
  const folder = sandbox.dir('counting');
  const log = join(sandbox.root, 'git-starts');
  const script = `#!/bin/sh\nprintf '%s\\n' "$*" >> '${log}'\nPATH='${path}'\nexec git "$@"\n`;
  writeFileSync(join(folder, 'git'), script, { mode: 0o700 });
  return {
    path: `${folder}:${path}`,
    taken() {
      const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(0, -1) : [];
      rmSync(log, { force: true });
      return lines;
    },
  };
}
