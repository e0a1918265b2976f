import { expect, it } from 'vitest';
import { namesFor } from '../../../src/crew/lifecycle/names.ts';
import { settingsSchema } from '../../../src/settings/schema.ts';
import { workerRecord } from '../../support/records.ts';

const record = workerRecord({ name: 'Ada', phase: 'live' });
const where = (lives: boolean) => ({
  cwd: '/',
  settingsFor: () => ({ settings: settingsSchema.parse({ limits: { max_workers: 1 } }), problems: [] }),
  roster: { records: () => [record], lives: () => lives },
});
const asked = { project: '/project', name: 'ada' };

it('a worker that has died gives its name and its place away, also before its record says so', () => {
  expect(namesFor(where(false), [asked])).toEqual(['ada']);
  expect(() => namesFor(where(true), [asked])).toThrow('1 worker lives and 1 more was asked for');
});
