// The workers' own tools in the hands of the real CLIs: no dialog, answers in time and late, notes, and who is told what.
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { attention } from '../../../src/wire/attention.ts';
import { list } from '../../../src/wire/parts.ts';
import { report } from '../../../src/wire/reports.ts';
import { sessionsOutput } from '../../../src/wire/sessions.ts';
import { eventually } from '../../support/sandbox.ts';
import { cast, crew } from '../company.ts';
import type { Worker } from '../crew.ts';

const reports = z.object({ reports: list(report) });
const status = z.object({ attention: list(attention) });
const answered = z.object({ success: z.boolean(), via: z.string() });

const account = {
  files_changed: ['a.txt'],
  what_done: 'It adds up.',
  what_open: '',
  what_tested: '',
  what_untested: 'All of it.',
  next_steps: '',
  errors_encountered: '',
};

const question = (of: Worker) =>
  eventually('the question is shown', async () =>
    (await crew.call('crew_status', status, {})).attention.find(({ session_id }) => session_id === of.session_id),
  );
const answer = (of: Worker, message: string) =>
  crew.call('answer_worker', answered, { session_id: of.session_id, decision: 'text', message });

const agents = [
  ['claude', (tool: string, args: object) => `TOOL mcp__crew__${tool} ${JSON.stringify(args)}`],
  ['codex', (tool: string, args: object) => `TOOL mcp__crew/${tool} ${JSON.stringify(args)}`],
] as const;

describe.concurrent.each(agents)('%s', (agent_type, tool) => {
  test('reports without a dialog, knows who it is, and what it reports is read at once', async () => {
    const prompt = [
      tool('report_progress', { status: 'working', message: 'begun' }),
      tool('submit_report', account),
      'SAY reported',
    ].join('\n');
    const worker = await cast.enter({ agent_type, prompt, append_system_prompt: 'Prefer tabs.' });
    await crew.idle(worker);
    const read = await crew.call('read_reports', reports, { worker: worker.name });
    expect(read.reports).toMatchObject([
      { kind: 'report', ...account },
      { kind: 'progress', message: 'begun' },
    ]);
    const told = cast.turns(worker)[0]?.told.join('\n') ?? '';
    expect(told).toMatch(
      new RegExp(
        `You are ${worker.name}, one of several coding agents[\\s\\S]*on branch ${worker.branch}[\\s\\S]*Prefer tabs\\.`,
      ),
    );
    expect(
      cast
        .turns(worker)
        .flatMap(({ texts }) => texts)
        .join('\n'),
    ).not.toContain('crewmux');
    expect(crew.falseIdles(worker)).toEqual([]);
    const seen = await crew.call('list_agent_sessions', sessionsOutput, { session_id: worker.name });
    const path = worker.project_path;
    expect(seen.sessions).toMatchObject([
      { agent_type, worker: worker.session_id, status: 'idle', project_path: path },
    ]);
    expect(seen.sessions?.[0]?.pid).toBeGreaterThan(1);
    expect(seen.warnings).toBeUndefined();
  });

  test('is answered into the call that waits, and waits meanwhile', async () => {
    const prompt = [tool('ask_manager', { question: 'Cents?', options: ['Yes', 'No'] }), 'SAY going on'].join('\n');
    const worker = await cast.enter({ agent_type, prompt });
    expect(await question(worker)).toMatchObject({ waiting_for: 'question', options: ['Yes', 'No'] });
    expect(await crew.look(worker.session_id)).toMatchObject({ status: 'waiting', waiting_for: 'question' });
    expect(await answer(worker, 'yes')).toMatchObject({ success: true, via: 'worker_tool' });
    await crew.idle(worker);
    const last = cast.turns(worker).at(-1);
    expect(last?.results.join('\n')).toMatch(/\\?"answer\\?":\s*\\?"Yes/);
    expect(crew.falseIdles(worker)).toEqual([]);
    cast.rests(worker);
  });

  test('is answered by a message when it has stopped waiting', async () => {
    const prompt = [tool('ask_manager', { question: 'Which port?', wait_seconds: 0 }), 'SAY later then'].join('\n');
    const worker = await cast.enter({ agent_type, prompt });
    await crew.until(worker.session_id, 'idle');
    await question(worker);
    await answer(worker, 'SAY port 8080');
    const late = await crew.home.model.waitFor(
      'the late answer',
      ({ cwd, prompt: text }) => cwd === worker.project_path && text.endsWith('\nSAY port 8080'),
    );
    expect(late.prompt).toMatch(/^crewmux: the answer to your question [0-9a-f]{8} \("Which port\?"\):\n/);
    await crew.idle(worker);
    cast.rests(worker);
  });

  test('passes a note on, which the other agent reads between its turns, quoted', async () => {
    const other = agent_type === 'claude' ? 'codex' : 'claude';
    const reader = await cast.enter({ agent_type: other, prompt: `HOLD reading by ${other}\nSAY read` });
    await crew.home.model.waitFor(
      'the reader works',
      ({ cwd, prompt }) => cwd === reader.project_path && prompt.includes(`HOLD reading by ${other}`),
    );
    // Another test's worker may read here: only this agent's words are looked for.
    const note = { to: reader.name, message: `The cart of ${agent_type}\ntakes cents.\nNot euros.\nMind it.` };
    const writer = await cast.enter({ agent_type, prompt: [tool('send_to_worker', note), 'SAY told'].join('\n') });
    await crew.idle(writer);
    expect(cast.turns(reader)).toHaveLength(1);
    crew.home.model.release(`reading by ${other}`);
    const got = await crew.home.model.waitFor(
      'the note',
      ({ cwd, prompt }) => cwd === reader.project_path && prompt.includes(`The cart of ${agent_type}`),
    );
    expect(got.prompt).toMatch(/^crewmux passes on a note from another worker\./);
    expect(got.prompt).toContain(`from worker "${writer.name}"`);
    expect(got.prompt.endsWith(`\n| The cart of ${agent_type}\n| takes cents.\n| Not euros.\n| Mind it.`)).toBe(true);
    await crew.idle(reader);
    cast.rests(reader);
    cast.rests(writer);
  });
});

test.each(agents)('%s asks on while its server dies, and the successor answers', async (agent_type, tool) => {
  const prompt = [tool('ask_manager', { question: 'Still there?' }), 'SAY good'].join('\n');
  const worker = await cast.enter({ agent_type, prompt });
  const { request_id } = await question(worker);
  await crew.replaceServer();
  expect(await question(worker)).toMatchObject({ request_id });
  expect(await crew.look(worker.session_id)).toMatchObject({ status: 'waiting', waiting_for: 'question' });
  expect(await answer(worker, 'Yes.')).toMatchObject({ success: true });
  await crew.idle(worker);
  expect(crew.falseIdles(worker)).toEqual([]);
});
