import { expect, it } from 'vitest';
import { tasksText } from '../../src/cli/task-words.ts';
import { waitText } from '../../src/cli/wait.ts';
import type { TaskView } from '../../src/wire/tasks.ts';

const listed = [
  { session_id: 'a1', name: 'Ada', status: 'idle' },
  { session_id: 'b2', name: 'Bo', status: 'dead' },
] as const;
const ended = { session_ids: ['a1', 'b2'], attention: [], timed_out: false, waited_seconds: 3 };

it('a worker that is idle only since the wait ended is not said to have been', () => {
  expect(waitText({ ...ended, idle_session_ids: [] }, listed)).toBe('Ada: not idle\nBo: dead\n');
  expect(waitText({ ...ended, idle_session_ids: ['a1'] }, [])).toBe('a1: idle\nb2: unknown\n');
  expect(waitText({ ...ended, idle_session_ids: ['a1'], timed_out: true }, listed)).toContain('up after 3 s');
});

it('a task has one line, whatever its title and reason hold', () => {
  const one: TaskView = {
    taskId: 't1',
    title: 'Fix\nit',
    state: 'failed',
    kind: 'task',
    priority: 5,
    dependsOn: [],
    attempts: 1,
    projectPath: '/p',
    evidence: { claimed: false, commits: [] },
    nextCalls: [],
    createdAt: '',
  };
  expect(
    tasksText({ tasks: [{ ...one, reason: 'no commit\n\u001b[2J', worker: { sessionId: 'a1', name: 'Ada' } }] }),
  ).toBe('task t1 Fix it: failed (Ada): no commit [2J\n');
  expect(tasksText({ tasks: [] })).toBe('No tasks here.\n');
});
