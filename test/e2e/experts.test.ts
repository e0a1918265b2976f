// Questions to an agent without a pane: a scripted `claude -p` in the place of the real one.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CrewError } from '../../src/model/errors.ts';
import { expertOutput } from '../../src/wire/experts.ts';
import type { Fields } from '../support/mcp.ts';
import { eventually, runs } from '../support/sandbox.ts';
import { openStand, type Server, type Stand } from './crew.ts';

const id = '11111111-2222-4333-8444-555555555555';

/**
 * Reads its question as its script: `long` prints much, `hang` says something and goes on with children in and out of
 * its group, `fail` ends in trouble; anything else is answered with the words of its command line.
 */
const expert = (root: string) => `#!/bin/sh
say() { printf '{"type":"assistant","message":{"content":[{"type":"text","text":"%s"}]}}\\n' "$1"; }
for word do question=$word; done
echo '{"type":"system","subtype":"init","session_id":"${id}"}'
case $question in
hang*)
  say 'I look at it.'
  sleep 1000 & inside=$!
  setsid sleep 1000 & outside=$!
  echo "$$ $inside $outside" >"${root}/$question.new"
  mv "${root}/$question.new" "${root}/$question"
  wait
  ;;
long) answer=$(printf '%025000d' 0) ;;
fail) echo 'Invalid API key' >&2; exit 1 ;;
*) answer="$PWD $CREWMUX_WORKER $*" ;;
esac
printf '{"type":"result","is_error":false,"result":"%s"}\\n' "$answer"
`;

let stand: Stand;
let server: Server;
beforeAll(async () => {
  stand = openStand();
  const { CREWMUX_COMMAND: program, CREWMUX_CONFIG: config } = settings();
  writeFileSync(program, expert(stand.sandbox.root), { mode: 0o755 });
  writeFileSync(config, JSON.stringify({ defaults: { sandbox: 'off', model: 'sonnet' } }));
  server = await stand.serve(settings());
});
afterAll(() => stand.dispose());

const settings = () => ({
  CREWMUX_COMMAND: join(stand.sandbox.root, 'expert'),
  CREWMUX_CONFIG: join(stand.sandbox.root, 'config.json'),
});
const ask = async (args: Fields) => expertOutput.parse(await server.connection.call('ask_expert', args));
/** Code, message and hint. */
const failure = (args: Fields) =>
  ask(args).then(
    ({ answer }) => `answered ${answer}`,
    (error: unknown) => (error instanceof CrewError ? `${error.code}: ${error.message} ${error.hint}` : String(error)),
  );
const pidsOf = (name: string): readonly number[] => {
  const path = join(stand.sandbox.root, name);
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split(' ').map(Number) : [];
};

it('an expert answers from the project, without a pane, and a later question goes on with its conversation', async () => {
  const first = await ask({ question: 'Why?' });
  expect(first).toMatchObject({ agent_session_id: id, duration_seconds: expect.any(Number) });
  expect(first.answer).toMatch(new RegExp(`^${stand.repo} expert-[0-9a-f]{8} -p .* -- Why\\?$`));
  const later = await ask({ question: 'And then?', resume: id });
  expect(later.answer).toContain(` --resume ${id} `);
  expect(await server.list()).toEqual([]);
});

it('an expert in a role has its text and model, and the answer says what of its file does not count', async () => {
  const file = join(stand.sandbox.dir('home/.claude/agents'), 'scout.md');
  writeFileSync(file, '---\nname: scout\nmodel: opus\nhooks: {}\n---\nLook at every door.\n');
  const { answer, warnings } = await ask({ question: 'Why?', role: 'scout' });
  expect(answer).toMatch(/ --model opus .*Look at every door\./);
  expect(warnings).toEqual([`crewmux does not carry over from ${file}: hooks.`]);
  expect((await ask({ question: 'Why?' })).answer).toContain(' --model sonnet ');
  expect((await ask({ question: 'Why?' })).warnings).toBeUndefined();
});

it('a long answer is cut, and its file has the whole', async () => {
  const { answer, truncated, path = '' } = await ask({ question: 'long' });
  expect({ length: answer.length, truncated }).toEqual({ length: 20_000, truncated: true });
  expect(readFileSync(path, 'utf8')).toBe('0'.repeat(25_000));
});

it.each([
  ['a conversation of nobody', { resume: '99999999-2222-4333-8444-555555555555' }, 'unknown_session'],
  ['one that is no id', { resume: '../../escape' }, 'unknown_session'],
  ['another agent than the one that answered', { resume: id, agent_type: 'codex' }, 'agent_type'],
  ['a role that nobody wrote down', { role: 'oracle' }, 'There is no role'],
  ['an agent that only has a pane', { agent_type: 'nobody' }, 'There is no agent'],
  ['an agent that ends without an answer', { question: 'fail' }, 'Invalid API key'],
])('%s is refused by name', async (_, args, words) => {
  expect(await failure({ question: 'Why?', ...args })).toContain(words);
});

it('at the timeout every process of the expert has ended, and the error has what it said', async () => {
  const text = await failure({ question: 'hang-late', timeout: 2 });
  expect(text).toContain('timed_out');
  expect(text).toContain('I look at it.');
  expect(text).toContain(id);
  expect(pidsOf('hang-late')).toHaveLength(3);
  expect(pidsOf('hang-late').filter(runs)).toEqual([]);
});

it('a cancelled call ends every process of the expert', async () => {
  const giveUp = new AbortController();
  const call = server.connection.call('ask_expert', { question: 'hang-off' }, { signal: giveUp.signal });
  call.catch(() => undefined);
  const pids = await eventually('it runs', () => pidsOf('hang-off').length === 3 && pidsOf('hang-off'));
  expect(pids.map(runs)).toEqual([true, true, true]);
  giveUp.abort();
  await eventually('all of it has ended', () => !pids.some(runs));
});

it('an expert of a killed server ends, also what left its group, and nothing of its run stays', async () => {
  const killed = await stand.serve(settings());
  const call = killed.connection.call('ask_expert', { question: 'hang-left' });
  call.catch(() => undefined);
  const [leader = 0, inside = 0, outside = 0] = await eventually(
    'it runs',
    () => pidsOf('hang-left').length === 3 && pidsOf('hang-left'),
  );
  const folder = join(stand.sandbox.dir('crewmux'), 'experts', 'runs');
  process.kill(killed.connection.pid, 'SIGKILL');
  await eventually('its group has ended with its server', () => !runs(leader) && !runs(inside));
  expect(runs(outside)).toBe(true);
  expect(readdirSync(folder)).toHaveLength(2);
  await stand.serve(settings());
  await eventually('the next server has ended the rest', () => !runs(outside));
  await eventually('and forgotten it', () => readdirSync(folder).length === 0);
});
