import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { handedOver, shorterSends, trimSends, typedAmong, unsettled } from '../../../src/crew/messages/send-journal.ts';
import { bytesOf } from '../../../src/jsonl/rewrite.ts';
import { makeSandbox } from '../../support/sandbox.ts';

const box = makeSandbox();
afterAll(() => box.dispose());

const begun = (at: number) => JSON.stringify({ v: 1, id: `s${at}`, at, launch: 1, digest: 'd'.repeat(64), chars: 12 });
const ended = (at: number, verdict = 'submitted') => JSON.stringify({ v: 1, id: `s${at}`, at: at + 1, verdict });
const sends = (count: number) => Array.from({ length: count }, (_, at) => [begun(at), ended(at)]).flat();

it('a long journal keeps its newest sends, and each whose end is not known', () => {
  const open = [begun(1_001), begun(1_002), ended(1_002, 'handed')];
  const kept = shorterSends([...open, ...sends(400)]) ?? [];
  expect(kept).toHaveLength(open.length + 200);
  expect(unsettled(kept).map(({ id }) => id)).toEqual(['s1001']);
  expect(handedOver(kept).map(({ id }) => id)).toEqual(['s1002']);
  expect([typedAmong(kept, 's399'), typedAmong(kept, 's299')]).toEqual(['submitted', undefined]);
});

it('a journal with a line of a newer release stays as it is, and so does a short one', async () => {
  expect(shorterSends([...sends(400), '{"v":2}'])).toBeUndefined();
  const path = join(box.dir('sends'), 'sends.jsonl');
  const write = (count: number) => writeFileSync(path, `${sends(count).join('\n')}\n`);
  write(100);
  const before = await bytesOf(path);
  await trimSends(path);
  expect(await bytesOf(path)).toBe(before);
  write(400);
  await trimSends(path);
  expect(await bytesOf(path)).toBeLessThan(before * 1.1);
});
