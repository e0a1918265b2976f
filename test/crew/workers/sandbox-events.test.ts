// What a worker's sources say of its sandbox becomes an event, its record, and a line of doctor.
import { expect, test } from 'vitest';
import { type HookWords, hookSignals } from '../../../src/agents/hook-line.ts';
import { sandboxesFinding } from '../../../src/crew/queries/doctor/state.ts';
import { sandboxDraft } from '../../../src/crew/workers/publish.ts';
import type { Signal } from '../../../src/model/turn.ts';
import type { LaunchRecord } from '../../../src/model/worker.ts';
import { workerRecord } from '../../support/records.ts';

const worker = (launch: Partial<LaunchRecord> = {}) => {
  const record = workerRecord({ name: 'ada', phase: 'live' });
  return { ...record, launch: { ...record.launch, sandbox: 'on' as const, ...launch } };
};
const broke: Signal = {
  ...({ from: 'transcript', kind: 'activity', at: 20, detail: 'tool result' } as const),
  sandboxBroke: "bwrap: Can't bind mount",
};

test('a broken sandbox is an event and is counted, once for each time', () => {
  const sandboxBroke = { count: 1, lastAt: 10 };
  expect(sandboxDraft({ signal: broke }, worker({ sandboxBroke }))).toMatchObject([
    {
      type: 'sandbox_failed',
      data: { detail: "bwrap: Can't bind mount" },
      set: { launch: { sandboxBroke: { count: 2, lastAt: 20 } } },
    },
  ]);
  expect(sandboxDraft({ signal: broke }, worker({ sandboxBroke: { count: 2, lastAt: 20 } }))).toEqual([]);
});

test('a command without our view of git’s folder makes the sandbox partial, once', () => {
  const line = '{"at":5000,"payload":{"hook_event_name":"CrewmuxSandbox","reason":"it names no command"}}';
  const words: HookWords = { waitingFor: () => 'permission', placeOf: () => ({}) };
  const [signal, ...more] = hookSignals(line, words);
  if (signal === undefined) throw new Error('no signal');
  expect(more).toEqual([]);
  const [draft] = sandboxDraft({ signal }, worker());
  const hole = "git's folder is not guarded: the agent starts bubblewrap in a new way: it names no command";
  const launch = { sandbox: 'partial', holes: [hole], writesRefs: true };
  expect(draft).toMatchObject({ type: 'sandbox_failed', set: { launch } });
  expect(sandboxDraft({ signal }, worker({ sandbox: 'partial', holes: [hole] }))).toEqual([]);
});

test('doctor names the living workers whose sandbox is not whole', () => {
  expect(sandboxesFinding([worker()])).toMatchObject({ status: 'ok' });
  const found = sandboxesFinding([
    worker({ sandbox: 'partial', holes: ['it can move other branches'] }),
    worker({ sandboxBroke: { count: 3, lastAt: 1 } }),
    { ...worker({ sandbox: 'partial', holes: ['of a closed one'] }), phase: 'closed' },
  ]);
  expect(found).toMatchObject({ status: 'warn' });
  expect(found.detail).toBe(
    'ada: it can move other branches; ada: bubblewrap failed, and a command did not run (times: 3)',
  );
});
