import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type Mail,
  mailboxPath,
  noteBegunMail,
  postMail,
  readBox,
  readMailbox,
  settleMail,
} from '../../src/store/mailbox.ts';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';

let sandbox: Sandbox;
let dir: string;
beforeEach(() => {
  sandbox = makeSandbox();
  dir = join(sandbox.root, 'workers', '0badcafe');
});
afterEach(() => sandbox.dispose());

const note = (id: string): Mail => ({ v: 1, id, at: 1, kind: 'note', from: { id: 'x', name: 'ada' }, message: id });
const waiting = async () => [...(await readMailbox(dir)).pending.keys()];

test('mail waits in the order it came until it is settled, and does not come back', async () => {
  await postMail(dir, note('a'));
  await postMail(dir, note('b'));
  await postMail(dir, note('a'));
  expect(await waiting()).toEqual(['a', 'b']);
  await settleMail(dir, ['a'], { verdict: 'submitted', at: 2 });
  await postMail(dir, note('a'));
  expect(await waiting()).toEqual(['b']);
  expect(statSync(mailboxPath(dir)).mode & 0o777).toBe(0o600);
});

test('what was begun to be typed is known by its digest', async () => {
  await postMail(dir, note('a'));
  await noteBegunMail(dir, ['a'], { digest: 'd1', at: 5 });
  await noteBegunMail(dir, ['a'], { digest: 'd2', at: 6 });
  expect((await readMailbox(dir)).pending.get('a')?.begun).toEqual({ digest: 'd2', at: 6 });
});

test('lines read bit by bit add up to the same, and unreadable ones to nothing', () => {
  const lines = [
    JSON.stringify(note('a')),
    '{"v":1,"id":"torn',
    JSON.stringify({ v: 1, settled: ['a'], verdict: 'submitted', at: 2 }),
    JSON.stringify({ v: 2, id: 'later', at: 1, kind: 'poem' }),
    JSON.stringify(note('a')),
    JSON.stringify(note('b')),
  ];
  const whole = readBox(lines);
  const bit = lines.reduce((box, line) => readBox([line], box), readBox([]));
  expect(bit).toEqual(whole);
  expect([...whole.pending.keys()]).toEqual(['b']);
});
