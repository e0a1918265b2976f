import { expect, it } from 'vitest';
import { asCrewError } from '../../src/model/errors.ts';

const system = (code: string) => Object.assign(new Error(`${code}: write`), { code });

it.each([
  ['a full disk', system('ENOSPC'), 'state_unreadable', 'The disk takes no more: ENOSPC: write'],
  ['a disk that is only read', system('EROFS'), 'state_unreadable', 'The disk takes no more: EROFS: write'],
  [
    'a full disk below words of ours',
    new Error('The event log could not be written: x', { cause: system('EDQUOT') }),
    'state_unreadable',
    'The disk takes no more: EDQUOT: write',
  ],
  ['a fault of ours', new Error('Oh.'), 'internal', 'A bug in crewmux: Oh.'],
])('%s is told as what it is', (_, thrown, code, message) => {
  expect(asCrewError(thrown)).toMatchObject({ code, message });
});
