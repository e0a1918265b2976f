// A message goes out alone or not at all, also where the agent has not drawn what a person typed.
import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { eventually } from '../support/sandbox.ts';
import { agentCommand, openStand, paneOf, type Server, type Stand, type Worker } from './crew.ts';

let stand: Stand;
let server: Server;
let worker: Worker;
beforeAll(async () => {
  stand = openStand();
  // tmux itself continues a stopped process that it has started, but none below that.
  const wrapper = join(stand.sandbox.dir('bin'), 'agent');
  writeFileSync(wrapper, `#!/bin/sh\n${agentCommand.map((word) => `'${word}'`).join(' ')} "$@"\n`);
  chmodSync(wrapper, 0o755);
  server = await stand.serve({ CREWMUX_COMMAND: wrapper });
});
beforeEach(async () => {
  worker = await server.one();
});
afterEach(() => go());
afterAll(() => stand.dispose());

const page = z.object({ messages: z.array(z.object({ role: z.string(), content: z.string() })) });
const prompts = async () => {
  const { messages } = await server.call('read_worker_logs', page, {
    session_id: worker.session_id,
    pages: 20,
    format: 'full',
  });
  return messages.filter(({ role }) => role === 'user').map(({ content }) => content);
};
const ofPane = (format: string) => stand.sandbox.tmux('display-message', '-p', '-t', paneOf(worker), format);
const agentPid = (): number => {
  const rows = execFileSync('ps', ['-A', '-o', 'ppid=,pid='], { encoding: 'utf8' }).trim().split('\n');
  const [, pid] = rows.map((row) => row.trim().split(/\s+/)).find(([ppid]) => ppid === ofPane('#{pane_pid}')) ?? [];
  return Number(pid);
};
const signal = (name: 'SIGSTOP' | 'SIGCONT') => process.kill(agentPid(), name);
const stop = () => signal('SIGSTOP');
const go = () => signal('SIGCONT');
const box = (text: string) => `❯\u00a0${text}`;

/** Sends while the agent draws nothing; once the keyboard is taken, or the answer is there, `then` happens. */
async function sendUndrawn(text: string, then: () => void) {
  let isAnswered = false;
  const sent = server.message(worker, text).finally(() => {
    isAnswered = true;
  });
  await eventually('it is being typed', () => isAnswered || ofPane('#{pane_input_off}') === '1');
  then();
  return sent;
}

it("a message is not sent with a person's half line that the agent had not drawn, and goes out whole later", async () => {
  stop();
  stand.keys(worker, '-l', 'my half typed dra');
  const sent = await sendUndrawn('SAY never typed', go);
  await eventually('the draft is drawn', () => stand.screen(worker).includes(box('my half typed dra')));
  expect(sent).toMatchObject({ verdict: 'held', success: false });
  expect(sent.evidence.detail).toContain('my half typed dra');
  expect(stand.screen(worker)).not.toContain('SAY');
  expect(await server.look(worker.session_id)).toMatchObject({ status: 'idle' });
  stand.keys(worker, 'C-c');
  await eventually('the box is empty', () => !stand.screen(worker).includes('my half typed'));
  expect(await server.message(worker, 'SAY later', { wait_mode: 'all' })).toMatchObject({ verdict: 'submitted' });
  expect(await prompts()).toEqual(['SAY later']);
});
