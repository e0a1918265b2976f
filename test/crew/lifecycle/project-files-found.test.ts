// Which files of a worktree count as those that a person agreed to in the main checkout.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claudeAgent } from '../../../src/agents/claude/claude.ts';
import { codexAgent } from '../../../src/agents/codex/codex.ts';
import { projectStand } from '../../../src/crew/lifecycle/project-files.ts';
import { type BuiltInAgent, builtInAgents } from '../../../src/model/worker.ts';
import { agentFilesIn } from '../../../src/settings/agent-files.ts';
import { agreementsPath } from '../../../src/settings/agreements.ts';
import { settingsSchema } from '../../../src/settings/schema.ts';
import { workerRecord } from '../../support/records.ts';
import { makeSandbox, type Sandbox } from '../../support/sandbox.ts';

let sandbox: Sandbox;
let repo: string;
let tree: string;
let sha: string;
beforeEach(() => {
  sandbox = makeSandbox();
  repo = sandbox.repo('project');
  tree = join(repo, '.worktrees/ada');
});
afterEach(() => sandbox.dispose());

const put = (path: string, text = '{}\n') => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};
function commit(...paths: readonly string[]): void {
  for (const path of paths) put(join(repo, path));
  sandbox.git(repo, 'add', '-A', '-f');
  sandbox.git(repo, 'commit', '-q', '-m', 'Files');
  sha = sandbox.git(repo, 'rev-parse', 'HEAD');
  sandbox.git(repo, 'worktree', 'add', '-q', '-b', 'ada', tree);
}
function agree(): void {
  const files = builtInAgents.flatMap((agent) => agentFilesIn(repo, agent));
  const agreed = files.flatMap(({ place = '', held }) =>
    held.is === 'read' ? [[place, { sha256: held.sha256, at: 1 }]] : [],
  );
  put(agreementsPath(sandbox.dir('crewmux')), JSON.stringify({ v: 1, files: Object.fromEntries(agreed) }));
}
const agents = { claude: claudeAgent, codex: codexAgent };
const stand = (agentType: BuiltInAgent = 'claude', below = '') => {
  const place = { projectPath: join(tree, below), worktreePath: tree, mainRepoPath: repo, base: { ref: 'main', sha } };
  const settings = settingsSchema.parse({});
  const home = { root: sandbox.dir('crewmux') };
  const environment = { git: sandbox.env };
  const context = { environment, home, settingsFor: () => ({ settings, problems: [], rulesLost: false }) };
  return projectStand(context, workerRecord({ agentType, ...place }), agents[agentType]);
};
const out = async (...args: Parameters<typeof stand>) => (await stand(...args)).leftOut?.sources;

test('a file of a worktree is agreed to as that of the main checkout, and one changed byte takes that back', async () => {
  commit('.claude/settings.json', 'sub/.mcp.json');
  expect(await out()).toEqual(['project']);
  agree();
  expect(await out()).toBeUndefined();
  expect(await out('claude', 'sub')).toEqual(['project']);
  put(join(tree, '.claude/settings.json'), '{ }\n');
  expect(await out()).toEqual(['project']);
});

test('a file that is added after a person agreed leaves all of them out', async () => {
  commit('.claude/settings.json');
  agree();
  put(join(tree, '.claude/skills/new/SKILL.md'));
  expect(await out()).toEqual(['project']);
});

test('servers of the main checkout count in its worktrees', async () => {
  commit('README.md');
  put(join(repo, '.mcp.json'));
  expect(await out()).toEqual(['project']);
});

test("settings that git tracks are not the user's, whatever the worker's own index says", async () => {
  commit('.claude/settings.local.json');
  expect(await out()).toEqual(['local']);
  sandbox.git(tree, 'rm', '-q', '--cached', '.claude/settings.local.json');
  sandbox.git(repo, 'rm', '-q', '--cached', '.claude/settings.local.json');
  expect(await out()).toEqual(['local']);
});

test("settings that git does not track are the user's, and load", async () => {
  commit('README.md');
  put(join(tree, '.claude/settings.local.json'));
  put(join(repo, '.claude/settings.local.json'));
  expect(await stand()).toEqual({ holes: [] });
});

test("rules of Codex that git tracks are the project's, though they have the name of crewmux's own", async () => {
  commit('.codex/rules/crewmux.rules');
  expect((await stand('codex')).holes).toMatchObject([{ isWished: false }]);
});

test("the rules that crewmux gives to Codex are no file of the project's", async () => {
  commit('README.md');
  put(join(tree, '.codex/rules/crewmux.rules'), '');
  expect((await stand('codex')).holes).toEqual([]);
  put(join(tree, '.codex/rules/theirs.rules'), '');
  expect((await stand('codex')).holes).toMatchObject([{ isWished: false }]);
});
