// A plan under servers that are killed at any line of its book: it ends as without the kill, and nothing lands twice.
import { existsSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import { createPlanOutput } from '../../src/wire/plans.ts';
import { waitTasksOutput } from '../../src/wire/tasks.ts';
import { openStand, type Server, type Stand } from '../e2e/crew.ts';
import { isAlive } from '../support/mcp.ts';
import { eventually } from '../support/sandbox.ts';
import { drill } from './drill.ts';

const mostLines = 40;
const kills = fc.array(fc.integer({ min: 1, max: mostLines }), { minLength: 1, maxLength: 3 });

/** Written and committed; the tests pass once the job was sent back. */
const commit = (file: string, text: string) =>
  `BASH echo ${text} >> ${file} && git add . && git commit -qm "Write ${file}"`;
const jobs = [
  { name: 'first', prompt: `SLEEP 0.2\n${commit('a.txt', 'one')}\nSAY done` },
  { name: 'beside', prompt: `${commit('beside.txt', 'beside')}\nSAY done` },
  { name: 'second', depends_on: ['first'], prompt: `BASH cat a.txt\n${commit('b.txt', 'two')}\nSAY done` },
  { name: 'last', depends_on: ['second', 'beside'], prompt: `${commit('c.txt', 'three')}\nSAY done` },
];

drill('a plan ends the same, whenever its servers are killed', async (luck) => {
  const stand = openStand();
  try {
    const config = join(stand.sandbox.root, 'config.json');
    writeFileSync(config, JSON.stringify({ defaults: { skip_permissions: true } }));
    const serve = () => stand.serve({ CREWMUX_CONFIG: config });
    const server = await serve();
    const { plan_id, integration_branch } = await server.call('create_plan', createPlanOutput, {
      ...{ name: 'drill', jobs, test_command: 'sleep 0.1; test -e README.md' },
    });
    let last = server;
    for (const line of luck.draw(kills).toSorted((a, b) => a - b)) last = await killedAt(stand, last, { line, serve });
    const waited = await last.call('wait_tasks', waitTasksOutput, { plan_id, timeout: 120, on_attention: 'ignore' });
    expect(waited).toMatchObject({ plan_state: 'completed', waiting_on: [] });
    const git = (...args: string[]) => stand.sandbox.git(stand.repo, ...args);
    expect(git('log', '--format=%s', `main..${integration_branch}`).split('\n').toSorted()).toEqual([
      'Write a.txt',
      'Write b.txt',
      'Write beside.txt',
      'Write c.txt',
    ]);
    expect(git('show', `${integration_branch}:a.txt`)).toBe('one');
    expect(git('rev-parse', 'main')).toBe(git('merge-base', 'main', integration_branch));
    await toldOnce(last);
  } finally {
    await stand.dispose();
  }
});

interface Killing {
  /** Of the book: the server is killed as soon as it is written. */
  readonly line: number;
  readonly serve: () => Promise<Server>;
}

async function killedAt(stand: Stand, server: Server, { line, serve }: Killing): Promise<Server> {
  const folder = join(stand.sandbox.dir('crewmux'), 'tasks');
  await new Promise<void>((resolve) => {
    const look = () => {
      if (linesIn(folder) < line && !isAtEnd(folder)) return;
      watcher.close();
      resolve();
    };
    const watcher = watch(folder, look);
    look();
  });
  process.kill(server.connection.pid, 'SIGKILL');
  await eventually('it is gone', () => !isAlive(server.connection.pid));
  return serve();
}

const bookIn = (folder: string): string => {
  const [name] = existsSync(folder) ? readdirSync(folder).filter((one) => one.endsWith('.jsonl')) : [];
  return name === undefined ? '' : readFileSync(join(folder, name), 'utf8');
};
const linesIn = (folder: string): number => bookIn(folder).split('\n').length - 1;
const isAtEnd = (folder: string): boolean => /"plans":\[\{[^}]*"state":"completed"/.test(bookIn(folder));

/** Each worker was told its job once. */
async function toldOnce(server: Server): Promise<void> {
  for (const worker of await server.list()) {
    const prompts = await server.prompts(worker).catch(() => []);
    expect(new Set(prompts).size).toBe(prompts.length);
  }
}
