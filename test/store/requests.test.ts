import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { OpenRequest, RequestAnswer } from '../../src/model/request.ts';
import {
  answerRequest,
  openRequests,
  parkRequest,
  readAnswer,
  readRequest,
  requestPath,
  requestsDir,
} from '../../src/store/requests.ts';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';

let box: Sandbox;
beforeEach(() => {
  box = makeSandbox();
});
afterEach(() => box.dispose());

const request = (id: string, at = 1): OpenRequest => ({
  id,
  workerId: 'aaaa0001',
  launch: 1,
  kind: 'permission',
  from: 'hook',
  at,
  tool: { name: 'Bash', input: { command: 'x'.repeat(200_000) }, cwd: '/' },
  suggestions: [{ type: 'setMode' }],
});
const allow: RequestAnswer = { at: 5, by: 'manager', decision: 'allow', message: 'go' };

it('a request is read back whole, for its owner alone', async () => {
  await parkRequest(box.root, request('0000000a'));
  expect(await readRequest(box.root, '0000000a')).toMatchObject(request('0000000a'));
  expect(statSync(requestPath(box.root, '0000000a')).mode & 0o777).toBe(0o600);
  expect(statSync(requestsDir(box.root)).mode & 0o777).toBe(0o700);
});

it('of many answers at once exactly one counts, and everybody is told which', async () => {
  await parkRequest(box.root, request('0000000a'));
  const answers = Array.from({ length: 20 }, (_, i): RequestAnswer => ({ ...allow, message: String(i) }));
  const written = await Promise.all(answers.map((answer) => answerRequest(box.root, '0000000a', answer)));
  const [ours, ...more] = written.filter(({ isOurs }) => isOurs);
  expect(more).toEqual([]);
  expect(new Set(written.map(({ answer }) => answer.message))).toEqual(new Set([ours?.answer.message]));
  expect(await readAnswer(box.root, '0000000a')).toMatchObject({ message: ours?.answer.message });
  expect(readdirSync(requestsDir(box.root)).sort()).toEqual(['0000000a.answer.json', '0000000a.json']);
});

it('open are those without an answer, oldest first; what cannot be read is none', async () => {
  expect(await openRequests(box.root)).toEqual([]);
  for (const [id, at] of [
    ['0000000a', 3],
    ['0000000b', 2],
    ['0000000c', 1],
  ] as const) {
    await parkRequest(box.root, request(id, at));
  }
  await answerRequest(box.root, '0000000b', allow);
  writeFileSync(join(requestsDir(box.root), '0000000d.json'), '{"v":1,');
  expect((await openRequests(box.root)).map(({ id }) => id)).toEqual(['0000000c', '0000000a']);
});
