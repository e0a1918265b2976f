import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';
import { type } from './typed-line.ts';

let sandbox: Sandbox;
let userFile: string;
beforeEach(() => {
  sandbox = makeSandbox();
  userFile = join(sandbox.home, '.config/crewmux/config.json');
});
afterEach(() => sandbox.dispose());

const run = (line: string, env: Readonly<Record<string, string>> = {}) =>
  type(['config', ...line.split(' ')], { env, userHome: sandbox.home, cwd: sandbox.dir('project') });
const put = (file: string, text: string) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};

it('init writes a file that sets nothing differently, and never overwrites one', async () => {
  expect(await run('init')).toMatchObject({ code: 0, out: `Wrote ${userFile}\n` });
  expect((await run('show')).out).not.toContain('Warning');
  put(userFile, '{}');
  expect(await run('init')).toMatchObject({ code: 2, err: `${userFile} exists already and is left as it is.\n` });
  expect(readFileSync(userFile, 'utf8')).toBe('{}');
});

it('show --explain says of each key what it means, with the document of each link', async () => {
  const { out } = await run('show --explain');
  expect(out).toContain('tmux.board = true  (default)\n    show the crew in window 0 of its tmux session\n');
  expect(out).toContain('see Keys (docs/configuration.md)\n');
  expect(out).not.toMatch(/\]\(|^ +$/m);
});

it('show names where each value comes from, and what is wrong', async () => {
  put(userFile, '{"tmux": {"socket": "mine", "sokcet": 1}}');
  const { out } = await run('show', { CREWMUX_COMMAND: 'wrapper -x' });
  expect(out).toContain(`tmux.socket = "mine"  (${userFile})`);
  expect(out).toContain('commands.claude = ["wrapper","-x"]  (CREWMUX_COMMAND)');
  expect(out).toContain('limits.max_workers = 64  (default)');
  expect(out).toContain('defaults.model = unset  (default)');
  expect(out).toContain('Warning: Unknown key "tmux.sokcet"');
});

it('get prints one value as JSON and complains of a key that is not there', async () => {
  expect(await run('get tmux.socket')).toMatchObject({ code: 0, out: '"crewmux"\n' });
  expect(await run('get tmux.sockte')).toMatchObject({
    code: 2,
    err: expect.stringContaining('Nearest known key: "tmux.socket"'),
  });
});

it('set changes one key and keeps the rest of the file, also what it does not know', async () => {
  put(userFile, '{"tmux": {"session_prefix": "a-", "odd": 1}, "later": {"x": 1}}');
  expect((await run('set tmux.socket other')).code).toBe(0);
  expect(JSON.parse(readFileSync(userFile, 'utf8'))).toEqual({
    tmux: { session_prefix: 'a-', odd: 1, socket: 'other' },
    later: { x: 1 },
  });
});

it.each([
  ['set limits.max_workers 7', { limits: { max_workers: 7 } }],
  ['set commands.claude wrapper', { commands: { claude: 'wrapper' } }],
  ['set commands.claude ["a","b"]', { commands: { claude: ['a', 'b'] } }],
  ['set tmux.socket 7', { tmux: { socket: '7' } }],
  ['set log_level debug', { log_level: 'debug' }],
])('%s writes what the key expects', async (line, content) => {
  expect(await run(line)).toMatchObject({ code: 0 });
  expect(JSON.parse(readFileSync(userFile, 'utf8'))).toEqual(content);
});

it.each([
  ['set limits.max_workers many', 'expected number'],
  ['set limits.max_worker 7', 'Nearest known key: "limits.max_workers"'],
  ['set limits {"max_workers":7}', 'Unknown key "limits"'],
  ['set tmux.socket', 'Usage'],
  ['frobnicate', 'Usage'],
])('%s is refused before anything is written', async (line, why) => {
  expect(await run(line)).toMatchObject({ code: 2, err: expect.stringContaining(why) });
  expect(existsSync(userFile)).toBe(false);
});

it('set leaves a broken file alone', async () => {
  put(userFile, '{broken');
  expect(await run('set tmux.socket x')).toMatchObject({
    code: 2,
    err: expect.stringContaining('Nothing was changed'),
  });
  expect(readFileSync(userFile, 'utf8')).toBe('{broken');
});

it('set with --project means the file of the project', async () => {
  const file = join(sandbox.root, 'project/.crewmux/config.json');
  expect((await run('set merge.strategy merge --project')).out).toBe(`merge.strategy = "merge" in ${file}\n`);
  expect((await run('set tmux.socket x --project')).out).toBe(
    `tmux.socket = "x" in ${file}\nLeft aside until you run \`crewmux trust\` here: tmux.socket\n`,
  );
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ merge: { strategy: 'merge' }, tmux: { socket: 'x' } });
  expect((await run('set log_level debug')).out).toBe(`log_level = "debug" in ${userFile}\n`);
});

it('path tells where everything lies, the log too', async () => {
  expect((await run('path', { CREWMUX_HOME: '/state' })).out).toBe(
    `user: ${userFile} (not there)\nproject: ${sandbox.root}/project/.crewmux/config.json (not there)\nstate: /state (not there)\nlog: /state/crewmux.log (not there)\n`,
  );
});

it('unset takes one setting out, a misspelt one too, and leaves no empty section', async () => {
  put(userFile, '{"tmux": {"socket": "mine", "sokcet": 1}, "log_level": "debug"}');
  expect(await run('unset tmux.sokcet')).toMatchObject({
    code: 0,
    out: `tmux.sokcet is no longer set in ${userFile}\n`,
  });
  expect(await run('unset tmux.socket')).toMatchObject({ code: 0 });
  expect(JSON.parse(readFileSync(userFile, 'utf8'))).toEqual({ log_level: 'debug' });
  expect(await run('unset tmux.socket')).toMatchObject({ code: 0, out: `tmux.socket is not set in ${userFile}.\n` });
  expect(await run('unset tmux.scoket')).toMatchObject({ code: 2, err: expect.stringContaining('tmux.socket') });
});
