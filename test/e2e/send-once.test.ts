// Under one id a message is typed at most once, wherever the server that sends it is killed.
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { eventually, makeSandbox, type Sandbox } from '../support/sandbox.ts';
import { agentCommand, bundle } from './crew.ts';
import type { Wish } from './sender.ts';

const told = z.object({
  verdict: z.string().optional(),
  terminal: z.string(),
  prompts: z.array(z.string()),
  work: z.array(z.looseObject({ id: z.string(), isIdle: z.boolean() })),
});

let sandbox: Sandbox;
let repo: string;
let program: string;
let worker: string;
let pane: string;
beforeAll(async () => {
  sandbox = makeSandbox();
  repo = sandbox.repo('project');
  // Beside the packages that it imports.
  program = join(sandbox.dir('sender'), 'sender.mjs');
  const banner = {
    js: "import { createRequire as requireAt } from 'node:module'; const require = requireAt(import.meta.url);",
  };
  const entryPoints = [resolve('test/e2e/sender.ts')];
  await build({ entryPoints, outfile: program, bundle: true, platform: 'node', format: 'esm', banner });
  const { work, terminal } = await serve({});
  expect(work).toMatchObject([{ task: { id: 't1', attempt: 1 }, isUnborn: false, isIdle: true }]);
  worker = work[0]?.id ?? '';
  pane = terminal.replace('tmux:', '');
});
afterAll(() => sandbox.dispose());

async function serve(wish: Partial<Wish>): Promise<z.infer<typeof told>> {
  const places = { repo, home: sandbox.dir('crewmux'), userHome: sandbox.home, program: [process.execPath, bundle] };
  const env = { ...sandbox.env, CREWMUX_COMMAND: agentCommand.join(' '), CREWMUX_PROJECT_DIR: repo };
  const args = [program, JSON.stringify({ ...places, ...wish })];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: repo, env });
  return told.parse(JSON.parse(stdout));
}
const send = (id: string, more: Partial<Wish> = {}) => serve({ worker, message: { id, text: `SAY ${id}` }, ...more });
const dies = (when: 'before' | 'after', file: string, line: string) => ({ dies: { when, file, line } });
const keys = (...all: string[]) => void sandbox.tmux('send-keys', '-t', pane, ...all);
const screen = () => sandbox.tmux('capture-pane', '-p', '-t', pane);
const timesOf = (prompts: readonly string[], id: string) => prompts.filter((one) => one === `SAY ${id}`).length;

it.each([
  ['before-begun', dies('before', 'sends.jsonl', 'digest'), 'submitted', 1],
  ['after-begun', dies('after', 'sends.jsonl', 'digest'), 'unconfirmed', 0],
  ['typed', dies('before', 'sends.jsonl', 'verdict'), 'submitted', 1],
  ['settled', dies('after', 'sends.jsonl', 'verdict'), 'submitted', 1],
  ['told', dies('after', 'events.jsonl', '"message_sent"'), 'submitted', 1],
])('typed at once, and killed: %s', async (id, death, verdict, times) => {
  await expect(send(id, death)).rejects.toMatchObject({ signal: 'SIGKILL' });
  expect(await send(id)).toMatchObject({ verdict });
  const again = await send(id);
  expect(again).toMatchObject({ verdict });
  expect(timesOf(again.prompts, id)).toBe(times);
});

it.each([
  ['before-kept', dies('before', 'mailbox.jsonl', '"text"')],
  ['kept', dies('after', 'mailbox.jsonl', '"text"')],
  ['kept-and-told', dies('after', 'events.jsonl', '"message_kept"')],
])('kept behind a draft, and killed: %s', async (id, death) => {
  await eventually('the box is drawn', () => screen().includes('❯'));
  keys('-l', 'draft');
  await eventually('the draft stands', () => screen().includes('❯\u00a0draft'));
  await expect(send(id, death)).rejects.toMatchObject({ signal: 'SIGKILL' });
  expect(await send(id)).toMatchObject({ verdict: 'kept', work: [{ isIdle: false }] });
  keys('C-c');
  await eventually('it was typed', async () => (await send(id)).verdict === 'submitted');
  const { prompts, verdict } = await send(id);
  expect({ verdict, times: timesOf(prompts, id) }).toEqual({ verdict: 'submitted', times: 1 });
});

it('a worker that has died is sent nothing, whatever was sent under the id before', async () => {
  sandbox.tmux('kill-pane', '-t', pane);
  expect(await send('told')).toMatchObject({ verdict: 'failed', work: [{ status: 'dead', isUnborn: false }] });
});
