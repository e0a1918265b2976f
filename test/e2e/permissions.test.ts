import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { readPolicy } from '../../src/state/policy.ts';
import { openStand, type Stand } from './crew.ts';

let stand: Stand;
beforeEach(() => {
  stand = openStand();
});
afterEach(() => stand.dispose());

const result = z.looseObject({
  scope: z.string(),
  rules: z.looseObject({ allow: z.array(z.string()), deny: z.array(z.string()) }),
  in_effect: z.array(z.string()),
  changed: z.boolean(),
  workers: z.array(z.string()),
  explain: z
    .looseObject({ decision: z.string(), rule: z.string().optional(), scope: z.string().optional() })
    .optional(),
});

const folderOf = (id: string) => join(stand.sandbox.dir('crewmux'), 'workers', id);
const configure = (permissions: unknown) => {
  const folder = stand.sandbox.dir('home/.config/crewmux');
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ permissions }));
};

it('a worker starts under the rules of its role and of everyone, in a file of its own', async () => {
  configure({ default: { allow: ['Bash(npm test *)'] }, roles: { reviewer: { preset: 'review' } } });
  const server = await stand.serve();
  const [reviewer, plain] = (await server.spawn({ name: 'vera', role: 'reviewer' }, { name: 'paul' })).sessions;
  const policy = readPolicy(folderOf(reviewer?.session_id ?? ''));
  expect(policy?.layers.map(({ scope }) => scope)).toEqual(['preset:review', 'default']);
  expect(policy?.root).toBe(reviewer?.worktree_path);
  expect(existsSync(join(folderOf(reviewer?.session_id ?? ''), 'strict'))).toBe(true);
  expect(existsSync(join(folderOf(plain?.session_id ?? ''), 'strict'))).toBe(false);
  expect(statSync(join(folderOf(plain?.session_id ?? ''), 'policy.json')).mode & 0o777).toBe(0o600);
});

it('a changed rule holds for a living worker when the call answers, and for the next server too', async () => {
  const server = await stand.serve();
  const ada = await server.one({ name: 'ada', skip_permissions: false, use_worktree: false });
  const set = await server.call('set_permissions', result, { scope: 'worker:ada', deny: ['Bash(git push *)'] });
  expect(set).toMatchObject({ scope: `worker:${ada.session_id}`, changed: true, workers: ['ada'] });
  expect(readPolicy(folderOf(ada.session_id))?.layers[0]).toMatchObject({ deny: ['Bash(git push *)'] });
  expect(existsSync(join(folderOf(ada.session_id), 'strict'))).toBe(true);
  const next = await stand.serve();
  const shown = await next.call('set_permissions', result, { scope: 'worker:ada' });
  expect(shown).toMatchObject({ changed: false, rules: { deny: ['Bash(git push *)'] } });
  await next.call('set_permissions', result, { scope: 'worker:ada', remove: ['Bash(git push *)'] });
  expect(existsSync(join(folderOf(ada.session_id), 'strict'))).toBe(false);
});

it('a rule that cannot be read is refused before anything is written', async () => {
  const server = await stand.serve();
  await expect(
    server.call('set_permissions', result, { scope: 'default', allow: ['Bash(ls)', 'Bash(npm test'] }),
  ).rejects.toThrow(/Bash\(npm test.*is no rule/s);
  expect(existsSync(join(stand.sandbox.dir('crewmux'), 'permissions.json'))).toBe(false);
});

it('explain names the scope and the rule that decide, and runs nothing', async () => {
  configure({ default: { allow: ['Bash(touch *)'] } });
  const server = await stand.serve();
  await server.one({ name: 'ada', use_worktree: false });
  const { explain } = await server.call('set_permissions', result, {
    scope: 'worker:ada',
    explain: { tool: 'Bash', command: 'touch proof' },
  });
  expect(explain).toMatchObject({ decision: 'allow', scope: 'default', rule: 'Bash(touch *)' });
  expect(existsSync(join(stand.repo, 'proof'))).toBe(false);
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

it('rules on disk that are damaged allow nothing, and are left as they are', async () => {
  const server = await stand.serve();
  const path = join(stand.sandbox.dir('crewmux'), 'permissions.json');
  await server.call('set_permissions', result, { scope: 'default', allow: ['*'] });
  writeFileSync(path, '{"v":1,"sco');
  const ada = await server.one({ name: 'ada', use_worktree: false });
  expect(readPolicy(folderOf(ada.session_id))?.layers[0]).toMatchObject({ confirm: ['*'] });
  await expect(server.call('set_permissions', result, { scope: 'default', allow: ['*'] })).rejects.toThrow(
    /does not hold rules/,
  );
  expect(readFileSync(path, 'utf8')).toBe('{"v":1,"sco');
});
