import { expect, it } from 'vitest';
import { digestText } from '../../src/cli/digest.ts';

const retry = 'update_task {"task_id":"t1","action":"retry"}';

it('each entry has the word that goes on, and its manager where there is no word', () => {
  const shown = {
    since: '2030-01-31T00:00:00.000Z',
    landed: [{ what: 'plan cart [p1]: api, page', next_calls: ['plan_status {"plan_id":"p1"}'] }],
    failed: [
      { what: 'task Pay [t1]: failed', why: 'no commit', next_calls: [retry, 'read_worker_logs {"session_id":"w1"}'] },
      { what: 'task Tax [t1]: failed', why: 'call list_tasks', next_calls: [retry] },
    ],
    waiting: [
      {
        what: 'Ada, permission',
        why: 'run npm\u001b[2J test',
        next_calls: ['answer_worker {"decision":"allow"}', 'answer_worker {"decision":"deny"}'],
      },
    ],
    skipped: [{ what: 'schedule Update [s1]: missed', next_calls: ['schedule_task {"action":"list"}'] }],
    spent: [],
  };
  expect(digestText(shown, 'crewmux')).toMatchInlineSnapshot(`
    "Since 2030-01-31T00:00:00.000Z
    Landed
      plan cart [p1]: api, page
          crewmux plan p1
    Failed
      task Pay [t1]: failed: no commit
          ask your manager to retry the task
          crewmux logs w1
      task Tax [t1]: failed: run \`crewmux task list\`
          ask your manager to retry the task
    Waiting
      Ada, permission: run npm[2J test
          crewmux answer
    Skipped
      schedule Update [s1]: missed
          crewmux schedule
    "
  `);
});
