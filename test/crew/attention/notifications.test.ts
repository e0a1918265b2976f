import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hasRoom, idleNotice, needNotice, reportNotice } from '../../../src/crew/attention/notifications.ts';
import type { AttentionView } from '../../../src/wire/attention.ts';
import { anyCodePoint } from '../../support/code-points.ts';

const about = { id: '0123abcd', name: '-rf', crew: 'crew-shop', projectPath: '/w', mainRepoPath: '/shop' };
const need = (change: Partial<AttentionView> = {}): AttentionView => ({
  session_id: about.id,
  name: about.name,
  waiting_for: 'permission',
  since: '2026-01-01T00:00:00.000Z',
  title: '-rf asks permission for Bash',
  detail: 'the rule ask: Bash',
  rule: 'the rule ask: Bash',
  tool: { name: 'Bash', input: { command: 'npm test' }, cwd: '/w' },
  answer_with: 'answer_worker',
  ...change,
});

it('a notice says who, what and where in two lines', () => {
  expect(needNotice(about, need())).toMatchObject({
    kind: 'attention',
    projectPath: '/shop',
    title: 'crewmux: -rf asks permission for Bash',
    body: 'crew-shop: npm test the rule ask: Bash',
  });
  expect(needNotice(about, need({ waiting_for: 'dead' })).kind).toBe('dead');
  expect(idleNotice(about, 'completed')).toMatchObject({
    kind: 'idle',
    body: 'crew-shop: its turn has ended (completed)',
  });
  expect(reportNotice(about, { kind: 'progress', status: 'working', message: 'half way' })).toMatchObject({
    kind: 'report',
    title: 'crewmux: -rf reports working',
    body: 'crew-shop: half way',
  });
  expect(reportNotice(about, { kind: 'progress', status: 'blocked', message: 'no key' })).toMatchObject({
    kind: 'attention',
    also: 'report',
    title: 'crewmux: -rf reports that it is blocked',
    body: 'crew-shop: no key',
  });
});

it('whatever it is made of, its arguments are short, of one line, and never begin like an option', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCodePoint }), fc.string({ unit: anyCodePoint }), (title, text) => {
      const made = needNotice(
        about,
        need({ title, detail: text.repeat(50), tool: { name: 'x', input: { command: text }, cwd: '/' } }),
      );
      for (const word of [made.title, made.body]) {
        expect(word).toMatch(/^crew/);
        expect(word).not.toMatch(/\p{Cc}/u);
        expect(word.length).toBeLessThanOrEqual(1_300);
      }
    }),
  );
});

it('a person is told twelve times a minute at most', () => {
  const times = Array.from({ length: 12 }, (_, at) => at * 1_000);
  expect(hasRoom(times.slice(1), 12_000)).toBe(true);
  expect(hasRoom(times, 12_000)).toBe(false);
  expect(hasRoom(times, 60_000)).toBe(true);
});
