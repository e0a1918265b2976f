// Workers with a bead: what their sandbox opens, and their changes of issues beside escapes and landings.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { escaped } from '../../src/wire/events.ts';
import { list } from '../../src/wire/parts.ts';
import { findBubblewrap } from '../../src/worktree/landing/sandbox-probe.ts';
import { eventually } from '../support/sandbox.ts';
import { standInTracker } from '../support/stand-in-tracker.ts';
import { unhurriedMs } from '../support/unhurried.ts';
import { openStand, type Server, type Stand, type Worker } from './crew.ts';

let stand: Stand;
let server: Server;
let hasSandbox: boolean;
beforeAll(async () => {
  stand = openStand();
  server = await stand.serve();
  hasSandbox = process.platform === 'darwin' || 'program' in (await findBubblewrap(stand.sandbox.env));
}, unhurriedMs);
afterAll(() => stand.dispose());

const git = (at: string, ...args: string[]) => stand.sandbox.git(at, ...args);
const settings = z.looseObject({
  sandbox: z.looseObject({ filesystem: z.looseObject({ allowWrite: z.array(z.string()) }) }),
});
/** The folder that the worker's launch opens in the main checkout, if any: on Linux in its view of git, else in its settings. */
function opened({ session_id }: Worker, folder: string): readonly string[] {
  const launch = join(stand.sandbox.dir('crewmux'), 'workers', session_id, 'launches/1');
  const { allowWrite } = settings.parse(JSON.parse(readFileSync(join(launch, 'settings.json'), 'utf8'))).sandbox
    .filesystem;
  const program = join(launch, 'bin/bwrap');
  const line = existsSync(program) ? (/^open=(.*)$/m.exec(readFileSync(program, 'utf8'))?.[1] ?? '') : '';
  return [...allowWrite, line.replaceAll("'", '')].filter((path) => path.startsWith(folder));
}

it(
  'the sandbox of a worker with a bead opens the tracker’s folder of the main checkout, for nobody else and through no link',
  async () => {
    if (!hasSandbox) return;
    const repo = stand.sandbox.repo('tracked');
    const beads = join(repo, 'part/.beads');
    mkdirSync(beads, { recursive: true });
    writeFileSync(join(beads, 'issues.jsonl'), '');
    git(repo, 'add', '-A');
    git(repo, 'commit', '-q', '-m', 'Issues');
    const asked = { sandbox: true, skip_permissions: false, project_path: join(repo, 'part'), prompt: 'SAY done' };
    const plain = await server.one(asked);
    expect(opened(plain, repo)).toEqual([]);
    expect(readdirSync(beads)).toEqual(['issues.jsonl']);
    const { sessions, warnings } = await server.spawn({ ...asked, bead: 'app-1' }, { ...asked, bead: 'app-2' });
    const names = ['.env', '.git', 'HEAD', 'PRIME.md', 'config.yaml', 'formulas', 'hooks', 'metadata.json', 'redirect'];
    for (const worker of sessions) expect(opened(worker, repo)).toEqual([beads]);
    expect(sessions.map(({ sandbox }) => sandbox)).toEqual(['on', 'on']);
    expect(readdirSync(beads).sort()).toEqual([...names, 'issues.jsonl'].sort());
    expect(warnings.filter((words) => words.includes('tracker'))).toEqual([]);
    renameSync(beads, join(repo, 'issues'));
    symlinkSync(join(repo, 'issues'), beads);
    const linked = await server.spawn({ ...asked, bead: 'app-3' });
    const name = linked.sessions[0]?.name;
    expect(linked.warnings).toContain(
      `${name} cannot change its issue in the sandbox, which keeps the tracker's folder read-only: ${beads} is a link.`,
    );
    for (const worker of linked.sessions) expect(opened(worker, repo)).toEqual([]);
    await server.wait([plain, ...sessions, ...linked.sessions], { timeout: 60 });
  },
  unhurriedMs,
);

const status = z.looseObject({ escapes: list(escaped).optional() });
const escapes = async () => {
  const { escapes: all = [] } = await server.call('crew_status', status);
  return all.flatMap(({ checkout, files }) => (checkout === stand.repo ? files : []));
};

it(
  'a change of issues in the main checkout is no escape; a hook, a setting or a link there is one',
  async () => {
    const tracker = standInTracker(stand.sandbox.dir('bin'), 'bd');
    tracker.init(stand.repo, ['app-1']);
    git(stand.repo, 'add', '-A');
    git(stand.repo, 'commit', '-q', '-m', 'Issues');
    const worker = await server.one({ sandbox: false, skip_permissions: true, bead: 'app-1', prompt: 'SAY ready' });
    await server.wait([worker], { timeout: 60 });
    const run = async (line: string) => {
      await server.message(worker, `BASH ${line}\nSAY done`);
      await server.wait([worker], { timeout: 60 });
    };
    await run(tracker.close(stand.repo, 'app-1'));
    expect(tracker.closed(stand.repo)).toEqual(['app-1']);
    const beads = join(stand.repo, '.beads');
    await run(
      `mkdir ${beads}/hooks; echo x >${beads}/hooks/on_close; echo x >${beads}/config.yaml; ln -s /etc/passwd ${beads}/x.db`,
    );
    await eventually('what is no data is told', async () => (await escapes()).length > 0);
    expect((await escapes()).sort()).toEqual(['.beads/config.yaml', '.beads/hooks/on_close', '.beads/x.db']);
    git(stand.repo, 'clean', '-fdq', '.beads');
    expect(await escapes()).toEqual([]);
    git(stand.repo, 'checkout', '-q', '.beads');
  },
  unhurriedMs,
);

const answered = z.looseObject({ success: z.boolean(), outcome: z.string() });

it(
  'an issue that changed in the main checkout stays as it is beside a landing, and one that the branch changes too stops it by name',
  async () => {
    const repo = stand.sandbox.repo('landing');
    const tracker = standInTracker(stand.sandbox.dir('bin'), 'bd');
    tracker.init(repo, ['app-1', 'app-2']);
    git(repo, 'add', '-A');
    git(repo, 'commit', '-q', '-m', 'Issues');
    const worker = await server.one({
      sandbox: false,
      skip_permissions: true,
      project_path: repo,
      bead: 'app-1',
      prompt: 'WRITE work.txt done\nSAY done',
    });
    await server.wait([worker], { timeout: 60 });
    const land = () => server.call('merge_worker', answered, { session_id: worker.session_id });
    const issues = join(repo, '.beads/issues.jsonl');
    await server.message(worker, `BASH ${tracker.close(repo, 'app-1')}\nSAY done`);
    await server.wait([worker], { timeout: 60 });
    expect(await land()).toMatchObject({ outcome: 'landed', files: ['work.txt'], checkout: 'updated' });
    expect(git(repo, 'status', '--porcelain')).toBe(' M .beads/issues.jsonl');
    expect(tracker.closed(repo)).toEqual(['app-1']);

    await server.message(worker, `BASH ${tracker.close('.', 'app-2')} && echo more >more.txt\nSAY done`);
    await server.wait([worker], { timeout: 60 });
    const before = { tip: git(repo, 'rev-parse', 'main'), text: readFileSync(issues, 'utf8') };
    await expect(land()).rejects.toMatchObject({
      code: 'checkout_in_the_way',
      message: expect.stringContaining(`${repo}: .beads/issues.jsonl`),
    });
    expect({ tip: git(repo, 'rev-parse', 'main'), text: readFileSync(issues, 'utf8') }).toEqual(before);
    expect(existsSync(join(repo, 'more.txt'))).toBe(false);
    git(repo, 'commit', '-q', '-a', '-m', 'Close app-1');
    const { outcome } = await land();
    expect(['landed', 'conflict']).toContain(outcome);
    expect(tracker.closed(repo)).toContain('app-1');
    expect(git(repo, 'status', '--porcelain')).toBe('');
  },
  unhurriedMs,
);
