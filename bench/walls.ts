// What our `bwrap` costs each command of a sandboxed worker, beside the real one alone.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { findBubblewrap } from '../src/worktree/landing/sandbox-probe.ts';
import { makeSandbox, type Sandbox } from '../test/support/sandbox.ts';
import { walledTree } from '../test/support/walled-tree.ts';
import { percentile, type Row, timed } from './measure.ts';

const rounds = 60;

export async function measureWalls(): Promise<Row[]> {
  const sandbox = makeSandbox();
  try {
    return await measureIn(sandbox);
  } finally {
    sandbox.dispose();
  }
}

async function measureIn(sandbox: Sandbox): Promise<Row[]> {
  const found = await findBubblewrap(sandbox.env);
  if ('missing' in found) throw new Error(found.missing);
  const of = walledTree(sandbox, { name: 'project', bwrap: found.program });
  const { worktree, commonDir } = of.walls;
  // As many words and mounts as Claude Code 2.1.329 passes, some of them in git's folder.
  const settings = Array.from({ length: 40 }, (_, at) => ['--setenv', `X${at}`, 'y'.repeat(60)]).flat();
  const [inTree, inGit] = [worktree, join(commonDir, 'hooks')].map((path) => ['--ro-bind', path, path]);
  const mounts = [
    ...Array.from({ length: 40 }, () => inTree ?? []),
    ...Array.from({ length: 20 }, () => inGit ?? []),
  ].flat();
  const view = ['--ro-bind', '/', '/', '--bind', worktree, worktree, '--bind', commonDir, commonDir];
  const line = [
    ...settings,
    ...view,
    ...mounts,
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    '--unshare-pid',
    '--',
    'sh',
    '-c',
    ':',
  ];
  const [bare, walled]: [number[], number[]] = [[], []];
  for (let i = 0; i < rounds; i++) {
    bare.push(await timed(async () => spawnSync(found.program, line, { env: sandbox.env })));
    walled.push(await timed(async () => of.run(...line)));
  }
  const more = percentile(walled, 0.5) - percentile(bare, 0.5);
  return [
    { what: 'a command in bubblewrap', unit: 'ms', samples: bare },
    { what: 'the same behind the walls', unit: 'ms', samples: walled },
    { what: 'what the walls cost a command', unit: 'ms', samples: [more], target: { p50: 5 } },
  ];
}
