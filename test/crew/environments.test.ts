import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { noticeEnvironment, programEnvironment } from '../../src/crew/environments.ts';
import { addGithub, type FakeGh, fakeGh } from '../e2e/gh.ts';
import { type RestingCrew, restingCrewIn } from '../support/resting-crew.ts';
import { makeSandbox } from '../support/sandbox.ts';
import { land } from './landing/landed.ts';
import { propose } from './proposing/resting-hub.ts';

const programs = ['git', 'remote', 'tmux', 'notice'] as const;
const getting = (name: string, passes: readonly string[] = []) => {
  const env = { [name]: 'value' };
  return programs
    .filter((program) => {
      const part = program === 'notice' ? noticeEnvironment(env, passes) : programEnvironment(program, env, passes);
      return name in part;
    })
    .join(' ');
};

it.each([
  ['PATH', 'git remote tmux notice'],
  ['HOME', 'git remote tmux notice'],
  ['LC_ALL', 'git remote tmux notice'],
  ['https_proxy', 'git remote tmux notice'],
  ['SSH_AUTH_SOCK', 'git remote tmux notice'],
  ['GIT_CONFIG_GLOBAL', 'git remote tmux notice'],
  ['GIT_SSH_COMMAND', 'git remote tmux notice'],
  ['DISPLAY', 'git remote notice'],
  ['DBUS_SESSION_BUS_ADDRESS', 'git remote notice'],
  ['EMAIL', 'git remote'],
  ['GH_TOKEN', 'remote'],
  ['GITHUB_TOKEN', 'remote'],
  ['GH_ENTERPRISE_TOKEN', 'remote'],
  ['GH_CONFIG_DIR', 'remote'],
  ['GCM_CREDENTIAL_STORE', 'remote'],
  ['GIT_SSL_CAINFO', 'git remote tmux notice'],
  ['GIT_SSL_CERT', 'remote'],
  ['TERM', 'tmux'],
  ['TMUX_TMPDIR', 'tmux'],
  ['ANTHROPIC_API_KEY', 'notice'],
  ['AWS_SECRET_ACCESS_KEY', ''],
  ['NODE_OPTIONS', ''],
  ['CLAUDE_CODE_MESSAGING_SOCKET_TOKEN', ''],
  ['DATABASE_PASSWORD', ''],
])('%s reaches: %s', (name, expected) => {
  expect(getting(name)).toBe(expected);
});

it('a variable that the user names reaches every program that is asked for it', () => {
  expect(getting('DATABASE_PASSWORD', ['DATABASE_PASSWORD'])).toBe('git remote tmux notice');
});

let crew: RestingCrew;
let gh: FakeGh;
const secrets = { DATABASE_PASSWORD: 'x', GITHUB_TOKEN: 'y', AWS_SECRET_ACCESS_KEY: 'z', NPM_TOKEN: 'n' };
beforeAll(async () => {
  const sandbox = makeSandbox();
  gh = fakeGh(sandbox);
  const repo = sandbox.repo('project');
  addGithub(sandbox, repo);
  crew = await restingCrewIn(sandbox, repo, { ...secrets, PATH: gh.path });
  const config = join(sandbox.dir('home/.config/crewmux'), 'config.json');
  writeFileSync(config, JSON.stringify({ defaults: { pass_env: ['NPM_TOKEN'] } }));
});
afterAll(() => crew.dispose());

const names = Object.keys(secrets).join('|');
const seenIn = (text: string) =>
  text
    .split('\n')
    .flatMap((line) => new RegExp(`^(${names})=`).exec(line)?.[1] ?? [])
    .sort();

it('the tests of a landing get none of the secrets of the server but those that the user names', async () => {
  const worker = await crew.author('tested.txt', 'x\n');
  const { tests } = await land(crew, worker, { test_command: 'env' });
  expect(tests.status).toBe('passed');
  expect(tests.output).toContain('\nHOME=');
  expect(seenIn(tests.output)).toEqual(['NPM_TOKEN']);
});

it('nor does a hook of git', async () => {
  const hooks = join(crew.repo, '.git', 'hooks');
  mkdirSync(hooks, { recursive: true });
  writeFileSync(join(hooks, 'pre-commit'), '#!/bin/sh\nenv >told.env\n');
  chmodSync(join(hooks, 'pre-commit'), 0o755);
  const worker = await crew.worker();
  writeFileSync(join(worker.worktreePath, 'left.txt'), 'x\n');
  expect(await land(crew, worker, { test_command: '' })).toMatchObject({ success: true });
  rmSync(join(hooks, 'pre-commit'));
  const told = readFileSync(join(worker.worktreePath, 'told.env'), 'utf8');
  expect(told).toContain('\nHOME=');
  expect(seenIn(told)).toEqual([]);
});

it('gh has its token and no other secret', async () => {
  const worker = await crew.author('proposed.txt', 'x\n');
  expect(await propose(crew, worker)).toMatchObject({ success: true });
  expect(gh.read('surroundings').trim()).toMatch(/ y$/);
});
