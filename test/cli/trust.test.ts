import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { builtInAgents } from '../../src/model/worker.ts';
import { agentFilesIn, waitingFiles } from '../../src/settings/agent-files.ts';
import { readAgreements } from '../../src/settings/agreements.ts';
import { loadSettings } from '../../src/settings/settings.ts';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';
import { type } from './typed-line.ts';

let sandbox: Sandbox;
let project: string;
beforeEach(() => {
  sandbox = makeSandbox();
  project = sandbox.dir('project');
});
afterEach(() => sandbox.dispose());

const fileOf = (folder: string) => join(folder, '.crewmux/config.json');
function put(content: unknown, folder = project) {
  mkdirSync(dirname(fileOf(folder)), { recursive: true });
  writeFileSync(fileOf(folder), typeof content === 'string' ? content : JSON.stringify(content));
}
const kept = () => join(sandbox.root, 'state/trusted.json');
const world = () => ({ env: { CREWMUX_HOME: join(sandbox.root, 'state') }, userHome: sandbox.home });
const setup = () => loadSettings({ ...world(), projectPath: project }).settings.worktrees.setup_commands;

interface Way {
  readonly says?: boolean;
  readonly folders?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Happens between the showing and the answer. */
  readonly meanwhile?: () => void;
}

async function run(args: readonly string[], { says, folders = [project], env = {}, meanwhile }: Way = {}) {
  const ask = async () => {
    meanwhile?.();
    return says === true;
  };
  return type(['trust', ...args], {
    env: { ...world().env, ...env },
    userHome: sandbox.home,
    cwd: project,
    projectFolders: async () => folders,
    ...(says === undefined ? {} : { ask }),
  });
}

it('shows each key that would come into force with its value, and agrees where a person says yes', async () => {
  put({ worktrees: { setup_commands: ['npm ci'] }, permissions: { default: { allow: ['Read'], deny: ['Bash'] } } });
  const { code, out } = await run([], { says: true });
  expect(code).toBe(0);
  expect(out.replace(/sha256 \w{16}/, 'sha256 …')).toBe(`${fileOf(project)} (sha256 …) sets, and you have to agree:
  worktrees.setup_commands = ["npm ci"]
  permissions.default.allow = ["Read"]

Agreed. It counts from now on, until the file changes.
`);
  expect(setup()).toEqual(['npm ci']);
  expect(statSync(kept()).mode & 0o777).toBe(0o600);
  expect(await run([])).toMatchObject({ code: 0, out: expect.stringContaining('You have agreed to') });
});

it('agrees to nothing where the person says no', async () => {
  put({ worktrees: { setup_commands: ['npm ci'] } });
  expect(await run([], { says: false })).toMatchObject({
    code: 1,
    out: expect.stringContaining('Nothing was agreed to'),
  });
  expect(existsSync(kept())).toBe(false);
});

it('without a terminal it shows the same, needs --yes, and ends badly without', async () => {
  put({ worktrees: { setup_commands: ['npm ci'] } });
  expect(await run([])).toMatchObject({
    code: 2,
    out: expect.stringContaining('npm ci'),
    err: expect.stringContaining('--yes'),
  });
  expect(setup()).toEqual([]);
  expect(await run(['--yes'])).toMatchObject({ code: 0, out: expect.stringContaining('npm ci') });
  expect(setup()).toEqual(['npm ci']);
});

it('agrees to what was shown, not to what stands there when the answer comes', async () => {
  put({ worktrees: { setup_commands: ['npm ci'] } });
  await run([], { says: true, meanwhile: () => put({ worktrees: { setup_commands: ['curl evil'] } }) });
  expect(setup()).toEqual([]);
  put({ worktrees: { setup_commands: ['npm ci'] } });
  expect(setup()).toEqual(['npm ci']);
});

it('--revoke takes it back, also when the file is gone, and leaves what was agreed to elsewhere', async () => {
  const other = sandbox.dir('other');
  for (const folder of [project, other]) {
    put({ worktrees: { setup_commands: ['npm ci'] } }, folder);
    await run(['--yes'], { folders: [folder] });
  }
  expect(await run(['--revoke'])).toMatchObject({ code: 0, out: `Taken back: ${fileOf(project)}\n` });
  expect(setup()).toEqual([]);
  expect(Object.keys(JSON.parse(readFileSync(kept(), 'utf8')).files)).toEqual([fileOf(other)]);
  expect(await run(['--revoke'])).toMatchObject({ code: 0, out: expect.stringContaining('Nothing was agreed to') });
});

it('goes by the real path: a way through a link is the same project', async () => {
  put({ worktrees: { setup_commands: ['npm ci'] } });
  symlinkSync(project, join(sandbox.root, 'way'));
  await run(['--yes'], { folders: [join(sandbox.root, 'way')] });
  expect(setup()).toEqual(['npm ci']);
});

it('asks for the project and its main repository at once', async () => {
  const main = sandbox.dir('main');
  for (const folder of [project, main]) put({ worktrees: { setup_commands: ['npm ci'] } }, folder);
  await run(['--yes'], { folders: [project, main] });
  expect(Object.keys(JSON.parse(readFileSync(kept(), 'utf8')).files)).toEqual([fileOf(project), fileOf(main)]);
});

it('says so where nothing waits, and keeps nothing', async () => {
  expect(await run(['--yes'])).toMatchObject({ code: 0, out: expect.stringContaining('is not there') });
  put({ merge: { strategy: 'merge' } });
  expect(await run(['--yes'])).toMatchObject({ code: 0, out: expect.stringContaining('nothing that waits') });
  expect(existsSync(kept())).toBe(false);
});

it('shows nothing that a terminal would obey or hide', async () => {
  put({ worktrees: { setup_commands: ['a\u009b2Jb\u202ec\u2028d\u001b[2Ke'] } });
  const { out } = await run(['--yes']);
  expect(out).toContain('"a\\u{9b}2Jb\\u{202e}c\\u{2028}d\\u001b[2Ke"');
});

it.each([
  ['a worker', [], { env: { CREWMUX_WORKER: 'abc' } }, 'A worker cannot agree'],
  ['an unknown flag', ['--all'], {}, 'Usage'],
  ['two flags at once', ['--yes', '--revoke'], {}, 'exclude each other'],
])('%s gets a complaint, and nothing is agreed to', async (_, args, way, why) => {
  put({ worktrees: { setup_commands: ['npm ci'] } });
  expect(await run(args, { says: true, ...way })).toMatchObject({ code: 2, err: expect.stringContaining(why) });
  expect(existsSync(kept())).toBe(false);
});

it('a file that cannot be used is complained of', async () => {
  writeFileSync(join(sandbox.root, 'target.json'), '{"log_level": "debug"}');
  mkdirSync(dirname(fileOf(project)));
  symlinkSync(join(sandbox.root, 'target.json'), fileOf(project));
  expect(await run(['--yes'])).toMatchObject({ code: 2, err: expect.stringContaining('symbolic link') });
});

const ofAgent = (path: string, text: string) => {
  const file = join(project, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
};
const waits = () =>
  builtInAgents
    .flatMap((agent) => waitingFiles(agentFilesIn(project, agent), readAgreements(join(sandbox.root, 'state'))))
    .map(({ file }) => file);

it('shows the whole of each file by which an agent starts programs, and agrees to what it showed', async () => {
  const settings = ofAgent('.claude/settings.json', '{"statusLine": {"command": "x\u001b[2J"}}\n');
  const skill = ofAgent('.claude/skills/a/SKILL.md', '---\nhooks: {}\n---\n');
  const codex = ofAgent('.codex/config.toml', 'notify = ["x"]\n');
  ofAgent('.claude/rules/a.md', 'Only a text.\n');
  expect(waits()).toEqual([settings, skill, codex]);
  const { code, out } = await run([], { says: true, meanwhile: () => writeFileSync(codex, 'notify = ["y"]\n') });
  expect(code).toBe(0);
  expect(out).toContain(`${settings} (sha256 `);
  expect(out).toContain(
    'may name programs that its agent runs outside of the sandbox:\n  {"statusLine": {"command": "x\\u{1b}[2J"}}',
  );
  expect(out).toContain('  hooks: {}');
  expect(out).not.toContain('Only a text');
  expect(waits()).toEqual([codex]);
  expect(await run(['--revoke'])).toMatchObject({ code: 0 });
  expect(waits()).toEqual([settings, skill, codex]);
});

it('a link among the files of an agent keeps nobody from agreeing to the rest, and is never agreed to', async () => {
  ofAgent('.claude/settings.json', '{}\n');
  symlinkSync(sandbox.home, join(project, '.claude/skills'));
  const { code, err } = await run(['--yes']);
  expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('skills is a symbolic link') });
  expect(waits()).toEqual([join(project, '.claude/skills')]);
  expect(await run([])).toMatchObject({ code: 2 });
});
