// A worker whose sandbox keeps no branch from it moves one in its first turn, and a person agrees at the end.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { list } from '../../src/wire/parts.ts';
import { eventually } from '../support/sandbox.ts';
import { unhurriedMs } from '../support/unhurried.ts';
import { bundle, openStand, type Server, type Stand } from './crew.ts';

let stand: Stand;
let server: Server;
beforeAll(async () => {
  stand = openStand();
  server = await stand.serve();
}, unhurriedMs);
afterAll(() => stand.dispose());

const status = z.looseObject({ attention: list(z.looseObject({ waiting_for: z.string(), title: z.string() })) });
const needs = async () =>
  (await server.call('crew_status', status)).attention.filter(({ waiting_for }) => waiting_for === 'ref_moved');

it(
  'where a branch stood is kept before the launch, and looked at when the turn ends',
  async () => {
    const git = (...args: string[]) => stand.sandbox.git(stand.repo, ...args);
    const from = git('rev-parse', 'main');
    const to = git('commit-tree', 'main^{tree}', '-p', 'main', '-m', 'Forged');
    // As a program does it that the worker runs: the tripwire sees no act on a branch.
    const program = join(stand.sandbox.root, 'program.sh');
    writeFileSync(program, `echo ${to} > ${stand.repo}/.git/refs/heads/main\n`);
    const ada = await server.one({
      name: 'ada',
      worktree: { branch: 'solo' },
      prompt: `BASH sh ${program}\nSAY done`,
      skip_permissions: true,
    });
    await server.wait([ada], { timeout: 60, on_attention: 'ignore' });
    const [need] = await eventually('it is told', async () => {
      const found = await needs();
      return found.length > 0 && found;
    });
    expect(need?.title).toContain(`from ${from.slice(0, 12)} to ${to.slice(0, 12)}`);
    const merge = () => server.call('merge_worker', z.looseObject({ outcome: z.string() }), { session_id: 'ada' });
    await expect(merge()).rejects.toThrow(/was moved from/);
    const env = { ...stand.sandbox.env, CREWMUX_PROJECT_DIR: stand.repo };
    const args = [bundle, 'trust', '--branch', 'main', '--yes'];
    const said = execFileSync(process.execPath, args, { cwd: stand.repo, env, encoding: 'utf8' });
    expect(said).toContain('Forged');
    expect(await needs()).toEqual([]);
    expect(await merge()).toMatchObject({ outcome: 'nothing' });
  },
  unhurriedMs,
);
