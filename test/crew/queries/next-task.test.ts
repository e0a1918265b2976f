import { describe, expect, test } from 'vitest';
import { nextTask } from '../../../src/crew/queries/reports.ts';

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
  test('there is none where nothing is open', () => {
    expect(nextTask([{ ...report, what_open: ' ', errors_encountered: 'one' }])).toBeUndefined();
    expect(nextTask([])).toBeUndefined();
  });
});
