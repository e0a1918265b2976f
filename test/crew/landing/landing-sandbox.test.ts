import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBubblewrap } from '../../../src/worktree/landing/sandbox-probe.ts';
import { type Caller, openRestingCrew, type RestingCrew } from '../../support/resting-crew.ts';
import { land } from './landed.ts';

let crew: RestingCrew;
/** Whether bubblewrap works on this machine. */
let works: boolean;
beforeAll(async () => {
  crew = await openRestingCrew();
  works = 'program' in (await findBubblewrap(crew.sandbox.env));
});
afterAll(() => crew.dispose());

const at = (...names: string[]) => join(crew.sandbox.root, ...names);
let tried = 0;

/** The lines that a test command of several tries prints, for a crew or another. */
async function told(command: string, by: Caller = crew): Promise<readonly string[]> {
  tried += 1;
  const worker = await crew.author(`tried-${tried}.txt`, 'x\n');
  const { tests } = await land(by, worker, { dry_run: true, test_command: command });
  expect(tests).toMatchObject({ status: 'passed' });
  return tests.output.trimEnd().split('\n');
}

/** Says `name: yes` where the shell's word holds. */
const asks = (tries: Readonly<Record<string, string>>): string =>
  Object.entries(tries)
    .map(([name, command]) => `if (${command}) >/dev/null 2>&1; then echo '${name}: yes'; else echo '${name}: no'; fi`)
    .join('\n');

/** What a sandbox forbids; a try of each holds where there is none. */
function forbidden(): Readonly<Record<string, string>> {
  const places = {
    home: at('home/new'),
    'the cache of npm': at('home/.npm/_cacache/new'),
    'what npx started': at('home/.npm/_npx/new'),
    project: join(crew.repo, 'new'),
    'git folder': join(crew.repo, '.git/objects/info/new'),
  };
  return {
    ...Object.fromEntries(Object.entries(places).map(([name, path]) => [name, `echo >${path} && rm ${path}`])),
    state: `test -e ${at('crewmux/locks')}`,
    keys: `test -e ${at('home/.ssh/id')}`,
    passwords: `cat ${at('home/.git-credentials')}`,
    'this process': `test -e /proc/${process.pid}`,
  };
}

const allowed = () => ({
  worktree: 'echo >new && rm new',
  temporary: 'test -d "$TMPDIR" && echo >"$TMPDIR/new" && rm "$TMPDIR/new"',
  cache: 'c=${npm_config_cache:-$TMPDIR/c} && mkdir -p "$c" && echo >"$c/new" && rm -r "$c"',
  'the project is read': `test -f ${join(crew.repo, 'README.md')}`,
  git: 'git status && git log -1 && git diff HEAD~1',
});

const each = (tries: Readonly<Record<string, string>>, is: boolean): readonly string[] =>
  Object.keys(tries).map((name) => `${name}: ${is ? 'yes' : 'no'}`);

function configured(name: string, config: unknown): Readonly<Record<string, string>> {
  writeFileSync(join(crew.sandbox.dir(`${name}/crewmux`), 'config.json'), JSON.stringify(config));
  return { XDG_CONFIG_HOME: crew.sandbox.dir(name) };
}

/** A bubblewrap that does not work, as in many containers. */
function broken(): Readonly<Record<string, string>> {
  const bin = crew.sandbox.dir('broken');
  writeFileSync(join(bin, 'bwrap'), '#!/bin/sh\necho "bwrap: No permissions" >&2\nexit 1\n');
  chmodSync(join(bin, 'bwrap'), 0o755);
  return { PATH: `${bin}:${crew.sandbox.env.PATH}` };
}

/** All programs there are but bubblewrap. */
function without(): Readonly<Record<string, string>> {
  const bin = crew.sandbox.dir('without');
  for (const folder of (crew.sandbox.env.PATH ?? '').split(':').filter((path) => existsSync(path)))
    for (const name of readdirSync(folder))
      if (name !== 'bwrap' && !existsSync(join(bin, name))) link(join(folder, name), join(bin, name));
  return { PATH: bin };
}

function link(from: string, to: string): void {
  if (existsSync(from)) symlinkSync(from, to);
}

describe('the tests of a landing', () => {
  beforeAll(() => {
    writeFileSync(join(crew.sandbox.dir('home/.ssh'), 'id'), 'secret\n');
    writeFileSync(at('home/.git-credentials'), 'secret\n');
    for (const name of ['_cacache', '_npx']) crew.sandbox.dir(`home/.npm/${name}`);
  });

  it('write their worktree, /tmp and caches alone, and see no secret, no state and no process of ours', async () => {
    const tries = { ...allowed(), ...forbidden() };
    expect(await told(asks(tries))).toEqual([...each(allowed(), true), ...each(forbidden(), !works)]);
    expect(readdirSync(at('crewmux/landings')).flatMap((name) => readdirSync(at('crewmux/landings', name)))).toEqual(
      [],
    );
  });

  it.each<[string, () => Readonly<Record<string, string>>]>([
    ['with merge.sandbox off', () => configured('off', { merge: { sandbox: 'off' } })],
    ['where bubblewrap does not work', broken],
    ['where there is none', without],
  ])('run as they are %s', async (_, env) => {
    const tries = { ...allowed(), ...forbidden() };
    expect(await told(asks(tries), await crew.open(env()))).toEqual(each(tries, true));
  });

  it('find the installed packages of the main checkout, and have caches of their own beside them', async () => {
    mkdirSync(join(crew.repo, 'node_modules/.vite'), { recursive: true });
    mkdirSync(join(crew.repo, 'node_modules/one'));
    writeFileSync(join(crew.repo, 'node_modules/one/index.js'), 'module.exports = 1;\n');
    writeFileSync(join(crew.repo, '.git/info/exclude'), 'node_modules\n');
    crew.commit(crew.repo, 'package.json', '{"name": "x"}\n');
    const tries = {
      packages: `node -e 'process.exit(require("one") === 1 ? 0 : 1)'`,
      caches:
        'mkdir -p node_modules/.vite-temp node_modules/.vite && echo >node_modules/.vite-temp/x && echo >node_modules/.vite/x',
      clean: 'test -z "$(git status --porcelain)"',
    };
    expect(await told(asks(tries))).toEqual(each(tries, true));
    expect(existsSync(join(crew.repo, 'node_modules/.vite-temp'))).toBe(!works);
    expect(await told(asks({ packages: 'echo 2 >node_modules/one/index.js' }))).toEqual([
      `packages: ${works ? 'no' : 'yes'}`,
    ]);
    expect(readFileSync(join(crew.repo, 'node_modules/one/index.js'), 'utf8')).toBe(
      works ? 'module.exports = 1;\n' : '2\n',
    );
  });

  it('have loopback alone with merge.network off, and a failure for that names the setting', async () => {
    const by = await crew.open(configured('offline', { merge: { network: false } }));
    const worker = await crew.author('offline.txt', 'x\n');
    const dial = (end: string) =>
      `node -e 'fetch("http://192.0.2.1:8080/").catch((e) => { console.log(e.cause.code); ${end} })'`;
    const tested = (test_command: string) => land(by, worker, { dry_run: true, test_command });
    if (!works) return expect(tested('true')).rejects.toMatchObject({ code: 'checks_failed' });
    const { tests } = await tested(dial('process.exit(1)'));
    expect([tests.status, tests.output]).toEqual(['failed', expect.stringContaining('Set merge.network to true')]);
    expect((await tested(dial(''))).tests.output).toBe('ENETUNREACH\n');
    const other = 'echo wrong; exit 1';
    expect((await tested(other)).tests.output).toBe('wrong\n');
  });

  it('do not run where merge.network is off and nothing could hold it', async () => {
    const by = await crew.open({ ...configured('nothing', { merge: { network: false } }), ...broken() });
    const worker = await crew.author('unheld.txt', 'x\n');
    await expect(land(by, worker, { dry_run: true, test_command: 'true' })).rejects.toMatchObject({
      code: 'checks_failed',
      message: expect.stringContaining('merge.network is false'),
    });
  });

  it('get no key of an agent, no way to an agent of keys, and caches that end with the landing', async () => {
    const secrets = { ANTHROPIC_API_KEY: 'x', OPENAI_API_KEY: 'x', CLAUDE_CODE_OAUTH_TOKEN: 'x' };
    const ways = { SSH_AUTH_SOCK: '/nowhere', DISPLAY: ':0', DOCKER_HOST: 'tcp://x' };
    const pass = { defaults: { pass_env: ['DISPLAY', 'DOCKER_HOST'] } };
    const by = await crew.open({ ...secrets, ...ways, ...configured('keys', pass) });
    const env = (await told('env', by)).map((line) => line.split('=')[0]);
    expect(env.filter((name) => name !== undefined && name in secrets)).toEqual([]);
    expect(env.filter((name) => name !== undefined && name in ways)).toEqual(works ? [] : expect.anything());
    expect(await told('echo "${npm_config_cache-none}"', by)).toEqual([works ? '/tmp/caches/npm' : 'none']);
  });

  it('are set up inside as well', async () => {
    const config = { worktrees: { setup_commands: [`echo >${at('home/escaped')}; echo >made`] } };
    const by = await crew.open(configured('setup', config));
    expect(await told('cat made && echo passed', by)).toContain('passed');
    expect(existsSync(at('home/escaped'))).toBe(!works);
  });
});

describe('the hooks of a landing', () => {
  /** The project's hooks while `during` runs. */
  async function hooked(hooks: Readonly<Record<string, string>>, during: () => Promise<void>): Promise<void> {
    const folder = join(crew.repo, '.git/hooks');
    mkdirSync(folder, { recursive: true });
    for (const [name, script] of Object.entries(hooks))
      writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    await during();
    for (const name of Object.keys(hooks)) rmSync(join(folder, name));
  }

  it('add to the commit and keep a stash, and write no secret, no branch, no setting and no hook', async () => {
    const worker = await crew.author('hooked.txt', 'x\n');
    writeFileSync(join(worker.worktreePath, 'left.txt'), 'left\n');
    const may = {
      worktree: 'echo formatted >left.txt',
      git: 'echo made >made.txt && git add made.txt left.txt',
      stash: 's=$(git stash create) && git stash store "$s" && git stash drop',
      temporary: 'echo >"${TMPDIR:-/tmp}/new" && rm "${TMPDIR:-/tmp}/new"',
      cache: 'c=${npm_config_cache:-${TMPDIR:-/tmp}/c} && mkdir -p "$c" && echo >"$c/new" && rm -r "$c"',
    };
    const mayNot = {
      ...forbidden(),
      branch: 'git update-ref refs/heads/other HEAD',
      setting: 'git config alias.x y',
      hook: `echo >${join(crew.repo, '.git/hooks/post-merge')}`,
      pack: `echo >${join(crew.repo, '.git/objects/pack/new')}`,
      checkout: `echo >${join(crew.repo, '.git/new-link/x')}`,
      ...Object.fromEntries(
        ['HEAD', 'commondir', 'gitdir', 'config.worktree'].map((name) => [
          name,
          `g=$(git rev-parse --git-dir); mv "$g/${name}" "$g/moved" && mv "$g/moved" "$g/${name}"`,
        ]),
      ),
    };
    mkdirSync(join(crew.repo, '.git/new-link'));
    const added = join(crew.repo, '.git/added');
    const script = `{ ${asks({ ...may, ...mayNot })}; } >.git-told; git add .git-told; echo >${added}`;
    await hooked({ 'pre-commit': script }, async () => {
      expect(await land(crew, worker, { test_command: '' })).toMatchObject({ outcome: 'landed' });
    });
    const shown = (file: string) => crew.git(crew.repo, 'show', `HEAD:${file}`).trimEnd();
    expect(shown('.git-told').split('\n')).toEqual([...each(may, true), ...each(mayNot, !works)]);
    expect([shown('left.txt'), shown('made.txt')]).toEqual(['formatted', 'made']);
    expect(existsSync(added)).toBe(!works);
  });

  it('that lie in the work tree are those of the target, with the files they call', async () => {
    mkdirSync(join(crew.repo, '.husky'));
    writeFileSync(join(crew.repo, '.husky/called'), 'echo called >>.git-told; git add .git-told\n');
    crew.commit(crew.repo, '.husky/pre-commit', '#!/bin/sh\n. "$(dirname "$0")/called"\n');
    chmodSync(join(crew.repo, '.husky/pre-commit'), 0o755);
    crew.git(crew.repo, 'commit', '-qam', 'May be run');
    const worker = await crew.author('.husky/called', 'echo >.git-planted; git add .git-planted\n');
    crew.git(crew.repo, 'config', 'core.hooksPath', '.husky');
    writeFileSync(join(worker.worktreePath, 'left.txt'), 'left\n');
    expect(await land(crew, worker, { test_command: '' })).toMatchObject({
      outcome: 'landed',
      files: expect.arrayContaining(['.git-told', '.husky/called', 'left.txt']),
      file_count: 3,
    });
  });
});
