// A repository's configuration is data until a person agrees to it, in a server that runs meanwhile.
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { bundle, openStand, paneOf, type Server, type Stand } from './crew.ts';

const outcome = z.looseObject({ code: z.number().default(0), stdout: z.string(), stderr: z.string() });
const examined = z.object({
  findings: z.array(z.looseObject({ check: z.string(), status: z.string(), fix: z.string().optional() })),
});

let stand: Stand;
let server: Server;
beforeAll(async () => {
  stand = openStand();
  server = await stand.serve();
});
afterAll(() => stand.dispose());

async function trust(cwd: string, ...args: string[]) {
  const ran = promisify(execFile)(process.execPath, [bundle, 'trust', ...args], { env: stand.sandbox.env, cwd });
  const { code, stdout, stderr } = outcome.parse(await ran.catch((failure: unknown) => failure));
  return { code, stdout, stderr };
}

async function start() {
  const made = await server.spawn({ use_worktree: false, skip_permissions: true });
  const [worker] = made.sessions;
  if (worker === undefined) throw new Error(`Not spawned: ${JSON.stringify(made.failed)}`);
  const line = stand.sandbox.tmux('display', '-p', '-t', paneOf(worker), '#{pane_start_command}');
  await server.close(worker, true);
  return { warnings: made.warnings.filter((one) => one.includes('crewmux trust')), isTold: /--mcp-config/.test(line) };
}

it('counts at once when a person agrees at a terminal, and no more after a change', async () => {
  const file = join(stand.repo, '.crewmux/config.json');
  const off = { defaults: { worker_tools: false } };
  mkdirSync(join(stand.repo, '.crewmux'));
  writeFileSync(file, JSON.stringify(off));
  const warned = [expect.stringContaining(`${file}, so crewmux leaves these keys of it aside: defaults.worker_tools.`)];
  expect(await start()).toEqual({ isTold: true, warnings: warned });
  const { findings } = await server.call('doctor', examined);
  expect(findings.filter(({ check }) => check === 'trust_config')).toMatchObject([
    { status: 'warn', detail: expect.stringContaining(file), fix: expect.stringContaining('crewmux trust') },
  ]);
  expect(await trust(stand.repo)).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
  expect(await start()).toEqual({ isTold: true, warnings: warned });

  expect(await trust(stand.repo, '--yes')).toMatchObject({ code: 0, stderr: '' });
  expect(await start()).toEqual({ isTold: false, warnings: [] });
  writeFileSync(file, JSON.stringify({ ...off, log_level: 'debug' }));
  expect(await start()).toMatchObject({ isTold: true, warnings: [expect.stringContaining('has changed since')] });

  // Agreed to and taken back in a worktree, it is the main repository that is meant.
  const tree = join(stand.sandbox.root, 'tree');
  stand.sandbox.git(stand.repo, 'worktree', 'add', '-q', tree);
  expect(await trust(tree, '--yes')).toMatchObject({ code: 0, stdout: expect.stringContaining(file) });
  expect(await start()).toEqual({ isTold: false, warnings: [] });
  expect(await trust(tree, '--revoke')).toMatchObject({ code: 0, stdout: `Taken back: ${file}\n` });
  expect((await start()).isTold).toBe(true);
});
