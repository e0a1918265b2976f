// A message goes out alone or not at all, also where the agent has not drawn what a person typed.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { signalBelow, wrapperOf } from '../support/descendants.ts';
import type { Fields } from '../support/mcp.ts';
import { eventually } from '../support/sandbox.ts';
import { agentCommand, openStand, paneOf, type Server, type Stand, type Worker } from './crew.ts';

let stand: Stand;
let server: Server;
let worker: Worker;
beforeAll(async () => {
  stand = openStand();
  server = await stand.serve({ CREWMUX_COMMAND: wrapperOf(stand.sandbox, 'agent', agentCommand) });
});
beforeEach(async () => {
  worker = await server.one();
  // It is idle a moment before it has drawn the box that it is stopped with.
  await eventually('the box is drawn', () => stand.screen(worker).includes('❯'));
});
afterEach(() => go());
afterAll(() => stand.dispose());

const prompts = () => server.prompts(worker);
/** The logs show less than all of a long one. */
const transcriptPrompts = () => {
  const folder = join(stand.sandbox.dir('home/.claude'), 'projects');
  const path = readdirSync(folder, { recursive: true }).find((name) =>
    `${name}`.endsWith(`${worker.agent_session_id}.jsonl`),
  );
  const lines = readFileSync(join(folder, `${path}`), 'utf8')
    .trim()
    .split('\n');
  return lines.flatMap((line) => {
    const { data } = promptLine.safeParse(JSON.parse(line));
    return data === undefined ? [] : [data.message.content];
  });
};
const promptLine = z.object({ type: z.literal('user'), message: z.object({ content: z.string() }) });
const ofPane = (format: string) => stand.sandbox.tmux('display-message', '-p', '-t', paneOf(worker), format);
const signal = (name: 'SIGSTOP' | 'SIGCONT') => signalBelow(Number(ofPane('#{pane_pid}')), name);
const stop = () => signal('SIGSTOP');
const go = () => signal('SIGCONT');
const box = (text: string) => `❯\u00a0${text}`;

/** Sends while the agent draws nothing; once the keyboard is taken, or the answer is there, `then` happens. */
async function sendUndrawn(text: string, then: () => void, more: Fields = {}) {
  let isAnswered = false;
  const sent = server.message(worker, text, more).finally(() => {
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

it('what a person presses while a message is typed is not mixed into it', async () => {
  stop();
  const sent = await sendUndrawn('SAY whole', () => {
    stand.keys(worker, '-l', 'between');
    go();
  });
  expect(sent).toMatchObject({ verdict: 'submitted' });
  await server.wait([worker]);
  expect(await prompts()).toEqual(['SAY whole']);
  expect(stand.screen(worker)).not.toContain('between');
});

it('an interrupt waits for the message that is being typed, and ends its turn', async () => {
  stop();
  let interrupted: Promise<string> | undefined;
  const sent = await sendUndrawn(
    'SLEEP 30',
    () => {
      interrupted = server.interrupt(worker);
      go();
    },
    { wait_mode: 'all', timeout: 60 },
  );
  expect(await interrupted).toBe('interrupted');
  expect(sent).toMatchObject({ verdict: 'submitted', turn: { ended_by: 'interrupted' } });
});

it('a message to an agent that stays stopped is held, and nothing of it stays', async () => {
  stop();
  stand.keys(worker, '-l', 'mine');
  const sent = await server.message(worker, 'SAY never typed');
  expect(sent).toMatchObject({ verdict: 'held', evidence: { detail: expect.stringContaining('draws nothing') } });
  expect(ofPane('#{pane_input_off}')).toBe('0');
  stand.keys(worker, '-l', ' and more');
  go();
  await eventually('the draft is drawn', () => stand.screen(worker).includes(box('mine and more')));
  expect(await prompts()).toEqual([]);
  stand.keys(worker, 'C-c');
  await eventually('the box is empty', () => !stand.screen(worker).includes('mine and more'));
  expect(await server.message(worker, 'SAY later', { wait_mode: 'all' })).toMatchObject({ verdict: 'submitted' });
  expect(await prompts()).toEqual(['SAY later']);
});

const odd = '🚀 Grüße, 世界 é';
it.each([
  [
    'of 100 KB',
    Array.from({ length: 250 }, (_, i) => `${i} "quoted" $HOME ${odd} ${'word '.repeat(70)}end`).join('\n'),
  ],
  ['of one endless line', 'word '.repeat(4_000).trim()],
  ['of many short lines', Array.from({ length: 400 }, (_, i) => `${i}`).join('\n')],
  ['that begins with a picture', odd],
  ['that is one letter', 'x'],
  ['that begins like a shell line and is long', `!${'word '.repeat(100)}end`],
])('a message %s arrives byte for byte', async (_, text) => {
  stand.sandbox.tmux('resize-window', '-t', paneOf(worker), '-x', '60', '-y', '20');
  expect(await server.message(worker, text)).toMatchObject({ verdict: 'submitted' });
  await server.wait([worker]);
  const [prompt, ...others] = transcriptPrompts();
  expect(others).toEqual([]);
  expect(prompt === text).toBe(true);
});

it('a command is held by a half line that was not drawn, and a shell line does not run with it', async () => {
  stop();
  stand.keys(worker, '-l', 'half');
  const sent = await sendUndrawn('!touch ran', go, { as_command: true });
  expect(sent).toMatchObject({ verdict: 'held' });
  expect(stand.screen(worker)).toContain(box('half'));
});
