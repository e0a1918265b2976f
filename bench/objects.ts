// What it costs to fix the objects of a base before a worker starts, in a repository of many files.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspectFolder } from '../src/worktree/git/inspect.ts';
import { fixObjects, type ObjectFixing } from '../src/worktree/objects/fixed-objects.ts';
import { makeSandbox, type Sandbox } from '../test/support/sandbox.ts';
import { type Row, timed } from './measure.ts';

const fileCount = 10_000;
const rounds = 12;

export async function measureObjects(): Promise<Row[]> {
  const sandbox = makeSandbox();
  try {
    const first: number[] = [];
    for (let i = 0; i < 3; i++) first.push((await measureFirst(sandbox, i)).took);
    const { path, fix } = await measureFirst(sandbox, first.length);
    const known: number[] = [];
    const added: number[] = [];
    for (let i = 0; i < rounds; i++) {
      known.push(await fix());
      writeFileSync(join(path, 'added.txt'), `${i}\n`);
      sandbox.git(path, 'add', '-A');
      sandbox.git(path, 'commit', '-q', '-m', `Add ${i}`);
      added.push(await fix());
    }
    return [
      { what: `objects of a base packed first, ${fileCount} loose files`, unit: 'ms', samples: first },
      { what: 'objects of a base that is known', unit: 'ms', samples: known, target: { p50: 5 } },
      { what: 'objects of a base with one commit more', unit: 'ms', samples: added, target: { p50: 30 } },
    ];
  } finally {
    sandbox.dispose();
  }
}

interface Packed {
  readonly path: string;
  readonly took: number;
  /** As before a start; resolves to how long it took. */
  readonly fix: () => Promise<number>;
}

async function measureFirst(sandbox: Sandbox, round: number): Promise<Packed> {
  const path = sandbox.repo(`large-${round}`);
  for (let i = 0; i < fileCount; i++) {
    const folder = join(path, `folder-${i % 100}`);
    if (i < 100) mkdirSync(folder);
    writeFileSync(join(folder, `file-${i}.txt`), `This is file ${i} of round ${round}.\n`.repeat(20));
  }
  sandbox.git(path, 'add', '-A');
  sandbox.git(path, 'commit', '-q', '-m', 'Add all');
  const repo = await inspectFolder({ path, env: sandbox.env });
  if (repo === undefined) throw new Error(`${path} is no repository`);
  const memory = join(sandbox.dir('memory'), `${round}.json`);
  const fixing: ObjectFixing = { repo, path: memory, alone: (act) => act(), tell: () => undefined };
  const fix = () => {
    const tip = sandbox.git(path, 'rev-parse', 'main');
    return timed(() => fixObjects(fixing, [tip]));
  };
  return { path, took: await fix(), fix };
}
