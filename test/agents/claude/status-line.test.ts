import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { StatusTexts } from '../../../src/agents/agent.ts';
import { statusLine, statusLineSetting } from '../../../src/agents/claude/status-line.ts';
import { fieldsOf, wordOf } from '../../../src/model/json.ts';

const none: StatusTexts = { user: '', project: '', local: '' };
const line = (command: string, more = {}) => JSON.stringify({ statusLine: { type: 'command', command, ...more } });

function folder(): string {
  const at = mkdtempSync(join(tmpdir(), 'crewmux-test-'));
  onTestFinished(() => rmSync(at, { recursive: true, force: true }));
  return at;
}

describe('the status line of a worker', () => {
  const settingFor = (texts: Partial<StatusTexts>) =>
    statusLineSetting({ status: { ...none, path: '/launch/status.json', ...texts } });

  it.each<[string, Partial<StatusTexts>]>([
    ['the user has none', {}],
    ['the user has other settings', { user: '{"model":"opus"}' }],
    ['the user has one', { user: line('~/line.sh') }],
    ['the project has other settings', { project: '{"hooks":{}}', local: '{"permissions":{}}' }],
  ])('is ours where %s', (_, texts) => {
    expect(settingFor(texts)).toMatchObject({
      type: 'command',
      command: expect.stringContaining('/launch/status.json'),
    });
  });

  it("keeps the user's own padding and interval", () => {
    expect(settingFor({ user: line('x', { padding: 2, refreshInterval: 5 }) })).toMatchObject({
      padding: 2,
      refreshInterval: 5,
    });
  });

  it.each<[string, Partial<StatusTexts>]>([
    ['hooks are off', { user: '{"disableAllHooks":true}' }],
    ['the project turns hooks off', { project: '{"disableAllHooks":true}' }],
    ['the settings of the user are torn', { user: '{"statusLine":' }],
    ['that of the user is of another kind', { user: '{"statusLine":{"type":"built-in"}}' }],
    ['that of the user has no command', { user: '{"statusLine":{"type":"command","command":""}}' }],
    ['the project has one of its own', { project: line('./theirs.sh') }],
    ['the worktree has one of its own', { local: line('./theirs.sh') }],
  ])('is left to Claude Code where %s', (_, texts) => {
    expect(settingFor(texts)).toBeUndefined();
  });

  it('counts no settings of a project without which the worker starts', () => {
    const rules = { allow: [], ask: [], deny: [] };
    const texts = { status: { ...none, path: '/p', project: line('./theirs.sh') } };
    const leftOut = { sources: ['project'] as const, rules };
    expect(statusLineSetting({ ...texts, sandbox: { leftOut } })).toMatchObject({ type: 'command' });
    expect(JSON.stringify(statusLineSetting({ ...texts, sandbox: { leftOut } }))).not.toContain('theirs');
  });

  it('is not set where the settings could not be read', () => {
    expect(statusLineSetting({})).toBeUndefined();
  });
});

describe('its command, in sh', () => {
  const payload = JSON.stringify({ session_id: 'a', text: `quotes ' " \\ $HOME %s ${'é'.repeat(3_000)}` });
  const run = (texts: Partial<StatusTexts>, { path, input }: { readonly path: string; readonly input: string }) => {
    const setting = statusLineSetting({ status: { ...none, ...texts, path } });
    return execFileSync('/bin/sh', ['-c', wordOf(fieldsOf(setting).command) ?? 'exit 9'], { input, encoding: 'utf8' });
  };

  it.each([payload, `${payload}\n`, payload.replace(',', ',\n')])(
    'keeps the figures whole, readable by their owner alone',
    (input) => {
      const path = join(folder(), "it's status.json");
      expect(run({}, { path, input })).toBe('');
      expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(JSON.parse(payload));
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(readdirSync(join(path, '..'))).toEqual(["it's status.json"]);
    },
  );

  it.each([
    ['cat', `${payload}\n`],
    [`printf '%s' "it's $(cat | wc -l) line" # a remark`, "it's 1 line"],
    ['read -r x; echo "${#x}" | tr -d 0-9', '\n'],
  ])("prints what the user's own prints: %s", (own, printed) => {
    expect(run({ user: line(own) }, { path: join(folder(), 'status.json'), input: payload })).toBe(printed);
  });

  it("runs the user's own where the file cannot be kept", () => {
    const path = join(folder(), 'gone', 'status.json');
    expect(run({ user: line('echo mine') }, { path, input: payload })).toBe('mine\n');
    expect(existsSync(path)).toBe(false);
  });

  it('starts no program but the one that renames the file', () => {
    const at = folder();
    mkdirSync(join(at, 'empty'));
    const setting = statusLineSetting({ status: { ...none, user: line('echo mine'), path: join(at, 'status.json') } });
    const env = { PATH: join(at, 'empty') };
    const command = wordOf(fieldsOf(setting).command) ?? '';
    expect(execFileSync('/bin/sh', ['-c', command], { input: payload, encoding: 'utf8', env })).toBe('mine\n');
    expect(readdirSync(at).filter((name) => name.startsWith('status.json.'))).toHaveLength(1);
  });
});

it.each(['', '{', '[]', '{"cost":{"total_cost_usd":1}}'])('figures that name no conversation are none: %j', (text) => {
  expect(statusLine.decode(text)).toBeUndefined();
});

it('an odd figure does not hide the others', () => {
  const text = '{"session_id":"a","cost":{"total_cost_usd":-1},"context_window":7,"rate_limits":{"five_hour":3}}';
  expect(statusLine.decode(text)).toEqual({ agentSessionId: 'a' });
});
