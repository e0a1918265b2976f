import { expect, it } from 'vitest';
import { endedLongAgo, type KeptWorker, outlived } from '../../src/store/retention.ts';

const day = 24 * 60 * 60 * 1000;
const now = 100 * day;
const daysAgo = (days: number) => now - days * day;
const names = ['requests', 'mailbox.jsonl', 'outbox.jsonl', 'sends.jsonl', 'badge.json', 'usage.json', 'launches'];
const launchAt = (number: number, at: number) => ({
  number,
  at,
  names: ['badge.json', 'signals.jsonl', 'signals.1.jsonl', 'last-word.json'],
});
const launches = [1, 2, 3, 4, 5].map((number) => launchAt(number, daysAgo(20 - number)));
const words = ['requests', 'mailbox.jsonl', 'outbox.jsonl', 'sends.jsonl'];

it.each<[string, Partial<KeptWorker>, readonly string[]]>([
  ['that lives keeps everything', { closedAt: undefined, launches }, []],
  ['keeps its newest three launches, however old', { launches: launches.slice(0, 3) }, []],
  ['loses older launches after a week', { launches }, ['launches/2', 'launches/1']],
  [
    'keeps older launches of this week',
    { launches: [1, 2, 3, 10].map((number) => launchAt(number, daysAgo(number === 1 ? 6.9 : 1))) },
    [],
  ],
  ['keeps what it said for thirty days', { closedAt: daysAgo(29.9) }, []],
  ['loses what it said, and nothing else, after thirty', { closedAt: daysAgo(30.1) }, words],
  [
    'loses after thirty what its kept launches said, and those that are old',
    { closedAt: daysAgo(31), names: [], launches: launches.slice(0, 4) },
    [
      'launches/1',
      ...[2, 3, 4].flatMap((number) =>
        ['signals.jsonl', 'signals.1.jsonl', 'last-word.json'].map((name) => `launches/${number}/${name}`),
      ),
    ],
  ],
  ['without a record stays for thirty days', { isKnown: false, launches }, []],
  ['without a record goes wholly after thirty', { isKnown: false, closedAt: daysAgo(31) }, ['']],
  ['that said nothing has nothing to lose', { closedAt: daysAgo(90), names: ['badge.json'] }, []],
])('a worker %s', (_, wish, gone) => {
  const worker: KeptWorker = { id: 'ada', closedAt: daysAgo(1), isKnown: true, launches: [], names, ...wish };
  expect(outlived([worker], now).map(({ path }) => path)).toEqual(gone);
});

it('ended work is whole for thirty days, and the newest five hundred in any case', () => {
  const at = (count: number, days: number) =>
    Array.from({ length: count }, (_, index) => ({ id: `${days}-${index}`, endedAt: daysAgo(days) }));
  expect(endedLongAgo(at(500, 60), now).size).toBe(0);
  expect(endedLongAgo(at(700, 29), now).size).toBe(0);
  expect([...endedLongAgo([...at(3, 60), ...at(499, 10)], now)]).toEqual(['60-1', '60-2']);
});
