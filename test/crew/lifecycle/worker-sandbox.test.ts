import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { claudeAgent } from '../../../src/agents/claude/claude.ts';
import { chooseSandbox, troubleWith } from '../../../src/crew/lifecycle/worker-sandbox.ts';
import { sandboxFinding } from '../../../src/crew/queries/doctor/programs.ts';
import { settingsSchema } from '../../../src/settings/schema.ts';
import { makeSandbox } from '../../support/sandbox.ts';

const box = makeSandbox();
afterAll(() => box.dispose());

/** A folder with both programs, of which the given ones fail. */
function programs(name: string, fail: readonly string[]): Readonly<Record<string, string>> {
  const bin = box.dir(name);
  for (const program of ['bwrap', 'socat', 'sandbox-exec']) {
    const path = join(bin, program);
    writeFileSync(path, fail.includes(program) ? '#!/bin/sh\necho "not permitted" >&2\nexit 1\n' : '#!/bin/sh\n');
    chmodSync(path, 0o755);
  }
  return { PATH: `${bin}:/bin:/usr/bin`, HOME: box.root };
}

const choose = (sandbox: string | undefined, asked: boolean | undefined, env: Readonly<Record<string, string>>) =>
  chooseSandbox({
    agent: {
      ...claudeAgent,
      sandbox: { standIns: [], guardsGit: false, hostOf: () => undefined, probes: () => [probe] },
    },
    command: ['claude'],
    settings: settingsSchema.parse(sandbox === undefined ? {} : { defaults: { sandbox } }),
    asked,
    env,
    context: { program: ['/nowhere/crewmux'], environment: { server: {} } },
  });
const probe = { argv: ['bwrap', 'x'], fix: 'Install it.' };
const [works, fails] = [programs('works', []), programs('fails', ['bwrap'])];
const missing = 'bwrap does not work: not permitted. Install it.';

describe('a worker', () => {
  it.each([
    [undefined, undefined, works, { isOn: true, mustHold: false }],
    ['on', undefined, works, { isOn: true, mustHold: true }],
    ['off', undefined, works, { isOn: false, mustHold: false }],
    ['off', true, works, { isOn: true, mustHold: true }],
    ['on', false, works, { isOn: false, mustHold: false }],
    [undefined, undefined, fails, { isOn: false, mustHold: false, missing }],
    ['off', undefined, fails, { isOn: false, mustHold: false }],
  ] as const)(
    'with defaults.sandbox %j, asked %j, is in a sandbox or says why not',
    async (wish, asked, env, choice) => {
      expect(await choose(wish, asked, env)).toEqual(choice);
    },
  );

  it.each([
    ['on', undefined],
    ['auto', true],
  ] as const)('does not start without one that is to be on (%j, asked %j)', async (wish, asked) => {
    await expect(choose(wish, asked, fails)).rejects.toMatchObject({
      code: 'start_failed',
      message: expect.stringContaining(missing),
    });
  });

  it('is looked after again once what was missing may be there', async () => {
    const env = programs('mended', ['bwrap']);
    expect(await troubleWith([probe], env)).toBe(missing);
    programs('mended', []);
    expect(await troubleWith([probe], env)).toBeUndefined();
  });
});

it.each([
  ['auto', [{ type: 'claude', trouble: undefined }], 'ok', 'claude workers run in a sandbox'],
  ['auto', [{ type: 'claude', trouble: missing }], 'warn', `may do whatever you may. claude: ${missing}`],
  ['on', [{ type: 'claude', trouble: missing }], 'warn', 'do not start'],
  ['off', [{ type: 'claude', trouble: missing }], 'ok', 'defaults.sandbox is "off"'],
  ['auto', [], 'ok', 'no agent is installed'],
] as const)('doctor tells of defaults.sandbox %j and %j', (wish, seen, status, detail) => {
  expect(sandboxFinding(wish, seen)).toMatchObject({ status, detail: expect.stringContaining(detail) });
});
