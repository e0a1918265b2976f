// What of a tracker's folder a worker may write: the table, what crewmux makes there, and the mounts in real bubblewrap.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FoundTracker, TrackerName } from '../../src/trackers/tracker.ts';
import { besidesTracker, guardedIn, isOwnChange, openFolder, whyClosed } from '../../src/trackers/tracker-folder.ts';
import { findBubblewrap } from '../../src/worktree/landing/sandbox-probe.ts';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';
import { standInTracker } from '../support/stand-in-tracker.ts';
import { type WalledTree, walledTree } from '../support/walled-tree.ts';

let box: Sandbox;
let real: string | undefined;
beforeAll(async () => {
  box = makeSandbox();
  const found = await findBubblewrap(box.env);
  real = 'program' in found ? found.program : undefined;
});
afterAll(() => box.dispose());

const folders = { beads: '.beads', pebbles: '.pebbles' } as const;
let names = 0;

/** A checkout with the folder of a tracker, and files in it. */
function made(tracker: TrackerName, files: Readonly<Record<string, string>> = {}) {
  names += 1;
  const checkout = box.dir(`app-${names}`);
  const dir = join(checkout, folders[tracker]);
  mkdirSync(dir);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(dir, name, '..'), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
  return { checkout, dir, found: { tracker, dir, shared: true } satisfies FoundTracker };
}

const guardedNames = async (of: { readonly found: FoundTracker; readonly checkout: string; readonly dir: string }) =>
  (await openFolder(of.found, of.checkout))?.guarded
    .flatMap(({ name }) => (existsSync(join(of.dir, name)) ? [name] : []))
    .sort();

describe('a folder that is opened', () => {
  it.each([
    ['beads', ['.env', '.git', 'HEAD', 'PRIME.md', 'config.yaml', 'formulas', 'hooks', 'metadata.json', 'redirect']],
    ['pebbles', ['.git', 'HEAD', 'config.json']],
  ] as const)('of %s keeps programs and settings, and has them where they were missing', async (tracker, kept) => {
    const at = made(tracker, { 'issues.jsonl': 'mine\n' });
    expect(await guardedNames(at)).toEqual(kept);
    expect(readdirSync(at.dir).sort()).toEqual([...kept, 'issues.jsonl'].sort());
    expect(await guardedNames(at)).toEqual(kept);
    expect(readFileSync(join(at.dir, 'issues.jsonl'), 'utf8')).toBe('mine\n');
  });

  it('leaves settings that are there as they are, and keeps those that it would not make', async () => {
    const at = made('beads', {
      'metadata.json': '{"database":"mine.db"}',
      'hooks/on_close': 'x',
      'dolt/config.yaml': 'y',
    });
    writeFileSync(join(at.dir, 'routes.jsonl'), '');
    expect(await guardedNames(at)).toEqual(expect.arrayContaining(['dolt', 'hooks', 'metadata.json', 'routes.jsonl']));
    expect(readFileSync(join(at.dir, 'metadata.json'), 'utf8')).toBe('{"database":"mine.db"}');
    expect(readFileSync(join(at.dir, 'hooks/on_close'), 'utf8')).toBe('x');
  });

  it('has settings that set nothing: those that the tracker takes where it finds none', async () => {
    const [beads, pebbles] = [made('beads'), made('pebbles')];
    await Promise.all([beads, pebbles].map(({ found, checkout }) => openFolder(found, checkout)));
    expect(JSON.parse(readFileSync(join(beads.dir, 'metadata.json'), 'utf8'))).toEqual({ database: 'beads.db' });
    const prefix = pebbles.checkout.split('/').at(-1);
    expect(JSON.parse(readFileSync(join(pebbles.dir, 'config.json'), 'utf8'))).toEqual({ prefix });
    for (const name of ['config.yaml', '.env', 'redirect'])
      expect(readFileSync(join(beads.dir, name), 'utf8')).toBe('');
  });

  it('is one for workers that start at once too', async () => {
    const at = made('beads');
    const opened = await Promise.all(Array.from({ length: 8 }, () => guardedNames(at)));
    expect(new Set(opened.map((one) => JSON.stringify(one))).size).toBe(1);
  });
});

describe('a folder stays closed, and nothing is made in it', () => {
  it.each([
    ['a link in the place of a setting', 'config.yaml', /config\.yaml is a link or no plain file/],
    ['a link in the place of the hooks', 'hooks', /hooks is a link or no plain file/],
  ])('with %s', async (_, name, why) => {
    const [at, elsewhere] = [made('beads'), box.dir(`elsewhere-${name}`)];
    symlinkSync(join(elsewhere, 'target'), join(at.dir, name));
    expect(await whyClosed(at.found, at.checkout)).toMatch(why);
    expect(await openFolder(at.found, at.checkout)).toBeUndefined();
    expect([readdirSync(at.dir), readdirSync(elsewhere)]).toEqual([[name], []]);
  });

  it('where it is a link itself, is missing, or lies outside of the main checkout', async () => {
    const at = made('beads');
    const linked = join(box.dir('linked'), '.beads');
    symlinkSync(at.dir, linked);
    const ofLink: FoundTracker = { tracker: 'beads', dir: linked, shared: true };
    expect(await whyClosed(ofLink, box.dir('linked'))).toBe(`${linked} is a link`);
    expect(await openFolder(ofLink, box.dir('linked'))).toBeUndefined();
    const gone = { ...at.found, dir: join(at.checkout, '.none') };
    expect(await whyClosed(gone, at.checkout)).toMatch(/is not there$/);
    expect(await whyClosed(at.found, box.dir('linked'))).toMatch(/is not in the main checkout/);
    expect(readdirSync(at.dir)).toEqual([]);
  });
});

describe('a change in the folder', () => {
  const plain = { isFile: true, bytes: 9 };
  it.each([
    ['beads', 'issues.jsonl', plain, true],
    ['beads', 'issues.jsonl', undefined, true],
    ['beads', 'beads.db-wal', plain, true],
    ['beads', 'backup/issues.jsonl', plain, true],
    ['beads', 'issues.jsonl', { isFile: false, bytes: 9 }, false],
    ['beads', 'hooks/on_close', plain, false],
    ['beads', 'hooks/on_close', undefined, false],
    ['beads', 'hooks.jsonl', plain, true],
    ['beads', 'config.yaml', plain, false],
    ['beads', 'config.yaml', { isFile: true, bytes: 0 }, true],
    ['beads', 'config.yaml', undefined, false],
    ['beads', 'dolt/config.yaml', plain, false],
    ['pebbles', 'events.jsonl', plain, true],
    ['pebbles', 'config.yaml', plain, true],
    ['pebbles', 'config.json', plain, false],
  ] as const)('of %s, %s as %j is the tracker’s own: %s', (tracker, inner, facts, isOwn) => {
    expect(isOwnChange({ tracker, dir: '/app/.beads' }, inner, facts)).toBe(isOwn);
  });

  it('is told where it is a link, also one that git ignores, and beside it what lies elsewhere', async () => {
    const at = made('beads', { 'issues.jsonl': 'x', 'hooks/on_close': 'x' });
    symlinkSync('/etc/passwd', join(at.dir, 'beads.db'));
    const changes = new Map([
      ['src/a.ts', 1],
      ['.beads/issues.jsonl', 2],
      ['.beads/hooks/on_close', 3],
      ['.beads/gone', 4],
    ]);
    const { checkout } = at;
    expect([...(await besidesTracker(at.found, { checkout, changes }))]).toEqual([
      ['src/a.ts', 1],
      ['.beads/hooks/on_close', 3],
      ['.beads/beads.db', lstatSync(join(at.dir, 'beads.db')).ctimeMs],
    ]);
  });
});

describe('a command in real bubblewrap', () => {
  /** A worker beside the tracker, whose agent mounts things there as well; undefined where no bubblewrap works. */
  function worker(tracker: TrackerName): (WalledTree & { readonly dir: string }) | undefined {
    if (real === undefined) return undefined;
    names += 1;
    const open = (repo: string) => {
      const dir = join(repo, folders[tracker]);
      mkdirSync(dir);
      return { folder: realpathSync(dir), guarded: guardedIn({ tracker, dir }) };
    };
    const of = walledTree(box, { name: `walled-${names}`, bwrap: realpathSync(real), open });
    return { ...of, dir: join(of.repo, folders[tracker]) };
  }
  async function inside(of: WalledTree & { readonly dir: string }, line: string) {
    const { worktree, commonDir } = of.walls;
    const agents = [
      ['--ro-bind', '/'],
      ['--bind', worktree],
      ['--bind', commonDir],
      ['--ro-bind', of.dir],
    ];
    const mounts = agents.flatMap(([option = '', path = '']) => [option, path, path]);
    const args = [...mounts, '--dev', '/dev', '--', 'sh', '-c', `cd ${of.dir} && ${line}`];
    const child = spawn('bwrap', args, { ...of.options, stdio: 'ignore' });
    const [code] = await once(child, 'exit');
    return code;
  }

  it.each(['bd', 'pb'] as const)('closes an issue of %s by renaming, as seven others at once', async (name) => {
    const of = worker(name === 'bd' ? 'beads' : 'pebbles');
    if (of === undefined) return;
    const tracker = standInTracker(box.dir(`bin-${name}`), name);
    const ids = Array.from({ length: 8 }, (_, n) => `app-${n}`);
    tracker.init(of.repo, [...ids, 'app-9']);
    const codes = await Promise.all(ids.map((id) => inside(of, tracker.close(of.repo, id))));
    expect(codes).toEqual(ids.map(() => 0));
    expect(tracker.closed(of.repo)).toEqual(ids);
  });

  const isAsMade = (dir: string) => {
    for (const name of ['config.yaml', '.env', 'redirect']) expect(readFileSync(join(dir, name), 'utf8')).toBe('');
    for (const name of ['hooks', '.git', 'HEAD']) expect(readdirSync(join(dir, name)), name).toEqual([]);
    expect(JSON.parse(readFileSync(join(dir, 'metadata.json'), 'utf8'))).toEqual({ database: 'beads.db' });
  };

  it.each([
    'echo x >hooks/on_close',
    'echo x >config.yaml',
    'rm -f config.yaml',
    'mv config.yaml other && echo x >config.yaml',
    'echo x >new && mv -f new metadata.json',
    'ln config.yaml linked && echo x >linked',
    'rmdir hooks',
    'mv hooks other',
    'git init -q . && git config core.fsmonitor ./evil',
    'git init -q --bare . && git rev-parse --git-dir | grep -qx .',
    'ln -sfn /tmp redirect',
    'mkdir ../.git-two',
    'mv ../.beads ../other',
  ])('leaves programs and settings as they are, also those that somebody removed before: %s', async (line) => {
    const of = worker('beads');
    if (of === undefined) return;
    for (const removed of [[], ['hooks', '.git', 'HEAD'], ['config.yaml', '.env', 'redirect', 'metadata.json']]) {
      for (const name of removed) rmSync(join(of.dir, name), { recursive: true });
      expect(await inside(of, line), line).not.toBe(0);
      isAsMade(of.dir);
    }
    expect(existsSync(join(of.repo, '.git-two'))).toBe(false);
  });

  it('opens nothing where a link stands for the folder or for what it guards', async () => {
    const of = worker('beads');
    if (of === undefined) return;
    expect(await inside(of, 'echo x >data')).toBe(0);
    rmSync(join(of.dir, 'redirect'));
    symlinkSync('/nowhere', join(of.dir, 'redirect'));
    expect(await inside(of, 'echo x >more')).not.toBe(0);
    const elsewhere = join(of.repo, 'elsewhere');
    renameSync(of.dir, elsewhere);
    rmSync(join(elsewhere, 'redirect'));
    symlinkSync(elsewhere, of.dir);
    expect(await inside(of, 'echo x >more')).not.toBe(0);
    expect(existsSync(join(elsewhere, 'more'))).toBe(false);
  });

  it('goes on where the folder is gone', async () => {
    const of = worker('beads');
    if (of === undefined) return;
    rmSync(of.dir, { recursive: true });
    const { worktree } = of.walls;
    expect(of.run('--ro-bind', '/', '/', '--bind', worktree, worktree, '--', 'true').status).toBe(0);
    expect(existsSync(of.dir)).toBe(false);
  });
});
