// What a sandbox does not hold: said in the record and once in answers, and refused where it must hold.
import { expect, test } from 'vitest';
import type { LaunchSpec, SandboxHole } from '../../../src/agents/agent.ts';
import { heldHoles, holesOf, sandboxRecord } from '../../../src/crew/lifecycle/sandbox-holes.ts';

const refs: SandboxHole = { words: 'it can move other branches', isWished: false };

type Spec = Pick<LaunchSpec, 'sandbox' | 'skipPermissions'>;
const spec = (more: { skips?: boolean; holes?: readonly SandboxHole[] } = {}): Spec => ({
  skipPermissions: more.skips ?? false,
  sandbox: {
    ...{ root: '/w', temp: '/t', writable: [], writableByCommands: [], unwritable: [], unreadable: [] },
    ...{ allowedDomains: [], excludedCommands: [], allowUnixSockets: [], allowLocalBinding: false },
    holes: more.holes ?? [],
  },
});
const must = { sandbox: { isOn: true, mustHold: true } };
const may = { sandbox: { isOn: true, mustHold: false } };

test('a sandbox that must be on is refused for a hole that nobody wished, by its name', () => {
  expect(() => heldHoles(must, spec({ holes: [refs] }))).toThrow(
    'The sandbox is to be on and would not hold: it can move other branches.',
  );
});

test('a hole that the caller wished is no reason to refuse', () => {
  expect(heldHoles(must, spec({ skips: true }))).toHaveLength(1);
});

test.each([
  ['off', { sandbox: { isOn: false, mustHold: false } }, []],
  ['on', may, []],
  ['partial', may, [refs]],
] as const)('the record says %s', (sandbox, order, holes) => {
  expect(sandboxRecord(order, holes)).toMatchObject({ sandbox });
});

test.each([
  ['a walled worker', [], false],
  ['a worker with another hole', [refs], false],
  ['a worker without walls', [{ ...refs, writesRefs: true as const }], true],
] as const)('the record of %s says whether its commands can move other branches', (_, holes, writesRefs) => {
  expect(sandboxRecord(may, holes)).toMatchObject({ writesRefs });
});

test('without a sandbox there is no hole to name', () => {
  expect(holesOf({ skipPermissions: true })).toEqual([]);
});
