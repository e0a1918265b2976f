// A message goes out alone or not at all, also where the real program has not drawn what a person typed.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signalBelow, wrapperOf } from '../support/descendants.ts';
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

const ofPane = ({ terminal_id }: Worker, format: string) =>
  crew.home.sandbox.tmux('display-message', '-p', '-t', (terminal_id ?? '').replace(/^tmux:/, ''), format);
const signal = (of: Worker, name: 'SIGSTOP' | 'SIGCONT') => signalBelow(Number(ofPane(of, '#{pane_pid}')), name);
const asked = (of: Worker) =>
  crew.home.model.requests.filter((r) => r.kind === 'turn' && r.cwd === of.project_path).map((r) => r.prompt);

describe.concurrent.each(['claude', 'codex'])('to %s', (agent_type) => {
  test("a message is not sent with a person's half line that was not drawn", async () => {
    const worker = await crew.one({ agent_type });
    await crew.until(worker.session_id, 'idle');
    signal(worker, 'SIGSTOP');
    crew.keys(worker, '-l', 'my half typed dra');
    let isAnswered = false;
    const sent = crew.message(worker, 'SAY hello').finally(() => {
      isAnswered = true;
    });
    await eventually('it is typed', () => isAnswered || ofPane(worker, '#{pane_input_off}') === '1');
    signal(worker, 'SIGCONT');
    expect(await sent).toMatchObject({
      verdict: 'held',
      evidence: { detail: expect.stringContaining('my half typed dra') },
    });
    expect(crew.screen(worker)).toMatch(/[❯›][ \u00a0]my half typed dra *$/mu);
    expect(asked(worker)).toEqual([]);
    crew.keys(worker, 'C-u');
    await eventually('the draft is gone', () => !crew.screen(worker).includes('my half typed dra'));
    expect(await crew.message(worker, 'SAY hello', { wait_mode: 'all' })).toMatchObject({ verdict: 'submitted' });
    expect(asked(worker)).toEqual(['SAY hello']);
  });

  test('a kept message arrives whole once the draft is gone, and its wait brings the answer', async () => {
    const worker = await crew.one({ agent_type });
    await crew.until(worker.session_id, 'idle');
    crew.keys(worker, '-l', 'my half typed dra');
    await eventually('the draft stands', () => crew.screen(worker).includes('my half typed dra'));
    const text = `SAY "kept" $HOME 'q' é 漢 🚀 ;;`;
    const sent = crew.message(worker, text, { keep: true, wait_mode: 'all', timeout: 120 });
    await eventually('it is kept', async () => (await crew.look(worker.session_id)).pending_messages === 1);
    expect(crew.screen(worker)).toMatch(/[❯›][ \u00a0]my half typed dra *$/mu);
    crew.keys(worker, 'C-u');
    expect(await sent).toMatchObject({ verdict: 'submitted', reply: text.slice(4), turn: { ended_by: 'completed' } });
    expect(asked(worker)).toEqual([text]);
  }, 180_000);
});
