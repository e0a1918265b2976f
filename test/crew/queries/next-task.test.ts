import { describe, expect, test } from 'vitest';
import { nextTask } from '../../../src/crew/queries/reports.ts';
import { submitTaskInput } from '../../../src/wire/tasks.ts';

describe('nextTask', () => {
  const report = { session_id: '1', name: 'ada', report_id: 'r', at: 't', kind: 'report', what_done: 'A.' } as const;
  test('goes on from what the newest report leaves open', () => {
    const draft = nextTask([
      { ...report, what_open: 'B.\nC.', what_untested: 'D.' },
      { ...report, what_open: 'old' },
    ]);
    expect(draft).toMatchInlineSnapshot(`
      {
        "prompt": "Go on from what ada reported.

      Done: A.

      Still open: B.
      C.

      Not tested yet: D.",
        "title": "B.",
      }
    `);
  });
  test.each(['None.', 'none', 'N/A', 'n/a.', '-', '—', ' ', 'Nothing.', '(none)'])('%j counts as empty', (empty) => {
    expect(nextTask([{ ...report, what_open: empty, what_untested: empty, next_steps: empty }])).toBeUndefined();
    const draft = nextTask([{ ...report, what_done: empty, what_open: empty, next_steps: 'None of it is fast.' }]);
    const prompt = 'Go on from what ada reported.\n\nProposed next: None of it is fast.';
    expect(draft).toEqual({ title: 'None of it is fast.', prompt });
  });
  test.each([
    ['short', 'B.'],
    ['as long as reports may be', '語'.repeat(8_000)],
    ['in pairs', '🚀'.repeat(4_000)],
  ])('is what submit_task takes, with the role of its worker, where the words are %s', (_, what) => {
    const long = { what_done: what, what_open: what, what_untested: what, next_steps: what, errors_encountered: what };
    const draft = nextTask([{ ...report, ...long }], (id) => (id === '1' ? 'tester' : undefined));
    expect(submitTaskInput.safeParse(draft)).toMatchObject({ success: true, data: { role: 'tester' } });
  });
  test('there is none where nothing is open', () => {
    expect(nextTask([{ ...report, what_open: ' ', errors_encountered: 'one' }])).toBeUndefined();
    expect(nextTask([])).toBeUndefined();
  });
});
