import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import { isOfSandbox } from '../../src/agents/codex/process.ts';
import { endMarkedKind, processesMarked } from '../../src/system/marked.ts';

const mark = { name: 'CREWMUX_WORKER', value: `marked-${process.pid}` };
const started: number[] = [];

/** A program of that name that nobody waits for, and the process that it starts. */
async function leave(argv0: string, value = mark.value): Promise<number> {
  const script = 'sleep 60 & echo; wait';
  const child = spawn('/bin/sh', ['-c', script], {
    ...{ argv0, detached: true, stdio: ['ignore', 'pipe', 'ignore'] },
    env: { PATH: process.env.PATH, [mark.name]: value },
  });
  const pid = child.pid ?? 0;
  started.push(pid);
  await once(child.stdout ?? child, 'data');
  return pid;
}
afterEach(() => {
  for (const pid of started.splice(0)) {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // It has ended as it should.
    }
  }
});

it('a sandbox that a killed Codex left ends with all in it, and what its worker left running does not', async () => {
  const [helper, server, others] = await Promise.all([
    leave('/x/codex-linux-sandbox'),
    leave('/bin/sh'),
    leave('/x/codex-linux-sandbox', `${mark.value}-other`),
  ]);
  const pids = async () => (await processesMarked(mark)).map(({ pid }) => pid);
  expect(await pids()).toHaveLength(4);
  expect(await endMarkedKind(mark, isOfSandbox, { graceMs: 500 })).toBe(1);
  const left = await pids();
  expect([left.length, left.includes(server), left.includes(helper)]).toEqual([2, true, false]);
  const foreign = { ...mark, value: `${mark.value}-other` };
  expect((await processesMarked(foreign)).some(({ pid }) => pid === others)).toBe(true);
});

it.each([
  ['itself', ['/h/.codex/tmp/arg0/codex-linux-sandbox', '--command-cwd', '/p'], true],
  ['the bubblewrap around it', ['bwrap', '--die-with-parent', '--', '/h/codex-linux-sandbox', '--', 'sh'], true],
  ['a bubblewrap of the worker', ['bwrap', '--ro-bind', '/', '/', '--', 'sh', '-c', 'codex-linux-sandbox'], false],
  ['a command that names it', ['sh', '-c', 'codex-linux-sandbox'], false],
  ['Codex', ['codex', '--no-daemon'], false],
])('%s is a helper of a sandbox, or is not', (_, argv, is) => {
  expect(isOfSandbox(argv)).toBe(is);
});
