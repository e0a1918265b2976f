// A tmux that does not answer, while its workers live: nobody is taken for dead, and no act rests on a guess.
import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { doctorOutput } from '../../src/wire/doctor.ts';
import { spawnOutput } from '../../src/wire/starting.ts';
import { statusOutput } from '../../src/wire/status.ts';
import { isAlive } from '../support/mcp.ts';
import { eventually } from '../support/sandbox.ts';
import { openStand, type Server, type Stand, type Worker } from './crew.ts';

let stand: Stand;
let server: Server;
let worker: Worker;

beforeAll(async () => {
  stand = openStand();
  server = await stand.serve({ PATH: breakableTmux() });
  worker = await server.one({ prompt: 'SAY here' });
  await server.wait([worker]);
});
afterAll(() => stand.dispose());

const broken = () => join(stand.sandbox.root, 'broken');

/** A PATH with a tmux before the real one that lists nothing and keeps no client while `broken` is there. */
function breakableTmux(): string {
  const { sandbox } = stand;
  const path = sandbox.env.PATH ?? '';
  const real = path
    .split(delimiter)
    .map((folder) => join(folder, 'tmux'))
    .find((file) => existsSync(file));
  const own = join(sandbox.dir('bin'), 'tmux');
  writeFileSync(
    own,
    `#!/bin/sh
case " $* " in *" list-panes "* | *" -C "*)
  [ -f ${broken()} ] && { echo 'no files left' >&2; exit 1; } ;;
esac
exec ${real} "$@"
`,
  );
  chmodSync(own, 0o755);
  return `${join(sandbox.root, 'bin')}${delimiter}${path}`;
}

const restart = async (env: Readonly<Record<string, string>> = {}) => {
  process.kill(server.connection.pid, 'SIGKILL');
  await eventually('the server is gone', () => !isAlive(server.connection.pid));
  server = await stand.serve(env);
};

/** What holds of a worker that nobody can see. */
async function mustBeUnknown(why: string): Promise<void> {
  const { sandbox } = stand;
  const unseen = await server.look(worker.session_id);
  expect(unseen).toMatchObject({ status: 'unknown', is_idle: false, evidence: { source: 'pane' } });
  expect(unseen.evidence.detail).toContain(why);
  const { workers, counts } = await server.call('crew_status', statusOutput);
  expect([workers.unknown, counts.dead]).toMatchObject([[{ name: worker.name }], 0]);
  const { findings } = await server.call('doctor', doctorOutput);
  expect(findings.find(({ check }) => check === 'workers')).toMatchObject({
    status: 'warn',
    detail: expect.stringContaining(`nobody can tell whether they live: ${worker.name}`),
  });

  const refused = expect.stringContaining('tmux_failed');
  expect(await server.close(worker, true)).toMatchObject({ success: false, worktree: 'kept', warning: refused });
  const again = await server.call('restart_workers', spawnOutput, { session_ids: [worker.session_id] });
  expect(again.failed).toMatchObject([{ error: refused }]);
  const adopt = server.connection.call('adopt_worker', { session_id: worker.session_id });
  await expect(adopt).rejects.toMatchObject({ code: 'tmux_failed' });
  expect(await server.message(worker, 'SAY lost')).toMatchObject({ verdict: 'held' });
  expect(existsSync(worker.worktree_path ?? '')).toBe(true);
  expect(sandbox.git(stand.repo, 'worktree', 'list')).toContain(worker.worktree_path);
}

it('a worker whose pane cannot be listed is unknown to the server that has it, and to the next one', async () => {
  writeFileSync(broken(), '');
  for (const pid of stand.sandbox.tmux('list-clients', '-F', '#{client_pid}').split('\n')) process.kill(Number(pid));
  await server.until(worker.session_id, 'unknown');
  await restart({ PATH: breakableTmux() });
  await mustBeUnknown('no files left');
  rmSync(broken());
  await server.until(worker.session_id, 'idle');
});

it('a tmux whose socket is gone takes no worker with it, and listens again once it is told to', async () => {
  const { sandbox } = stand;
  const [path, pid] = sandbox.tmux('display-message', '-p', '#{socket_path} #{pid}').split(' ');
  rmSync(path ?? '');
  await restart();
  await mustBeUnknown(`kill -USR1 ${pid}`);
  process.kill(Number(pid), 'SIGUSR1');
  await server.until(worker.session_id, 'idle');
  expect(await server.message(worker, 'SAY still here', { wait_mode: 'all' })).toMatchObject({ verdict: 'submitted' });
  expect(await server.lastWords(worker)).toBe('still here');
  const events = await server.events();
  expect(events.filter(({ type }) => type === 'worker_dead')).toEqual([]);
  expect(events.filter(({ data }) => data.took_over_from !== undefined)).toMatchObject([
    { data: { unknown: expect.stringContaining('no files left') } },
    { data: { unknown: expect.stringContaining('USR1') } },
  ]);
});
