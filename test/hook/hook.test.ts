import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { hook } from '../../src/hook/hook.ts';
import type { RequestAnswer } from '../../src/model/request.ts';
import { addRemembered } from '../../src/store/remembered.ts';
import { answerRequest, openRequests, readAnswer } from '../../src/store/requests.ts';
import { systemClock } from '../../src/system/clock.ts';
import { eventually, makeSandbox, type Sandbox } from '../support/sandbox.ts';

const at = systemClock.now();
let box: Sandbox;
let workerDir: string;
let launchDir: string;
beforeEach(() => {
  box = makeSandbox();
  launchDir = box.dir('workers/aaaa0001/launches/2');
  workerDir = join(box.root, 'workers/aaaa0001');
});
afterEach(() => box.dispose());

const asked = { hook_event_name: 'PermissionRequest', tool_name: 'Bash', tool_input: { command: 'ls' }, cwd: '/' };

function ask(payload: object, agent = 'claude', own: readonly string[] = []) {
  const said: string[] = [];
  const done = hook({
    args: ['--dir', launchDir, '--agent', agent, '--at', String(at), ...own],
    input: (async function* () {
      yield JSON.stringify(payload);
    })(),
    write: (text) => void said.push(text),
    env: {},
    parentPid: process.pid,
  });
  return { done, said: () => said.join('') };
}

const line = z.object({ at: z.number(), payload: z.unknown(), ruling: z.looseObject({ decision: z.string() }) });
const signals = () => {
  const path = join(launchDir, 'signals.jsonl');
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  return text
    .split('\n')
    .filter(Boolean)
    .map((one) => line.parse(JSON.parse(one)));
};
const parked = () =>
  eventually('the request is parked', async () => signals().length > 0 && (await openRequests(workerDir))[0]);
const placed = (place: object = {}) =>
  writeFileSync(
    join(workerDir, 'place.json'),
    JSON.stringify({ v: 1, root: box.root, userHome: '/', stateHome: box.root, ...place }),
  );

it('a parked request is told with its id, and its answer to the agent and to whoever reads on', async () => {
  const asking = ask({ ...asked, permission_suggestions: [{ type: 'setMode' }] });
  const request = await parked();
  expect(request).toMatchObject({ workerId: 'aaaa0001', launch: 2, at, tool: { name: 'Bash' } });
  const answer: RequestAnswer = { at: 9, by: 'manager', decision: 'deny', message: 'Not now.' };
  await answerRequest(workerDir, request.id, answer);
  expect(await asking.done).toBe(0);
  expect(JSON.parse(asking.said())).toEqual({
    hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'deny', message: 'Not now.' } },
  });
  expect(signals().map(({ ruling }) => ruling)).toEqual([
    { decision: 'parked', request_id: request.id, suggestions: [{ type: 'setMode' }] },
    { decision: 'answered', request_id: request.id, by: 'manager', answer: 'deny' },
  ]);
});

it('let go of, it says nothing, so that the agent asks by its dialog', async () => {
  const asking = ask(asked, 'codex');
  const { id } = await parked();
  await answerRequest(workerDir, id, { at: 9, by: 'pane', decision: 'let-go' });
  expect(await asking.done).toBe(0);
  expect(asking.said()).toBe('');
  expect(signals().at(-1)?.ruling).toEqual({ decision: 'handed-over', request_id: id });
});

it('a hook whose request is gone waits for nobody', async () => {
  const asking = ask(asked);
  await parked();
  rmSync(join(workerDir, 'requests'), { recursive: true });
  await asking.done.catch(() => undefined);
  expect(asking.said()).toBe('');
});

it('what somebody decided about the very same input is said at once, and parks nothing', async () => {
  placed({ role: 'tester' });
  const scopes = { 'launch:aaaa0001:2': '{"command":"ls"}', 'role:tester': '{"command":"pwd"}', 'role:x': '{}' };
  for (const [scope, input] of Object.entries(scopes)) {
    await addRemembered(box.root, scope, { tool: 'Bash', input, decision: scope === 'role:tester' ? 'deny' : 'allow' });
  }
  const allowed = ask(asked);
  expect(await allowed.done).toBe(0);
  expect(allowed.said()).toContain('"allow"');
  const denied = ask({ ...asked, tool_input: { command: 'pwd' } });
  expect(await denied.done).toBe(0);
  expect(denied.said()).toContain('was denied before');
  expect(signals().map(({ ruling }) => ruling)).toEqual([{ decision: 'allowed' }, { decision: 'denied' }]);
  expect(await openRequests(workerDir)).toEqual([]);
  const other = ask({ ...asked, tool_input: { command: 'ls ' } });
  await answerRequest(workerDir, (await parked()).id, { at: 9, by: 'pane', decision: 'let-go' });
  await other.done;
});

it('a worker that asks nobody is answered at once: file tools are refused by the real folder, all else is allowed', async () => {
  placed({ stateHome: '/state' });
  symlinkSync(box.dir('elsewhere'), join(box.root, 'link'));
  const tools = {
    Write: { file_path: join(box.root, 'link/x') },
    Read: { file_path: 'link/x' },
    Glob: { pattern: '/srv/*' },
  };
  for (const [tool_name, tool_input] of Object.entries(tools)) {
    const refused = ask({ ...asked, tool_name, tool_input, cwd: box.root }, 'claude', ['--unasked']);
    await refused.done;
    expect(refused.said()).toMatch(/"behavior":"deny","message":".*sandbox\.allow_write/);
    expect(refused.said()).toContain(` ${tool_name === 'Glob' ? '/srv' : join(box.root, 'elsewhere')} in `);
  }
  for (const tool_name of ['Bash', 'mcp__users__greet', 'WebFetch']) {
    const allowed = ask({ ...asked, tool_name }, 'claude', ['--unasked']);
    await allowed.done;
    expect(JSON.parse(allowed.said()).hookSpecificOutput.decision).toEqual({ behavior: 'allow' });
  }
  expect(signals().map(({ ruling }) => ruling.decision)).toEqual([
    ...Array(3).fill('denied'),
    ...Array(3).fill('allowed'),
  ]);
  expect(await openRequests(workerDir)).toEqual([]);
});

it('a question, a plan and what the tripwire is about wait for somebody, also where nobody is asked', async () => {
  placed();
  for (const payload of [
    { tool_name: 'AskUserQuestion', tool_input: { questions: [] } },
    { tool_name: 'ExitPlanMode', tool_input: { plan: 'x' } },
    { tool_name: 'Read', tool_input: { file_path: '~/.ssh/id' } },
  ]) {
    const asking = ask({ ...asked, ...payload }, 'claude', ['--unasked']);
    const { id } = await eventually('it is parked', async () => (await openRequests(workerDir))[0]);
    await answerRequest(workerDir, id, { at: 9, by: 'pane', decision: 'let-go' });
    await asking.done;
    expect(asking.said()).toBe('');
  }
});

it.each([
  ['rules that it proposes', { remember: true }, 0],
  ['accepted edits', { edits: true }, 1],
] as const)('the agent is told to remember the %s, until it ends, and nothing else', async (_, told, at) => {
  const rule = { type: 'addRules', rules: [{ toolName: 'Bash', ruleContent: 'ls:*' }], behavior: 'allow' };
  const mode = { type: 'setMode', mode: 'acceptEdits' };
  const folder = { type: 'addDirectories', directories: ['/'], destination: 'session' };
  const proposed = [{ ...rule, destination: 'localSettings' }, { ...mode, destination: 'localSettings' }, folder];
  const asking = ask({ ...asked, permission_suggestions: proposed });
  const { id } = await parked();
  await answerRequest(workerDir, id, { at: 9, by: 'manager', decision: 'allow', ...told });
  await asking.done;
  const updatedPermissions = [{ ...[rule, mode][at], destination: 'session' }];
  expect(JSON.parse(asking.said())).toMatchObject({
    hookSpecificOutput: { decision: { behavior: 'allow', updatedPermissions } },
  });
  expect(signals().at(-1)?.ruling.mode).toBe(at === 0 ? undefined : 'acceptEdits');
});

const before = (command: string, more: object = {}) => ({
  ...{ ...asked, hook_event_name: 'PreToolUse', cwd: box.root, tool_input: { command } },
  ...more,
});

it('what the tripwire is about is put to a person before it is done, also where nothing is asked', async () => {
  placed();
  for (const mode of [{}, { permission_mode: 'bypassPermissions' }]) {
    const asking = ask(before('rm -rf ~', mode));
    expect(await asking.done).toBe(0);
    expect(JSON.parse(asking.said())).toMatchObject({
      hookSpecificOutput: { permissionDecision: 'ask', permissionDecisionReason: expect.stringContaining('~') },
    });
    const everyday = ask(before('rm -rf build', mode));
    expect([await everyday.done, everyday.said()]).toEqual([0, '']);
  }
});

it('what the tripwire is about waits for a person when the agent asks, though a rule allows it', async () => {
  placed();
  const asking = ask({ ...asked, tool_name: 'Read', tool_input: { file_path: '~/.ssh/id' }, cwd: '/' });
  const request = await parked();
  expect(request).toMatchObject({ personOnly: true, rule: expect.stringContaining('credentials') });
  await answerRequest(workerDir, request.id, { at: 9, by: 'pane', decision: 'let-go' });
  await asking.done;
});

it('an agent that could show it to nobody is refused what the tripwire is about', async () => {
  placed();
  const asking = ask(before('git push --force origin main'), 'codex');
  expect(await asking.done).toBe(0);
  expect(asking.said()).toMatch(/"permissionDecision":"deny".*Only a person may allow/);
});

it('the worker’s own tools are nobody’s to decide', async () => {
  placed();
  const before = { ...asked, hook_event_name: 'PreToolUse', tool_name: 'mcp__crew__ask_manager' };
  const asking = ask(before, 'codex', ['--own', 'crew']);
  expect([await asking.done, asking.said(), signals()]).toEqual([0, '', []]);
});

it('a payload of another kind is left to the plain signal', async () => {
  expect(await ask({ hook_event_name: 'Stop' }).done).not.toBe(0);
  expect(await ask(asked, 'nobody').done).not.toBe(0);
  expect(signals()).toEqual([]);
});

it('an answer that is there before the wait begins is found', async () => {
  const asking = ask(asked);
  const { id } = await parked();
  await answerRequest(workerDir, id, { at: 1, by: 'manager', decision: 'allow', input: { command: 'pwd' } });
  await asking.done;
  expect(asking.said()).toContain('{"behavior":"allow","updatedInput":{"command":"pwd"}}');
  expect(await readAnswer(workerDir, id)).toMatchObject({ by: 'manager' });
});
