import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { expect } from 'vitest';
import { planSync } from '../../src/model/train.ts';
import { type FolderFacts, inspectFolder } from '../../src/worktree/git/inspect.ts';
import { changesBetween } from '../../src/worktree/git/path-changes.ts';
import { carry } from '../../src/worktree/landing/carry.ts';
import { inTheWay } from '../../src/worktree/landing/in-the-way.ts';
import { presentWork } from '../../src/worktree/landing/present.ts';
import { syncedCommit, syncFacts } from '../../src/worktree/landing/sync.ts';
import { addWorktree } from '../../src/worktree/making/add.ts';
import { removeWorktree } from '../../src/worktree/removal/remove.ts';
import { listSalvages } from '../../src/worktree/salvage/salvages.ts';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';
import { drill, type Luck } from './drill.ts';

interface Ground {
  readonly box: Sandbox;
  readonly folder: FolderFacts;
  add(workerName: string): ReturnType<typeof addWorktree>;
}

const inRepository = (round: (ground: Ground, luck: Luck) => Promise<void>) => async (luck: Luck) => {
  const box = makeSandbox();
  try {
    const folder = await inspected(box, box.repo('a place with ünicode'));
    const add = (workerName: string) =>
      addWorktree({ folder, root: '.worktrees', name: { workerName, workerId: 'x' } });
    await round({ box, folder, add }, luck);
  } finally {
    box.dispose();
  }
};

async function inspected(box: Sandbox, path: string): Promise<FolderFacts> {
  const folder = await inspectFolder({ path, env: box.env });
  if (folder === undefined) throw new Error(`${path} is no repository`);
  return folder;
}

drill(
  'ten removals at once of one repository all save and all remove',
  inRepository(async ({ box, folder, add }) => {
    const trees = await Promise.all(Array.from({ length: 10 }, (_, i) => add(`w${i}`)));
    for (const [i, { path }] of trees.entries()) writeFileSync(join(path, 'own'), `work ${i}`);
    await Promise.all(
      trees.map(({ path }, i) => removeWorktree({ repo: folder, path, force: true, workerId: `w${i}` })),
    );
    expect(trees.filter(({ path }) => existsSync(path))).toEqual([]);
    const salvages = await listSalvages(folder);
    expect(salvages).toHaveLength(10);
    const texts = salvages.map(({ sha }) => box.git(folder.mainRepoPath, 'cat-file', 'blob', `${sha}:own`));
    expect(texts.sort()).toEqual(trees.map((_, i) => `work ${i}`));
  }),
);

drill(
  'sixteen adds at once from four processes all succeed under names of their own',
  inRepository(async ({ box, folder: { mainRepoPath } }) => {
    const git = (...args: string[]) => box.git(mainRepoPath, ...args);
    const src = join(import.meta.dirname, '../../src/worktree');
    const script = join(box.root, 'adds.ts');
    const source = `
      import { addWorktree } from '${src}/making/add.ts';
      import { inspectFolder } from '${src}/git/inspect.ts';
      const env = { ...process.env };
      const folder = await inspectFolder({ path: process.argv[2], env });
      const one = () => addWorktree({ folder, root: '.worktrees', name: { workerName: 'ada', workerId: 'x' } });
      await Promise.all([one(), one(), one(), one()]);
    `;
    writeFileSync(script, source);
    const args = ['--import', join(import.meta.dirname, '../../scripts/ts.mjs'), script, mainRepoPath];
    const run = promisify(execFile);
    await Promise.all([1, 2, 3, 4].map(() => run(process.execPath, args, { env: box.env })));
    const names = ['', ...Array.from({ length: 15 }, (_, i) => `-${i + 2}`)].map((n) => `ada-x${n}`);
    const branches = git('for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n');
    expect(branches.sort()).toEqual([...names.map((name) => `${name}/work`), 'main'].sort());
    expect(git('worktree', 'list').split('\n')).toHaveLength(17);
    expect(git('status', '--porcelain')).toBe('');
    const hidden = readFileSync(join(mainRepoPath, '.git/info/exclude'), 'utf8');
    expect(hidden.match(/^\/\.worktrees$/gm)).toHaveLength(1);
  }),
);

const edit = (side: string) =>
  fc.dictionary(
    fc.constantFrom(`${side}/a`, `${side}/b c`, `${side}/ü/d`, `${side}-e`),
    fc.option(fc.constantFrom('one\n', 'two\n', 'no line end', ''), { nil: undefined }),
    { maxKeys: 3 },
  );
const edits = (side: string) => fc.array(edit(side), { maxLength: 3 });
const apart = fc.record({ own: edits('own'), base: edits('base'), asked: fc.constantFrom('rebase', 'merge') });

drill(
  'whatever both sides have done apart, a sync has all of it, and untracked files stay',
  inRepository(async ({ box, folder: repo, add }, luck) => {
    const { own, base, asked } = luck.draw(apart);
    const tree = await add('ada');
    const git = (...args: string[]) => box.git(tree.path, ...args);
    for (const files of own) commit(box, tree.path, files);
    for (const files of base) commit(box, repo.mainRepoPath, files);
    writeFileSync(join(tree.path, 'untracked'), asked);
    const listed = (of: string, side: string) =>
      git('ls-tree', '-r', of)
        .split('\n')
        .filter((line) => line.split('\t')[1]?.replace(/^"/, '').startsWith(side));
    const expected = [...listed('HEAD', 'own'), ...listed('main', 'base')].sort();
    const [from, onto] = [git('rev-parse', 'HEAD'), git('rev-parse', 'main')];
    const plan = planSync({ ...(await syncFacts(repo, { own: from, base: onto })), asked });
    if (plan.do !== 'nothing') {
      const scratch = join(box.dir('scratch'), 'crewmux-scratch-1');
      const order = { repo, own: from, base: onto, plan: plan.do, message: 'Merge\n', scratchPath: scratch };
      const { commit: to = '' } = await syncedCommit(order);
      const place = { path: tree.path, env: box.env };
      expect(await inTheWay(place, await changesBetween(place, { from, to }))).toEqual([]);
      await carry(await inspected(box, tree.path), { branch: tree.branch, from, to });
    }
    expect([...listed('HEAD', 'own'), ...listed('HEAD', 'base')].sort()).toEqual(expected);
    expect(git('rev-list', '--count', 'HEAD..main')).toBe('0');
    expect(git('status', '--porcelain')).toBe('?? untracked');
    expect(readFileSync(join(tree.path, 'untracked'), 'utf8')).toBe(asked);
  }),
);

function commit(box: Sandbox, at: string, files: Readonly<Record<string, string | undefined>>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(at, file)), { recursive: true });
    if (text === undefined) rmSync(join(at, file), { force: true });
    else writeFileSync(join(at, file), text);
  }
  box.git(at, 'add', '-A', '--', '.', ':!untracked');
  box.git(at, 'commit', '-q', '--allow-empty', '-m', 'Change');
}

drill(
  'a worktree is told as it stands with thousands of new files, and while files come and go in it',
  inRepository(async ({ folder, add }) => {
    const { path } = await add('ada');
    mkdirSync(join(path, 'many'));
    for (let n = 0; n < 3_000; n++) writeFileSync(join(path, `many/${n}`), `${n}\n`);
    expect((await presentWork(path, folder))?.uncommitted).toHaveLength(3_000);
    rmSync(join(path, 'many'), { recursive: true });
    let stop = false;
    const churn = async () => {
      for (let n = 0; !stop; n++) {
        const [old, now] = [join(path, `churn-${(n + 3) % 7}`), join(path, `churn-${n % 7}`)];
        for (const each of [old, now]) rmSync(each, { force: true, recursive: true });
        if (n % 2 === 0) writeFileSync(now, `${n}`);
        else mkdirSync(now);
        if (n % 2 === 1) writeFileSync(join(now, 'x'), `${n}`);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const churning = churn();
    try {
      for (let n = 0; n < 15; n++) expect(await presentWork(path, folder)).toMatchObject({ leftOut: [] });
    } finally {
      stop = true;
      await churning;
    }
  }),
);
