import { expect, it } from 'vitest';
import { namesFor } from '../../../src/crew/lifecycle/names.ts';
import { pickNames } from '../../../src/model/name.ts';
import { settingsSchema } from '../../../src/settings/schema.ts';
import { workerRecord } from '../../support/records.ts';

const now = 1_000_000_000_000;
const dayMs = 86_400_000;
const record = workerRecord({ name: 'Ada', phase: 'live' });
const where = (lives: boolean) => ({
  cwd: '/',
  clock: { now: () => now },
  settingsFor: () => ({ settings: settingsSchema.parse({ limits: { max_workers: 1 } }), problems: [] }),
  roster: { records: () => [record], lives: () => lives },
});
const asked = { project: '/project', name: 'ada' };

it('a worker that has died gives its name and its place away, also before its record says so', () => {
  expect(namesFor(where(false), [asked])).toEqual(['ada']);
  expect(() => namesFor(where(true), [asked])).toThrow('1 worker lives and 1 more was asked for');
});

it.each([
  ['an hour ago', now - 3_600_000, false],
  ['a day ago', now - dayMs, true],
] as const)('a name of ours whose worker was closed %s is given again: %#', (_, endedAt, isGiven) => {
  const names = pickNames({ taken: [], count: 500, seed: '' }).filter((name) => !name.includes('-'));
  const [last = ''] = names;
  const closed = workerRecord({ name: last, phase: 'closed', endedAt });
  const others = names.slice(1).map((name) => workerRecord({ name, phase: 'live' }));
  const roster = { records: () => [closed, ...others], lives: ({ phase }: { phase: string }) => phase === 'live' };
  const settings = settingsSchema.parse({ limits: { max_workers: 500 } });
  const context = { ...where(true), settingsFor: () => ({ settings, problems: [] }), roster };
  const [name = ''] = namesFor(context, [{ project: '/project' }]);
  expect(name === last).toBe(isGiven);
});
