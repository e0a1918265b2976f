// A server is killed while it types: its successor takes the beginning back that stands in the box of the real program.
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Agent } from '../../src/agents/agent.ts';
import { planDelivery as planClaude } from '../../src/agents/claude/delivery.ts';
import { planDelivery as planCodex } from '../../src/agents/codex/delivery.ts';
import { signalBelow, wrapperOf } from '../support/descendants.ts';
import { isAlive } from '../support/mcp.ts';
import { eventually } from '../support/sandbox.ts';
import { makeCodexHome } from './codex-home.ts';
import { openRealCrew, type RealCrew, type Worker } from './crew.ts';
import { agentBinary } from './install.ts';

let crew: RealCrew;
beforeAll(async () => {
  crew = await openRealCrew(async () => {
    const home = await makeCodexHome();
    const wrapped = (program: 'claude' | 'codex') => wrapperOf(home.sandbox, program, [agentBinary(program)]);
    return { ...home, claude: wrapped('claude'), env: { ...home.env, CREWMUX_CODEX_COMMAND: wrapped('codex') } };
  });
});
afterAll(() => crew.dispose());

const long = Array.from({ length: 40 }, (_, i) => `line ${i} of a message that is torn`).join('\n');
const tmux = (...args: readonly string[]) => crew.home.sandbox.tmux(...args);
const paneOf = ({ terminal_id }: Worker) => (terminal_id ?? '').replace(/^tmux:/, '');
const ofPane = (of: Worker, format: string) => tmux('display-message', '-p', '-t', paneOf(of), format);
const signal = (of: Worker, name: 'SIGSTOP' | 'SIGCONT') => signalBelow(Number(ofPane(of, '#{pane_pid}')), name);
const asked = (of: Worker) =>
  crew.home.model.requests.filter((r) => r.kind === 'turn' && r.cwd === of.project_path).map((r) => r.prompt);
const logged = z.looseObject({ type: z.string().optional(), workerId: z.string().optional() });
const said = z.looseObject({ data: z.looseObject({ verdict: z.string() }) });
/** Of all messages to a worker, in their order, as the log has them. */
const verdicts = ({ session_id }: Worker) =>
  readFileSync(join(crew.home.sandbox.dir('crewmux'), 'events.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => logged.parse(JSON.parse(line)))
    .filter(({ type, workerId }) => type?.startsWith('message_') && workerId === session_id)
    .map((one) => said.parse(one).data.verdict);
/** As many pastes as the whole text takes. */
const pastesOf = (planDelivery: Agent['planDelivery'], text: string): number => {
  const plan = planDelivery({ text, asCommand: false });
  return 'refused' in plan ? 0 : [...plan.first.keystrokes, ...plan.rest].filter((one) => 'paste' in one).length;
};

/** tmux kills the server right behind this paste of its, before it does anything else for it. */
async function tornBehindPaste(worker: Worker, text: string, paste: number) {
  const folder = crew.home.sandbox.dir('trap');
  const [script, count] = [join(folder, 'kill.sh'), join(folder, 'count')];
  rmSync(count, { force: true });
  const isIt = `[ "$(wc -l <${count})" -eq ${paste} ]`;
  writeFileSync(script, `#!/bin/sh\necho x >>${count}\n${isIt} && kill -s KILL ${crew.serverPid()}\nexit 0\n`);
  chmodSync(script, 0o755);
  tmux('set-hook', '-g', 'after-paste-buffer', `run-shell ${script}`);
  const sent = crew.message(worker, text).catch(() => 'killed');
  await eventually('the server is dead', () => !isAlive(crew.serverPid()));
  tmux('set-hook', '-gu', 'after-paste-buffer');
  expect(await sent).toBe('killed');
}

const ready = async (agent_type: string) => {
  const worker = await crew.one({ agent_type });
  return crew.until(worker.session_id, 'idle');
};
const keyboardIsBack = (of: Worker) =>
  eventually('the keyboard is back', () => ofPane(of, '#{pane_input_off}') === '0');

describe.each([
  ['claude', planClaude],
  ['codex', planCodex],
] as const)('of %s', (agent_type, planDelivery) => {
  const all = pastesOf(planDelivery, long);
  test.each([
    ['the first piece', long, 1],
    ['half of a long text', long, Math.ceil(all / 2)],
    ['a whole long text', long, all],
    ['a whole short text', 'SAY once', 1],
    ['a letter', 'y', 1],
  ])('%s is taken back and told as failed, and the next message goes out', async (_, text, paste) => {
    const worker = await ready(agent_type);
    await tornBehindPaste(worker, text, paste);
    await crew.replaceServer();
    expect(await crew.message(worker, 'SAY next', { wait_mode: 'all' })).toMatchObject({ verdict: 'submitted' });
    expect(asked(worker)).toEqual(['SAY next']);
    expect(verdicts(worker)).toEqual(['failed', 'submitted']);
  });

  test('it is taken back also where nothing else is sent', async () => {
    const worker = await ready(agent_type);
    await tornBehindPaste(worker, long, Math.ceil(all / 2));
    expect(crew.screen(worker)).toContain('line 0 of a message');
    await crew.replaceServer();
    await eventually('it is told', () => verdicts(worker).includes('failed'));
    expect(crew.screen(worker)).not.toContain('of a message that is torn');
    expect(await crew.idle(worker)).toMatchObject({ status: 'idle' });
  });

  test('with one character more in the box, it is a person’s and stands', async () => {
    const worker = await ready(agent_type);
    await tornBehindPaste(worker, 'SAY perhaps', 1);
    await keyboardIsBack(worker);
    crew.keys(worker, '-l', 's');
    await eventually('it is drawn', () => crew.screen(worker).includes('SAY perhapss'));
    await crew.replaceServer();
    expect(await crew.message(worker, 'SAY next')).toMatchObject({ verdict: 'held' });
    expect(crew.screen(worker)).toMatch(/[❯›][ \u00a0]SAY perhapss *$/mu);
    expect(verdicts(worker)).toEqual(['unconfirmed', 'held']);
  });

  test('a person’s key that was not drawn yet makes it a person’s, too', async () => {
    const worker = await ready(agent_type);
    await tornBehindPaste(worker, 'SAY perhaps', 1);
    await eventually('it is drawn', () => crew.screen(worker).includes('SAY perhaps'));
    await keyboardIsBack(worker);
    signal(worker, 'SIGSTOP');
    crew.keys(worker, '-l', 's');
    await crew.replaceServer();
    await eventually('the keyboard is taken', () => ofPane(worker, '#{pane_input_off}') === '1');
    signal(worker, 'SIGCONT');
    await eventually('it is told', () => verdicts(worker).includes('unconfirmed'));
    expect(await crew.message(worker, 'SAY next')).toMatchObject({ verdict: 'held' });
    expect(crew.screen(worker)).toMatch(/[❯›][ \u00a0]SAY perhapss *$/mu);
    expect(asked(worker)).toEqual([]);
  });

  test('a kept message that is torn is taken back and arrives once', async () => {
    const worker = await ready(agent_type);
    crew.keys(worker, '-l', 'my half typed dra');
    await eventually('the draft stands', () => crew.screen(worker).includes('my half typed dra'));
    expect(await crew.message(worker, long, { keep: true, delivery: 'steer' })).toMatchObject({ verdict: 'kept' });
    const folder = crew.home.sandbox.dir('trap');
    const script = join(folder, 'kill.sh');
    writeFileSync(script, `#!/bin/sh\nkill -s KILL ${crew.serverPid()}\nexit 0\n`);
    chmodSync(script, 0o755);
    tmux('set-hook', '-g', 'after-paste-buffer', `run-shell ${script}`);
    crew.keys(worker, 'C-u');
    await eventually('the server is dead', () => !isAlive(crew.serverPid()));
    tmux('set-hook', '-gu', 'after-paste-buffer');
    await crew.replaceServer();
    await eventually('it has arrived', () => asked(worker).length > 0);
    await crew.idle(worker);
    expect(asked(worker)).toEqual([long]);
    expect(verdicts(worker)).toEqual(['kept', 'submitted']);
  });
});
