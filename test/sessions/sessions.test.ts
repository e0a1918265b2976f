import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from '../support/sandbox.ts';
import { at, makeHome, uuid } from './home.ts';
import { tokenRecord } from './usage-lines.ts';

let home: ReturnType<typeof makeHome>;
beforeEach(() => {
  home = makeHome();
});
afterEach(() => home.sandbox.dispose());

const prompt = (content: string) => ({ type: 'user', entrypoint: 'cli', message: { role: 'user', content } });
const statuses = async (query = {}) =>
  Object.fromEntries(((await home.ask(query)).sessions ?? []).map((one) => [one.agent_session_id, one.status]));

it('a live session is found by its file and by its process, and one without a process has ended', async () => {
  home.transcript('gone', home.line(prompt('Mend it')));
  home.transcript('ours', home.line(prompt('Build it')) + home.line({ timestamp: at(3), type: 'assistant' }));
  await home.lives('ours', { status: 'busy' });
  await home.lives('young', { status: 'idle', kind: 'bg', name: 'look around' });
  const { sessions, warnings } = await home.ask();
  expect(warnings).toBeUndefined();
  expect(sessions).toEqual([
    {
      agent_session_id: 'ours',
      agent_type: 'claude',
      project_path: '/repo/here',
      branch: 'main',
      status: 'working',
      evidence: { source: 'agent', at: '1970-01-01T00:00:00.009Z', detail: 'busy' },
      pid: process.pid,
      started_at: at(0),
      last_activity: at(3),
      title: 'Build it',
      tasks: { pending: 0, in_progress: 0, completed: 0 },
      worker: 'a1b2c3d4',
      kind: 'interactive',
    },
    expect.objectContaining({ agent_session_id: 'young', status: 'idle', kind: 'background', title: 'look around' }),
  ]);
  expect(await statuses({ active_only: false })).toEqual({ ours: 'working', young: 'idle', gone: 'ended' });
  expect(await statuses({ session_id: 'gone' })).toEqual({ gone: 'ended' });
  expect(await statuses({ session_id: 'ada' })).toEqual({ ours: 'working' });
  expect(await statuses({ project_path: '/repo' })).toEqual({ ours: 'working', young: 'idle' });
  expect(await statuses({ project_path: '/repo/her' })).toEqual({});
});

it('a state file of a process with another start time keeps nothing alive', async () => {
  home.transcript('old', home.line(prompt('Mend it')));
  await home.lives('old', { status: 'busy', procStart: '1' });
  expect(await statuses({ active_only: false })).toEqual({ old: 'ended' });
});

it('subagents, teammates and headless runs are among them, with what can be known', async () => {
  const busy = home.line(prompt('Lead'));
  home.transcript('lead', busy);
  await home.lives('lead', { status: 'busy' });
  for (const [id, meta] of [
    ['s1', '{}'],
    ['s2', '{"finished":true}'],
  ] as const) {
    home.transcript(`lead/subagents/agent-${id}`, home.line({ ...prompt('Look'), isSidechain: true }));
    home.write(join(home.claude, 'projects/-repo-here/lead/subagents', `agent-${id}.meta.json`), meta);
  }
  home.transcript('gone/subagents/agent-s3', home.line({ ...prompt('Look'), isSidechain: true }));
  home.transcript('before', home.line({ ...prompt('Old run'), entrypoint: 'sdk-cli' }));
  expect(await statuses({ active_only: false })).toEqual({
    lead: 'working',
    s1: 'working',
    s2: 'ended',
    s3: 'ended',
    before: 'ended',
  });
  // A process that names no session, as a headless run and a teammate have.
  const { pid } = await sleeper();
  home.write(join(home.claude, 'sessions', `${pid}.0a.key`), '{}');
  home.transcript('run', home.line({ ...prompt('New run'), entrypoint: 'sdk-cli' }));
  home.transcript('mate', home.line({ ...prompt('Help'), teamName: 't', agentName: 'mate' }));
  const { sessions = [] } = await home.ask();
  expect(sessions.map((one) => [one.agent_session_id, one.kind, one.status]).sort()).toEqual([
    ['lead', 'interactive', 'working'],
    ['mate', 'teammate', 'unknown'],
    ['run', 'headless', 'unknown'],
    ['s1', 'subagent', 'working'],
  ]);
  expect(Object.keys(await statuses({ session_id: 'lead' })).sort()).toEqual(['lead', 's1', 's2']);
});

const sleepers: ReturnType<typeof spawn>[] = [];
afterEach(async () => {
  for (const one of sleepers.splice(0)) {
    one.kill('SIGKILL');
    if (one.exitCode === null && one.signalCode === null) await once(one, 'exit');
  }
});

async function sleeper(file?: string) {
  const fd = file === undefined ? 'ignore' : openSync(file, 'r');
  const child = spawn('sleep', ['600'], { argv0: 'codex', stdio: ['ignore', 'ignore', 'ignore', fd] });
  sleepers.push(child);
  await once(child, 'spawn');
  if (typeof fd === 'number') closeSync(fd);
  return { pid: child.pid };
}

const meta = { type: 'session_meta', payload: { cwd: '/repo/there', cli_version: '0.169.0', source: 'cli' } };
const event = (type: string, minute: number) => ({ timestamp: at(minute), type: 'event_msg', payload: { type } });

it('a session of Codex lives as long as a process holds it, and works while its turn goes on', async () => {
  const lock = (n: number) => home.write(join(home.codex, 'thread-writer-locks', `${uuid(n)}.lock`), '');
  home.rollout(uuid(1), [meta, event('task_started', 1), event('task_complete', 2)]);
  home.rollout(uuid(2), [meta, event('task_started', 200_000_000)]);
  home.rollout(uuid(3), [meta, event('task_started', 1)]);
  const { pid } = await sleeper(lock(1));
  await sleeper(lock(2));
  const idle = { agent_type: 'codex', status: 'idle', pid, project_path: '/repo/there', title: 'Mend the roof' };
  home.write(join(home.codex, 'session_index.jsonl'), `{"id":"${uuid(1)}","thread_name":"Mend the roof"}\n{"id":`);
  const { sessions = [] } = await home.ask();
  expect(sessions.find((one) => one.agent_session_id === uuid(1))).toMatchObject(idle);
  expect(await statuses({ active_only: false })).toEqual({
    [uuid(1)]: 'idle',
    [uuid(2)]: 'working',
    [uuid(3)]: 'ended',
  });
  const { sessions: later = [] } = await home.ask({}, Date.now() + 600_000);
  expect(later.find((one) => one.agent_session_id === uuid(2))?.status).toBe('unknown');
});

it('to-do items come from task files, from the older tool and from a plan of Codex, in progress first', async () => {
  const todo = { content: 'Old tool', status: 'pending', activeForm: 'Using it' };
  const content = [{ type: 'tool_use', name: 'TodoWrite', input: { todos: [todo] } }];
  home.transcript('old', home.line({ type: 'assistant', message: { content } }));
  home.transcript('new', home.line(prompt('x')));
  for (const n of [1, 2, 10])
    home.write(
      join(home.claude, 'tasks/new', `${n}.json`),
      JSON.stringify({
        subject: `Item ${n}`,
        activeForm: `On ${n}`,
        status: n === 2 ? 'in_progress' : 'completed',
        blockedBy: ['7'],
      }),
    );
  const plan = {
    type: 'function_call',
    name: 'update_plan',
    arguments: JSON.stringify({ plan: [{ step: 'Plan', status: 'pending' }] }),
  };
  home.rollout(uuid(1), [meta, { type: 'response_item', payload: plan }]);
  const { tasks } = await home.ask({ view: 'tasks', active_only: false });
  expect(tasks?.map(({ subject }) => subject)).toEqual(['Item 2', 'Plan', 'Old tool', 'Item 1', 'Item 10']);
  expect(tasks?.[0]).toEqual({
    agent_session_id: 'new',
    project_path: '/repo/here',
    subject: 'Item 2',
    active_form: 'On 2',
    status: 'in_progress',
    blocked_by: ['7'],
  });
  const { sessions } = await home.ask({ session_id: 'new' });
  expect(sessions?.[0]).toMatchObject({ current_task: 'On 2', tasks: { pending: 0, in_progress: 1, completed: 2 } });
});

it('half a line, unreadable files and unknown versions are counted and said, and hide nothing else', async () => {
  home.transcript('torn', `${home.line(prompt('Whole'))}{"type":"us`);
  home.transcript('broken', `${home.line(prompt('Whole'))}not json\n`);
  home.transcript('future', home.line({ ...prompt('Hello'), version: '9.0.1' }));
  symlinkSync('/dev/null', home.transcript('x', '').replace('x.jsonl', 'linked.jsonl'));
  home.write(join(home.claude, 'sessions', '1.json'), 'half');
  const { sessions, warnings } = await home.ask({ active_only: false });
  expect(sessions?.map((one) => one.agent_session_id).sort()).toEqual(['broken', 'future', 'torn', 'x']);
  expect(warnings?.map((text) => text.replaceAll(home.sandbox.root, ''))).toMatchInlineSnapshot(`
    [
      "claude: 1 file could not be read, such as /claude-config/projects/-repo-here/linked.jsonl",
      "claude: 1 transcript with half a line at the end, left out",
      "claude: 1 transcript with lines that are no JSON, such as /claude-config/projects/-repo-here/broken.jsonl",
      "claude: 1 transcript of version 9.0.1; tested up to 2.1.329",
      "claude: 1 state file of an unknown form",
    ]
  `);
});

it('of a transcript that grew only what is new is read, of one that is as it was nothing', async () => {
  const path = home.transcript('s', home.line(prompt('First')));
  await home.ask({ active_only: false });
  home.append(path, `${home.line({ timestamp: at(5), gitBranch: 'other' })}{"timestamp":"${at(9)}"`);
  const [grown] = (await home.ask({ active_only: false })).sessions ?? [];
  expect(grown).toMatchObject({ title: 'First', branch: 'other', last_activity: at(5) });
  home.append(path, ',"type":"assistant"}\n');
  utimesSync(path, 1_000, 1_000);
  const { sessions: [whole] = [], warnings } = await home.ask({ active_only: false });
  expect(whole).toMatchObject({ last_activity: at(9) });
  expect(warnings).toBeUndefined();
  // Whoever writes other bytes of the same number and puts the time back is not looked at.
  writeFileSync(path, 'x'.repeat(statSync(path).size));
  utimesSync(path, 1_000, 1_000);
  expect((await home.ask({ active_only: false })).sessions).toEqual([whole]);
});

it('a long transcript is read at both ends, whatever its first line', async () => {
  const long = home.line({ type: 'attachment', attachment: 'x'.repeat(300_000), cwd: undefined });
  const filler = home.line({ type: 'assistant', message: { content: 'y'.repeat(20_000) } }).repeat(20);
  home.transcript('s', long + home.line(prompt('First')) + filler + home.line({ timestamp: at(7), gitBranch: 'late' }));
  const [one] = (await home.ask({ active_only: false })).sessions ?? [];
  expect(one).toMatchObject({ title: 'First', project_path: '/repo/here', branch: 'late', last_activity: at(7) });
});

it('pages hold every session once, and the overview counts them all', async () => {
  for (let n = 0; n < 7; n += 1) home.transcript(`s${n}`, home.line({ ...prompt('x'), timestamp: at(n) }));
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await home.ask({ active_only: false, limit: 3, ...(cursor === undefined ? {} : { cursor }) });
    seen.push(...(page.sessions ?? []).map((one) => one.agent_session_id));
    cursor = page.cursor;
  } while (cursor !== undefined);
  expect(seen).toEqual(['s6', 's5', 's4', 's3', 's2', 's1', 's0']);
  const { overview } = await home.ask({ active_only: false, view: 'overview' });
  expect(overview).toMatchObject({ by_status: { ended: 7 }, by_project: { '/repo/here': 7 }, by_agent: { claude: 7 } });
  expect(overview?.newest[0]?.agent_session_id).toBe('s6');
});

it('no look changes a file, and none makes one', async () => {
  home.transcript('s', home.line(prompt('x')));
  home.rollout(uuid(1), [meta, tokenRecord('r1')]);
  home.write(join(home.claude, 'tasks/s/1.json'), '{"subject":"x","status":"pending"}');
  await home.lives('s', { status: 'idle' });
  mkdirSync(join(home.claude, 'tasks/s/odd.json'));
  const before = picture(home.sandbox.root);
  for (const view of ['sessions', 'tasks', 'overview'] as const) await home.ask({ view, active_only: false });
  await eventually('usage is read', async () => {
    const { sessions } = await home.ask({ session_id: uuid(1) });
    return sessions?.[0]?.usage;
  });
  expect(picture(home.sandbox.root)).toEqual(before);
});

/** Each file with its content, mode and times. */
function picture(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name);
    const { mode, mtimeMs, ctimeMs, size } = statSync(path);
    const hash = entry.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : '';
    return [path, mode, mtimeMs, ctimeMs, size, hash].join(' ');
  });
}
