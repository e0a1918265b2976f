import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { closeOutput, spawnOutput } from '../../src/wire/starting.ts';
import { countGitStarts } from '../support/git-starts.ts';
import { lastWords } from '../support/last-words.ts';
import { eventually } from '../support/sandbox.ts';
import { agentCommand, openStand, paneOf, type Server, type Stand } from './crew.ts';

let stand: Stand;
let server: Server;
beforeAll(async () => {
  stand = openStand();
  server = await stand.serve();
});
afterAll(() => stand.dispose());

/** A row for each pane that a worker lives in. */
const workerPanes = (format: string): readonly string[] =>
  stand.sandbox.tmux('list-panes', '-a', '-f', '#{@crewmux_worker}', '-F', format).split('\n').filter(Boolean);

it('one worker of three that cannot be made leaves nothing, and the others work; one at no branch is told so', async () => {
  const { sandbox, repo } = stand;
  const branches = () => sandbox.git(repo, 'for-each-ref', '--format=%(refname:short)').split('\n');
  const made = await server.spawn(
    { prompt: 'SAY one', annotation: 'one' },
    { prompt: 'SAY two', annotation: 'two', worktree: { base: 'no-such-base' } },
    { prompt: 'SAY three', annotation: 'three', worktree: { base: 'main~0' } },
  );
  expect(made.sessions.map(({ annotation }) => annotation)).toEqual(['one', 'three']);
  expect(made.failed).toMatchObject([{ error: expect.stringContaining('no-such-base') }]);
  expect(made.warnings.filter((words) => words.includes('no branch'))).toEqual([
    expect.stringContaining('"main~0" is a commit and no branch, so its work belongs to no branch'),
  ]);
  expect(await server.wait(made.sessions)).toMatchObject({ all_idle: true });
  expect(branches().filter((name) => name.includes('two'))).toEqual([]);
  expect(readdirSync(join(repo, '.worktrees')).filter((name) => name.includes('two'))).toEqual([]);
  expect(workerPanes('#{pane_id}')).toHaveLength(2);
  const all = await server.call('close_workers', closeOutput, { session_ids: 'all' });
  expect([...all.session_ids].sort()).toEqual(made.sessions.map(({ session_id }) => session_id).sort());
  expect(all).toMatchObject({ success_count: 2, failure_count: 0 });
});

it('four workers of one call start git twice each, and little more for all of them', async () => {
  const starts = countGitStarts(stand.sandbox);
  const counted = await stand.serve({ PATH: starts.path });
  const { sessions } = await counted.spawn({}, {}, {}, {});
  // Two that make a worktree in the same moment may have to try again.
  expect([...new Set(starts.taken())].slice(2 * sessions.length + 3)).toEqual([]);
  for (const one of sessions) await counted.close(one);
});

it('a folder that is no repository gets a worker without a worktree, and is told so', async () => {
  const folder = stand.sandbox.dir('plain');
  const made = await server.spawn({ project_path: folder, prompt: 'SAY here' });
  const [worker] = made.sessions;
  if (worker === undefined) throw new Error(JSON.stringify(made.failed));
  expect(worker).toMatchObject({ project_path: folder });
  expect(worker.worktree_path).toBeUndefined();
  expect(made.warnings.join(' ')).toMatch(/repository/);
  expect(await server.wait([worker])).toMatchObject({ all_idle: true });
  expect(await server.close(worker)).toMatchObject({ success: true, worktree: 'none' });
  expect(existsSync(folder)).toBe(true);
});

it('a worker with an issue whose tracker lies in the main checkout alone is not told to commit its folder', async () => {
  const repo = stand.sandbox.repo('tracked');
  mkdirSync(join(repo, '.beads'));
  writeFileSync(join(repo, '.git/info/exclude'), '.beads/\n');
  const worker = await server.one({ project_path: repo, bead: 'app-7', prompt: 'SAY done' });
  await server.wait([worker]);
  const stats = z.object({ conversation_stats: z.object({ last_user_prompt: z.string() }), usage: z.unknown() });
  const { conversation_stats: said, usage } = await server.call('examine_worker', stats, {
    session_id: worker.session_id,
  });
  expect(usage).toMatchObject({ input_tokens: 3_000, cache_tokens: 0 });
  expect(said.last_user_prompt).toContain('Work on app-7');
  expect(said.last_user_prompt).not.toContain('and with it what changed');
  await server.close(worker);
});

it('four workers share a window, the fifth gets another, and layout new begins a fresh one', async () => {
  const windows = () => {
    const rows = workerPanes('#{window_id}');
    return [...new Set(rows)].map((id) => rows.filter((row) => row === id).length).sort();
  };
  const bare = { use_worktree: false };
  const five = await server.spawn(bare, bare, bare, bare, bare);
  expect(five.failed).toEqual([]);
  expect(five.warnings.join(' ')).toMatch(/prompt|message/);
  expect(windows()).toEqual([1, 4]);
  const spawned = z.looseObject({ sessions: z.array(z.looseObject({ session_id: z.string() })), attach: z.string() });
  const fresh = await server.call('spawn_workers', spawned, {
    workers: [{ project_path: stand.repo, ...bare }],
    layout: 'new',
  });
  expect(fresh.sessions).toHaveLength(1);
  expect(windows()).toEqual([1, 1, 4]);
  expect(JSON.stringify(fresh).split('tmux -L')).toHaveLength(2);
  expect(fresh.sessions[0]).not.toHaveProperty('tmux');
  const [one] = fresh.sessions;
  expect(await server.look(one?.session_id ?? '')).toMatchObject({ tmux: { attach: fresh.attach } });
  const names = five.sessions.map(({ name }) => name);
  expect(new Set(names).size).toBe(5);
  const listed = await server.call(
    'list_workers',
    z.looseObject({ workers: z.array(z.looseObject({ session_id: z.string() })) }),
  );
  const ids = listed.workers.map(({ session_id }) => session_id);
  await server.call('close_workers', z.looseObject({}), { session_ids: ids });
});

it('an annotation shows in the list and on the border', async () => {
  const worker = await server.one({ use_worktree: false, annotation: 'before' });
  await server.call('annotate_worker', z.looseObject({}), { session_id: worker.name, annotation: 'after that' });
  expect(await server.look(worker.session_id)).toMatchObject({ annotation: 'after that' });
  await eventually('the border shows it', () => workerPanes('#{@crewmux_annotation}').includes('after that'));
  await server.close(worker);
});

it('a folder nobody vouched for is named as the reason, and nothing is answered', async () => {
  // The recorded screen stands in front of the agent; a line feed answers it.
  const script = join(stand.sandbox.root, 'asks.sh');
  const recorded = resolve(import.meta.dirname, '../fixtures/agents/claude/2.1.329/trust/screens/dialog.txt');
  writeFileSync(script, `cat '${recorded}'; read -r _; clear; exec "$@"\n`);
  const asking = await stand.serve({ CREWMUX_COMMAND: ['sh', script, ...agentCommand].join(' ') });
  const made = await asking.spawn({ use_worktree: false, prompt: 'SAY hi' });
  const [worker] = made.sessions;
  if (worker === undefined) throw new Error(JSON.stringify(made.failed));
  expect(worker).toMatchObject({ status: 'waiting', waiting_for: 'trust', evidence: { source: 'screen' } });
  expect(made.coordinator_guidance).toMatch(/^1 waits for trust: /);
  expect(await asking.message(worker, 'hello')).toMatchObject({ verdict: 'held' });
  expect(await asking.message(worker, 'SAY kept', { keep: true })).toMatchObject({ verdict: 'kept' });
  expect(stand.screen(worker)).toMatch(/❯ No, exit/);
  stand.keys(worker, 'Enter');
  await asking.until(worker.session_id, 'idle');
  expect(await asking.wait([worker])).toMatchObject({ all_idle: true });
  expect(await asking.lastWords(worker)).toBe('kept');
  await asking.close(worker);
});

it('an agent that falls over as it starts is started once more, and one that refuses is not', async () => {
  const { sandbox } = stand;
  const runs = join(sandbox.root, 'runs');
  const script = join(sandbox.root, 'falls.sh');
  const once = '[ $(wc -l <"$0.runs") -gt 1 ] && exec "$@"';
  writeFileSync(
    script,
    `echo run >>"$0.runs"; ${once}; ${lastWords('The application panicked (crashed).')}; exit 101\n`,
  );
  const falling = await stand.serve({ CREWMUX_COMMAND: ['sh', script, ...agentCommand].join(' ') });
  const worker = await falling.one({ use_worktree: false, prompt: 'SAY up at last' });
  await falling.wait([worker]);
  expect(await falling.lastWords(worker)).toBe('up at last');
  process.kill(Number(sandbox.tmux('display-message', '-p', '-t', paneOf(worker), '#{pane_pid}')), 'SIGKILL');
  await falling.until(worker.session_id, 'dead');
  writeFileSync(`${script}.runs`, '');
  const again = await falling.call('restart_workers', spawnOutput, { session_ids: [worker.session_id] });
  expect(again).toMatchObject({ failed: [], sessions: [{ status: 'idle' }] });
  expect(await falling.look(worker.session_id)).toMatchObject({ restarts: 1 });
  writeFileSync(
    join(sandbox.root, 'refuses.sh'),
    `echo run >>${runs}; ${lastWords('wrong flag: not as root')}; exit 1\n`,
  );
  const refusing = await stand.serve({ CREWMUX_COMMAND: `sh ${join(sandbox.root, 'refuses.sh')}` });
  const { failed } = await refusing.spawn({ prompt: 'SAY never', skip_permissions: true });
  expect(failed).toMatchObject([
    { step: 'start', error: expect.stringContaining('wrong flag'), hint: expect.stringContaining('runs as root') },
  ]);
  expect(readFileSync(runs, 'utf8')).toBe('run\n');
});

it('agent and set-up commands see what the user lets pass, and no other secret of the server', async () => {
  const { sandbox } = stand;
  const told = (name: string) => join(sandbox.root, `${name}.env`);
  const script = join(sandbox.root, 'tells.sh');
  writeFileSync(script, `env >${told('agent')}; exec "$@"\n`);
  const config = join(sandbox.root, 'passing.json');
  writeFileSync(config, JSON.stringify({ defaults: { pass_env: ['NPM_TOKEN'] } }));
  const telling = await stand.serve({
    ...{ CREWMUX_COMMAND: ['sh', script, ...agentCommand].join(' '), CREWMUX_CONFIG: config },
    ...{ NPM_TOKEN: 'x', DATABASE_PASSWORD: 'x', AWS_PROFILE: 'x', AZURE_CLIENT_SECRET: 'x' },
  });
  const secretsIn = (name: string) =>
    readFileSync(told(name), 'utf8')
      .match(/^(NPM|DATABASE|AWS|AZURE)_\w+/gm)
      ?.sort();
  const worker = await telling.one({
    setup_commands: [`env >${told('setup')}`],
    env: { CLAUDE_CODE_USE_BEDROCK: '1' },
    // In a sandbox its set-up commands write no file here, and get no key of its agent.
    sandbox: false,
    prompt: 'SAY hi',
  });
  expect(secretsIn('agent')).toEqual(['AWS_PROFILE', 'NPM_TOKEN']);
  expect(secretsIn('setup')).toEqual(['AWS_PROFILE', 'NPM_TOKEN']);
  await telling.close(worker);
  const plain = await telling.one({ use_worktree: false, prompt: 'SAY hi' });
  expect(secretsIn('agent')).toEqual(['NPM_TOKEN']);
  await telling.close(plain);
});

it('each worker has ports of its own, which its set-up commands know too, and keeps them when it returns', async () => {
  const script = join(stand.sandbox.root, 'port.sh');
  writeFileSync(script, `echo $CREWMUX_PORT >>"$0.$CREWMUX_WORKER"; exec "$@"\n`);
  const serving = await stand.serve({ CREWMUX_COMMAND: ['sh', script, ...agentCommand].join(' ') });
  const setup = { setup_commands: ['echo $CREWMUX_PORT >port'], prompt: 'SAY hi' };
  const { sessions } = await serving.spawn(setup, setup);
  const [one, two] = sessions.map(({ worktree_path: path = '' }) => readFileSync(join(path, 'port'), 'utf8'));
  expect([one, two]).toEqual([
    expect.stringMatching(/^2\d{3}0\n$|^3[01]\d{2}0\n$/),
    expect.not.stringMatching(one ?? ''),
  ]);
  const [worker, other] = sessions;
  if (worker === undefined || other === undefined) throw new Error('two were asked for');
  await serving.wait(sessions);
  await serving.close(worker, true);
  await serving.call('restart_workers', spawnOutput, { session_ids: [worker.session_id] });
  expect(readFileSync(`${script}.${worker.session_id}`, 'utf8')).toBe(`${one}${one}`);
  for (const name of [worker, other]) await serving.close(name, true);
});

it('submodules are filled where the user wants it, and else the answer names the empty ones', async () => {
  const { sandbox } = stand;
  const lib = sandbox.repo('lib');
  const repo = sandbox.repo('with-lib');
  const local = ['-c', 'protocol.file.allow=always'];
  sandbox.git(repo, ...local, 'submodule', 'add', '-q', lib, 'lib');
  sandbox.git(repo, 'commit', '-qm', 'Use lib');
  const config = join(sandbox.root, 'submodules.json');
  writeFileSync(
    config,
    JSON.stringify({ worktrees: { submodules: true }, defaults: { pass_env: ['GIT_ALLOW_PROTOCOL'] } }),
  );
  const filling = await stand.serve({ CREWMUX_CONFIG: config, GIT_ALLOW_PROTOCOL: 'file' });
  const full = await filling.one({ project_path: repo });
  expect(readdirSync(join(full.worktree_path ?? '', 'lib'))).toEqual(readdirSync(lib));
  const { sessions, warnings } = await server.spawn({ project_path: repo });
  expect(warnings).toContainEqual(expect.stringContaining('its submodules are empty (lib)'));
  await filling.close(full, true);
  for (const one of sessions) await server.close(one);
});

it('what a call asks to be copied and run comes after what the configuration names', async () => {
  const { sandbox } = stand;
  const config = join(sandbox.root, 'copying.json');
  const worktrees = { copy_files: ['first.env'], setup_commands: ['echo configured >>order'] };
  writeFileSync(config, JSON.stringify({ worktrees }));
  const copying = await stand.serve({ CREWMUX_CONFIG: config });
  const repo = sandbox.repo('copied');
  for (const name of ['first.env', 'second.env']) writeFileSync(join(repo, name), name);
  const asked = { copy_files: ['second.env'], setup_commands: ['echo asked >>order'] };
  const worker = await copying.one({ project_path: repo, ...asked });
  const read = (name: string) => readFileSync(join(worker.worktree_path ?? '', name), 'utf8');
  expect([read('first.env'), read('second.env'), read('order')]).toEqual([
    'first.env',
    'second.env',
    'configured\nasked\n',
  ]);
  await copying.close(worker, true);
});
