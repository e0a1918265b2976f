import { expect, it } from 'vitest';
import { watchContext } from '../../../src/crew/attention/context-left.ts';
import { memberWords } from '../../../src/crew/queries/status.ts';
import { fullWindow } from '../../../src/crew/queries/usage.ts';
import { applyChange, type EventDraft } from '../../../src/model/event.ts';
import type { WorkerRecord } from '../../../src/model/worker.ts';
import { workerRecord } from '../../support/records.ts';

interface Kept {
  record: WorkerRecord;
  readonly drafts: EventDraft[];
}

/** A server that sees one worker; the record outlives it. */
function server(kept: Kept) {
  let left: number | undefined;
  let spent: (id: string) => void = () => undefined;
  watchContext({
    log: {
      records: () => new Map([[kept.record.id, kept.record]]),
      async append(drafts) {
        for (const draft of drafts) kept.record = applyChange(kept.record, draft.set) ?? kept.record;
        kept.drafts.push(...drafts);
        return [];
      },
    },
    roster: {
      isMine: () => true,
      onChange: () => () => undefined,
      onSpending(listen) {
        spent = listen;
        return () => undefined;
      },
    },
    logger: { write: () => undefined },
    contextLeftOf: () => left,
  });
  return (figure: number) => {
    left = figure;
    spent(kept.record.id);
  };
}

it('a nearly full window is told once by all servers together, and again after a compaction', () => {
  const kept: Kept = { record: workerRecord({ phase: 'live' }), drafts: [] };
  const told = () => kept.drafts.map(({ type, data }) => [type, data.context_left]);
  const first = server(kept);
  for (const figure of [0.6, 0.19, 0.1]) first(figure);
  const second = server(kept);
  second(0.08);
  expect(told()).toEqual([['worker_context', 0.19]]);
  for (const figure of [0.9, 0.15]) second(figure);
  expect(told()).toEqual([
    ['worker_context', 0.19],
    ['worker_context', 0.15],
  ]);
});

it('the board and crew_status name a window that is nearly full, and no other', () => {
  const usage = { input_tokens: 1, output_tokens: 1, cache_tokens: 1 };
  expect(fullWindow({ ...usage, context_left: 0.12 })).toBe('window 88% full');
  expect([fullWindow({ ...usage, context_left: 0.2 }), fullWindow(usage), fullWindow(undefined)]).toEqual([
    ...[undefined, undefined, undefined],
  ]);
  const evidence = { source: 'agent' as const, at: '', detail: 'idle' };
  expect(memberWords({ evidence }, 'window 88% full')).toBe('idle · window 88% full');
  expect(memberWords({ evidence }, undefined)).toBe('idle');
});
