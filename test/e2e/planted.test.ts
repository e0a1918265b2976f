// What a worker, or the repository itself, can write into git's files is run by nobody of ours.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { messageOf } from '../../src/model/errors.ts';
import { type Fields, isAlive } from '../support/mcp.ts';
import { eventually } from '../support/sandbox.ts';
import { openStand, type Server, type Stand, type Worker } from './crew.ts';

const anything = z.looseObject({});

let stand: Stand;
let server: Server;
let workers: readonly (Worker & { readonly worktree_path: string })[];
/** Where each trap leaves its name. */
let ran: string;

beforeAll(async () => {
  stand = openStand();
  ran = stand.sandbox.dir('ran');
  server = await stand.serve();
  const spawned = [];
  for (const name of ['plain', 'linked', 'common', 'nested'])
    spawned.push(await server.one({ name, prompt: `WRITE ${name}.txt of its own\nSAY done` }));
  await server.wait(spawned, { timeout: 120 });
  workers = spawned.map((one) => {
    if (one.worktree_path === undefined) throw new Error(`${one.name} has no worktree`);
    return { ...one, worktree_path: one.worktree_path };
  });
});
afterAll(() => stand.dispose());

const treeOf = (name: string): string => {
  const found = workers.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found.worktree_path;
};
const idOf = (name: string) => workers.find((one) => one.name === name)?.session_id ?? '';
const gitDirOf = (name: string) =>
  readFileSync(join(treeOf(name), '.git'), 'utf8')
    .slice('gitdir: '.length)
    .trim();
const traps = () => readdirSync(ran).sort();

/** A program of this name, which tells that it ran and passes on what it reads. */
function trap(name: string): string {
  const path = join(stand.sandbox.dir('traps'), name);
  writeFileSync(path, `#!/bin/sh\ntouch '${join(ran, name)}'\n[ -t 0 ] || cat\n`, { mode: 0o755 });
  return path;
}

/** Everything in git's configuration that names a program, as lines of a file. */
function configOf(of: string): string {
  const t = (name: string) => `"${trap(`${of}-${name}`)}"`;
  return `
[core]
  fsmonitor = ${t('fsmonitor')}
  hooksPath = .hooks
  sshCommand = ${t('ssh')}
  askPass = ${t('askpass')}
  editor = ${t('editor')}
  pager = ${t('pager')}
  gitProxy = ${t('proxy')}
  alternateRefsCommand = ${t('alternates')}
  attributesFile = ${join(stand.sandbox.root, 'attributes')}
[sequence]
  editor = ${t('sequence')}
[filter "trap-${of}"]
  clean = ${t('clean')}
  smudge = ${t('smudge')}
  required = true
[filter "late"]
  process = ${t('process')}
[diff]
  external = ${t('external')}
[diff "trap-${of}"]
  textconv = ${t('textconv')}
  command = ${t('command')}
[merge "trap-${of}"]
  driver = ${t('driver')} %A %O %B
[credential]
  helper = ${t('credential')}
[gpg]
  program = ${t('gpg')}
[commit]
  gpgSign = true
[log]
  showSignature = true
[pager]
  status = ${t('pager-status')}
[protocol "ext"]
  allow = always
[remote "origin"]
  url = ${stand.sandbox.root}/nowhere
  uploadpack = ${t('uploadpack')}
  receivepack = ${t('receivepack')}
[url "ext::${trap(`${of}-ext`)}"]
  insteadOf = ${stand.sandbox.root}/nowhere
[include]
  path = ${join(stand.sandbox.root, 'included')}
`;
}

const attributesOf = (of: string) => `* filter=trap-${of} diff=trap-${of} merge=trap-${of}\n*.late filter=late\n`;

const hookNames = [
  'post-checkout',
  'post-index-change',
  'reference-transaction',
  'pre-commit',
  'post-commit',
  'pre-push',
];

function plantHooks(folder: string, of: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of hookNames)
    writeFileSync(join(folder, name), `#!/bin/sh\ntouch '${join(ran, `${of}-${name}`)}'\n`, { mode: 0o755 });
}

/** The end of the configuration of a repository or a worktree. */
const plantConfig = (file: string, of: string) => writeFileSync(file, configOf(of), { flag: 'a' });

/** Everything at once, as a worker without a sandbox could do it. */
function plantAll(): void {
  const { repo, sandbox } = stand;
  // A repository of another's making, for links to lead to.
  const evil = sandbox.repo('evil');
  sandbox.git(evil, 'worktree', 'add', '-q', join(sandbox.root, 'evil-tree'));
  const nested = join(treeOf('nested'), 'inner');
  sandbox.git(treeOf('nested'), 'init', '-q', nested);
  writeFileSync(join(nested, 'file'), 'one\n');
  sandbox.git(nested, 'add', '.');
  sandbox.git(nested, 'commit', '-q', '-m', 'Inner');
  sandbox.git(treeOf('nested'), 'add', 'inner');
  writeFileSync(join(nested, 'file'), 'two\n');
  writeFileSync(join(nested, '.gitattributes'), attributesOf('nested'));

  const attributes = attributesOf('repository');
  writeFileSync(join(sandbox.root, 'attributes'), attributes);
  writeFileSync(join(sandbox.root, 'included'), `[filter "more"]\n  clean = "${trap('included')}"\n`);
  for (const { name, worktree_path } of workers) {
    writeFileSync(
      join(worktree_path, '.gitattributes'),
      `${attributes}*.txt filter=trap-worktree\n*.md filter=more\n# ${name}\n`,
    );
    plantHooks(join(worktree_path, '.hooks'), 'tree');
  }
  plantHooks(join(repo, '.git/hooks'), 'repository');
  plantConfig(join(repo, '.git/config'), 'repository');
  plantConfig(join(evil, '.git/config'), 'evil');
  plantConfig(join(nested, '.git/config'), 'nested');
  plantHooks(join(nested, '.git/hooks'), 'nested');
  writeFileSync(join(repo, '.git/config'), '[extensions]\n  worktreeConfig = true\n', { flag: 'a' });
  plantConfig(join(gitDirOf('plain'), 'config.worktree'), 'worktree');
  writeFileSync(join(gitDirOf('common'), 'commondir'), `${join(evil, '.git')}\n`);
  writeFileSync(join(treeOf('linked'), '.git'), `gitdir: ${join(evil, '.git/worktrees/evil-tree')}\n`);
}

/** Ends the server when no git of its runs: settings that change between its look and git's start are another matter. */
async function endAtRest({ pid }: { readonly pid: number }): Promise<void> {
  const rows = () => execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,comm='], { encoding: 'utf8' }).split('\n');
  const isStopped = () => rows().some((row) => new RegExp(`^ *${pid} +\\d+ +T`).test(row));
  // What has begun and is not git yet counts too; the kept tmux client stays.
  const programs = () =>
    rows().filter((row) => new RegExp(`^ *\\d+ +${pid} +[^Z]`).test(row) && !/[ /](sh|tmux.*)$/.test(row));
  await eventually('no git of its runs', async () => {
    process.kill(pid, 'SIGSTOP');
    await eventually('it is stopped', isStopped);
    if (programs().length === 0) return true;
    // Git may be reading what the server has still to write: stopped, it would wait for ever.
    process.kill(pid, 'SIGCONT');
    return false;
  });
  process.kill(pid, 'SIGKILL');
  await eventually('it is gone', () => !isAlive(pid));
}

it('nothing that was planted runs, whatever tool is called, and while none is', async () => {
  const { repo } = stand;
  await endAtRest(server.connection);
  plantAll();
  server = await stand.serve();
  // A turn of each makes the server look by itself.
  await Promise.all(workers.map((one) => server.message(one, 'SAY again', { wait_mode: 'all' })));
  await server.wait(workers, { timeout: 120 });
  await eventually('the server has looked by itself', async () => {
    const { conflicts } = await server.call('crew_status', z.looseObject({ conflicts: z.array(anything) }));
    return conflicts.length > 0;
  });
  expect(traps()).toEqual([]);
  const session_ids = workers.map(({ session_id }) => session_id);
  const each = (tool: string, more: Fields = {}): [string, Fields][] =>
    session_ids.map((session_id) => [tool, { session_id, ...more }]);
  const calls: readonly [string, Fields][] = [
    ['list_workers', {}],
    ['crew_status', {}],
    ['list_worktrees', { repo_path: repo }],
    ['check_conflicts', {}],
    ...each('examine_worker'),
    ...each('diff_worker'),
    ...each('merge_worker', { dry_run: true, test_command: 'true' }),
    ...each('sync_worker'),
    ...each('open_pull_request'),
    ...each('merge_worker', { test_command: 'true' }),
    ['cleanup_worktrees', { repo_path: repo, dry_run: true }],
    ['close_workers', { session_ids }],
    ['close_workers', { session_ids, force: true }],
    ['cleanup_worktrees', { repo_path: repo }],
    ['restore_work', { repo_path: repo }],
    ['restart_workers', { session_ids }],
    ['doctor', {}],
  ];
  const said = new Map<string, string>();
  for (const [tool, args] of calls) {
    const answer = await server.call(tool, anything, args).then((told) => JSON.stringify(told), messageOf);
    said.set([tool, workers.find((one) => one.session_id === args.session_id)?.name ?? ''].join(' ').trim(), answer);
    expect([tool, traps()]).toEqual([tool, []]);
  }
  expect(said.get('merge_worker plain')).toContain('"outcome":"landed"');
  for (const name of ['linked', 'common']) {
    for (const act of ['merge_worker', 'sync_worker', 'open_pull_request'])
      expect(said.get(`${act} ${name}`)).toContain('is not tied any more to where it was made');
    expect(said.get('list_workers')).toContain(`${name} works in a worktree whose links were changed`);
    const [ref] = said.get('close_workers')?.match(new RegExp(`refs/crewmux/salvage/[^"]*-${idOf(name)}`)) ?? [];
    expect(stand.sandbox.git(repo, '-c', 'core.fsmonitor=', 'show', `${ref}:${name}.txt`)).toContain('own');
  }
  expect(said.get('list_worktrees')).toContain('"unreadable":"The worktree');
  expect(said.get('merge_worker nested')).toContain('submodules have uncommitted changes of their own: inner');
});

it('the traps are real: git alone runs them', () => {
  const { repo, sandbox } = stand;
  for (const args of [['status'], ['log'], ['diff', 'HEAD'], ['add', '-A'], ['commit', '-q', '-m', 'x']])
    try {
      sandbox.git(repo, ...args);
    } catch {
      // A trap that ends badly has run all the same.
    }
  expect(traps()).toEqual(expect.arrayContaining(['repository-fsmonitor', 'repository-clean']));
});
