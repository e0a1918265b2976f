import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ControlItem, controlReader } from '../../../src/backends/tmux/control-lines.ts';

const spoken = [
  '%begin 1795229649 271 0',
  '%end 1795229649 271 0',
  '%session-changed $0 _crewmux',
  '%begin 1795229649 276 1',
  'one',
  '',
  '%begin 1 2 1',
  '%end 1795229649 275 1',
  '%end 1795229649 276 1',
  '%begin 1795229649 287 1',
  'parse error: unknown command: foo',
  '%error 1795229649 287 1',
  '%brand-new @1 what',
  'no percent at all',
  '%exit server exited',
  '',
].join('\n');

const understood: readonly ControlItem[] = [
  { kind: 'notice', name: 'session-changed' },
  { kind: 'begun' },
  { kind: 'reply', ok: true, lines: ['one', '', '%begin 1 2 1', '%end 1795229649 275 1'] },
  { kind: 'begun' },
  { kind: 'reply', ok: false, lines: ['parse error: unknown command: foo'] },
  { kind: 'notice', name: 'brand-new' },
  { kind: 'notice', name: '' },
  { kind: 'exit', reason: 'server exited' },
];

test('replies, refusals, notices and the end are told apart', () => {
  expect(controlReader()(spoken)).toEqual(understood);
});

test('it does not matter where the chunks are cut', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: spoken.length }), { maxLength: 12 }), (cuts) => {
      const read = controlReader();
      const edges = [0, ...cuts.sort((a, b) => a - b), spoken.length];
      const items = edges.slice(1).flatMap((to, at) => read(spoken.slice(edges[at], to)));
      expect(items).toEqual(understood);
    }),
  );
});

test('the end of a block that never began is broken, not skipped', () => {
  expect(controlReader()('%end 1795229649 276 1\n')).toEqual([{ kind: 'broken', line: '%end 1795229649 276 1' }]);
});
