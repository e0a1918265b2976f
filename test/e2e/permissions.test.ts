import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { eventually } from '../support/sandbox.ts';
import { openStand, type Stand, type Worker } from './crew.ts';
import { sandboxPrograms } from './sandbox-programs.ts';

let stand: Stand;
beforeEach(() => {
  stand = openStand();
});
afterEach(() => stand.dispose());

const lists = z.looseObject({ allow: z.array(z.string()), ask: z.array(z.string()), deny: z.array(z.string()) });
const result = z.looseObject({
  scope: z.string(),
  rules: lists,
  in_effect: z.object({ allow: z.number(), ask: z.number(), deny: z.number() }),
  changed: z.boolean(),
  workers: z.array(z.looseObject({ name: z.string(), holds: z.string(), why: z.string().optional() })),
  not_enforced_by: z.array(z.looseObject({ agent_type: z.string(), rule: z.string() })),
});

const configure = (permissions: unknown) => {
  const folder = stand.sandbox.dir('home/.config/crewmux');
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ permissions }));
};
const launched = (worker: Worker) => {
  const path = join(stand.sandbox.dir('crewmux'), 'workers', worker.session_id, 'launches/1/settings.json');
  return lists.partial().parse(JSON.parse(readFileSync(path, 'utf8')).permissions);
};
const liveFile = (worker: Worker) => join(worker.project_path, '.claude/settings.local.json');
const live = (worker: Worker) =>
  existsSync(liveFile(worker)) ? JSON.parse(readFileSync(liveFile(worker), 'utf8')) : undefined;
const asking = { skip_permissions: false, permission_mode: 'manual' };

it('a worker starts under the rules of its role and of everyone, which its agent is given', async () => {
  configure({
    default: { allow: ['Bash(npm test *)'] },
    roles: { reviewer: { preset: 'review', confirm: ['Bash(make *)'] } },
  });
  const server = await stand.serve(sandboxPrograms(stand));
  const [reviewer, plain] = (await server.spawn({ name: 'vera', role: 'reviewer' }, { name: 'paul' })).sessions;
  if (reviewer === undefined || plain === undefined) throw new Error('they are not up');
  expect(launched(reviewer)).toMatchObject({
    // Its commands run in a sandbox, and need no rule of a preset.
    allow: ['mcp__crew', 'Bash(npm test *)', 'Read(./**)', 'WebSearch'],
    ask: ['Bash(make *)'],
    deny: expect.arrayContaining(['Edit', 'Bash(git push *)']),
  });
  expect(launched(plain)).toMatchObject({ allow: expect.arrayContaining(['Bash(npm test *)']) });
  expect(launched(plain).deny).toBeUndefined();
});

it('a changed rule reaches a living worker in its worktree, unseen by git, and goes again', async () => {
  const server = await stand.serve();
  const ada = await server.one({ name: 'ada', ...asking });
  mkdirSync(join(ada.project_path, '.claude'));
  const mine = { permissions: { allow: ['Bash(mine)'] } };
  writeFileSync(liveFile(ada), JSON.stringify(mine));
  const set = await server.call('set_permissions', result, { scope: 'worker:ada', deny: ['Bash(touch *)'] });
  expect(set).toMatchObject({ changed: true, workers: [{ name: 'ada', holds: 'within_3_seconds' }] });
  expect(live(ada)).toEqual({ permissions: { allow: ['Bash(mine)'], deny: ['Bash(touch *)'] } });
  expect(stand.sandbox.git(ada.project_path, 'status', '--porcelain', '--untracked-files=all')).toBe('');
  await server.message(ada, 'BASH touch never\nSAY done');
  await server.wait([ada]);
  expect(existsSync(join(ada.project_path, 'never'))).toBe(false);
  const next = await stand.serve();
  const shown = await next.call('set_permissions', result, { scope: 'worker:ada' });
  expect(shown).toMatchObject({ changed: false, rules: { deny: ['Bash(touch *)'] }, workers: [] });
  const takeBack = { scope: 'worker:ada', remove: ['Bash(touch *)'] };
  await expect(next.call('set_permissions', result, takeBack)).rejects.toMatchObject({ code: 'owned_by_another' });
  await server.call('set_permissions', result, takeBack);
  expect(live(ada)).toEqual(mine);
});

it('what crewmux wrote into a worktree goes when its worker is closed, and the worktree stays', async () => {
  const server = await stand.serve();
  const ada = await server.one({ name: 'ada', ...asking });
  await server.call('set_permissions', result, { scope: 'worker:ada', allow: ['Bash(touch *)'] });
  writeFileSync(join(ada.project_path, 'kept.txt'), 'work');
  expect(live(ada)).toEqual({ permissions: { allow: ['Bash(touch *)'] } });
  await server.close(ada);
  expect([existsSync(ada.project_path), existsSync(join(ada.project_path, '.claude'))]).toEqual([true, false]);
});

it('what a worker has started with ends with its next start, and the answer says so', async () => {
  const server = await stand.serve();
  await server.call('set_permissions', result, { scope: 'default', allow: ['Bash(make *)'] });
  const ada = await server.one({ name: 'ada', ...asking });
  expect(launched(ada).allow).toContain('Bash(make *)');
  const gone = await server.call('set_permissions', result, { scope: 'default', remove: ['Bash(make *)'] });
  expect(gone.workers).toMatchObject([{ name: 'ada', holds: 'next_start', why: expect.stringContaining('started') }]);
});

it('without a worktree of its own, and where git tracks the file, a rule holds from the next start', async () => {
  const server = await stand.serve();
  const here = await server.one({ name: 'here', ...asking, use_worktree: false });
  const there = await server.one({ name: 'there', ...asking });
  mkdirSync(join(there.project_path, '.claude'));
  writeFileSync(liveFile(there), '{}');
  stand.sandbox.git(there.project_path, 'add', '-f', '.claude/settings.local.json');
  const { workers } = await server.call('set_permissions', result, { scope: 'default', deny: ['Bash(touch *)'] });
  expect(workers).toMatchObject([
    { name: 'here', holds: 'next_start', why: expect.stringContaining('no worktree of its own') },
    { name: 'there', holds: 'next_start', why: expect.stringContaining('git tracks it') },
  ]);
  expect([live(here), live(there)]).toEqual([undefined, {}]);
});

it('a rule that cannot be read is refused before anything is written', async () => {
  const server = await stand.serve();
  await expect(
    server.call('set_permissions', result, { scope: 'default', allow: ['Bash(ls)', 'Bash(npm test'] }),
  ).rejects.toThrow(/Bash\(npm test.*is no rule/s);
  expect(existsSync(join(stand.sandbox.dir('crewmux'), 'permissions.json'))).toBe(false);
});

it('the answer names the agents that do not know a rule, and one that cannot be held to a deny is not started', async () => {
  const folder = stand.sandbox.dir('home/.config/crewmux');
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ commands: { codex: ['true'] } }));
  const server = await stand.serve();
  const set = await server.call('set_permissions', result, { scope: 'role:tester', deny: ['Read(.env)'] });
  expect(set.not_enforced_by).toMatchObject([{ agent_type: 'codex', rule: 'Read(.env)' }]);
  const { sessions, failed } = await server.spawn({ agent_type: 'codex', role: 'tester', skip_permissions: false });
  expect([sessions, failed]).toMatchObject([[], [{ error: expect.stringContaining('denies Read(.env)') }]]);
});

it('two servers that set rules at once lose none of them', async () => {
  const [one, two] = await Promise.all([stand.serve(), stand.serve()]);
  const rules = Array.from({ length: 10 }, (_, at) => `Bash(make step${at} *)`);
  await Promise.all(
    rules.map((rule, at) =>
      (at % 2 === 0 ? one : two).call('set_permissions', result, { scope: 'default', allow: [rule] }),
    ),
  );
  const { rules: held } = await one.call('set_permissions', result, { scope: 'default' });
  expect([...held.allow].sort()).toEqual(rules);
});

it('rules of an earlier version are taken over', async () => {
  const server = await stand.serve();
  const path = join(stand.sandbox.dir('crewmux'), 'permissions.json');
  writeFileSync(path, '{"v":1,"scopes":{"default":{"confirm":["Bash(a)"],"removed":[]}}}');
  const set = await server.call('set_permissions', result, { scope: 'default', ask: ['Bash(b)'] });
  expect(set.rules.ask).toEqual(['Bash(a)', 'Bash(b)']);
});

it('rules on disk that are damaged allow nothing, and are left as they are', async () => {
  const server = await stand.serve();
  const path = join(stand.sandbox.dir('crewmux'), 'permissions.json');
  await server.call('set_permissions', result, { scope: 'default', allow: ['Bash'] });
  writeFileSync(path, '{"v":1,"sco');
  const ada = await server.one({ name: 'ada', ...asking });
  expect(launched(ada)).toMatchObject({ ask: expect.arrayContaining(['Bash', 'Edit']) });
  await expect(server.call('set_permissions', result, { scope: 'default', allow: ['Bash'] })).rejects.toThrow(
    /does not hold rules/,
  );
  expect(readFileSync(path, 'utf8')).toBe('{"v":1,"sco');
});

it('a catastrophic act of a worker that asks nobody waits for a person, whom no manager can be', async () => {
  const server = await stand.serve();
  const ada = await server.one({ name: 'ada', skip_permissions: true, prompt: 'BASH rm -rf ../gone\nSAY done' });
  const { attention } = await server.wait([ada], { on_attention: 'any' });
  expect(attention).toMatchObject([{ waiting_for: 'permission', rule: expect.stringContaining('../gone') }]);
  const allow = { session_id: ada.session_id, request_id: attention[0]?.request_id, decision: 'allow' };
  await expect(server.call('answer_worker', z.looseObject({}), allow)).rejects.toThrow(/Only a person/);
  await server.call('answer_worker', z.looseObject({}), { ...allow, decision: 'deny', message: 'No.' });
  await eventually('it is idle', async () => (await server.look(ada.session_id)).status === 'idle');
});
