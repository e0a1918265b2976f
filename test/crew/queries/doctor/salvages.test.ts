import { expect, it } from 'vitest';
import { salvageFinding } from '../../../../src/crew/queries/doctor/salvages.ts';

const now = Date.UTC(2030, 5, 1);
const salvage = (daysAgo: number) => ({
  id: `of-${daysAgo}`,
  manifest: {
    ...{ version: 1 as const, worker_id: 'a', reason: '', path: '/t', main_repo_path: '/r', branch: null, head: null },
    ...{ index: 'a'.repeat(40), counts: { changed: 0, deleted: 0, untracked: 0, conflicts: 0 } },
    saved_at: new Date(now - daysAgo * 86_400_000).toISOString(),
  },
});
const gibibyte = 1024 ** 3;

it.each<[string, readonly number[], number, 'ok' | 'warn', string]>([
  ['young and small', [1, 89], 1024 ** 2, 'ok', '2 salvages of work, 1 MiB'],
  ['old', [1, 91, 200], 1_000, 'warn', '3 salvages of work, 1 MiB; older than 90 days: of-200, of-91'],
  ['large', [1, 2], gibibyte + 1, 'warn', '2 salvages of work, 1025 MiB; the oldest first: of-2, of-1'],
  [
    'many and old',
    [91, 92, 93, 94, 95, 96],
    1_000,
    'warn',
    '6 salvages of work, 1 MiB; older than 90 days: of-96, of-95, of-94, of-93, of-92, and 1 more',
  ],
])('saved work that is %s is told so, and never removed', (_, days, bytes, status, detail) => {
  const found = salvageFinding({ salvages: days.map(salvage), bytes, now });
  expect([found.status, found.detail]).toEqual([status, detail]);
});
