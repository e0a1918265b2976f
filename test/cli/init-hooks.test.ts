import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import type { CommandWorld } from '../../src/cli/world.ts';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';
import { type } from './typed-line.ts';

const plugin = readFileSync('plugin/hooks/hooks.json', 'utf8');
const published = plugin.replace(/sh \\"\$\{CLAUDE_PLUGIN_ROOT\}\/start\.sh\\"/g, 'npx -y --prefer-offline crewmux');
const shape = z.object({
  hooks: z.record(
    z.string(),
    z.array(
      z.looseObject({
        hooks: z.array(
          z.looseObject({
            type: z.string(),
            command: z.string(),
            asyncRewake: z.boolean().optional(),
            timeout: z.number().optional(),
          }),
        ),
      }),
    ),
  ),
});
const longestTimerSeconds = Math.floor((2 ** 31 - 1) / 1_000);
const hooksIn = (text: string) => shape.parse(JSON.parse(text)).hooks;

let sandbox: Sandbox;
let project: string;
let file: string;
beforeEach(() => {
  sandbox = makeSandbox();
  project = realpathSync(sandbox.dir('project'));
  file = join(project, '.claude/settings.local.json');
});
afterEach(() => sandbox.dispose());

const init = (line = '--hooks', world: Partial<CommandWorld> = {}) =>
  type(['init', ...line.split(' ')], {
    userHome: sandbox.home,
    cwd: project,
    pluginHooks: async () => plugin,
    ...world,
  });
const write = (text: string) => {
  mkdirSync(join(project, '.claude'), { recursive: true });
  writeFileSync(file, text);
};
const read = () => readFileSync(file, 'utf8');
const mark = ' # by crewmux init --hooks';

it('each hook that init writes is silent in a worker, stands in its own line, and needs no file of the plugin', async () => {
  await init();
  for (const { command } of Object.values(hooksIn(read())).flatMap((groups) => groups.flatMap(({ hooks }) => hooks))) {
    expect(command).toMatch(/^\[ -n "\$CREWMUX_WORKER" \] \|\| [^\n]+$/);
    expect(command).not.toContain('CLAUDE_PLUGIN_ROOT');
    expect(command.replaceAll('npx -y --prefer-offline crewmux', '')).not.toContain('npx');
  }
});

it('a hook that wakes waits for as long as a timer can', () => {
  const waits = Object.values(hooksIn(plugin)).flatMap((groups) =>
    groups.flatMap(({ hooks }) => hooks.filter(({ asyncRewake }) => asyncRewake === true).map((hook) => hook.timeout)),
  );
  expect(waits).toEqual([longestTimerSeconds, longestTimerSeconds]);
});

it('all hooks of the plugin come into the project, and the second time nothing changes', async () => {
  expect(await init()).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringContaining(`Added the hooks of crewmux to ${file}`),
  });
  const text = read();
  expect(text.replaceAll(mark, '')).toBe(published);
  expect((await init()).out).toContain(`${file} has the hooks of crewmux already`);
  expect(read()).toBe(text);
});

it('of a checkout they name its program, and older ones of ours go', async () => {
  await init('--hooks', { program: '/a place/crewmux.mjs' });
  expect(read()).toContain("node '/a place/crewmux.mjs' hook crew");
  write(read().replace('"SessionStart"', '"PreToolUse"'));
  await init();
  expect(hooksIn(read())).toEqual({ ...marked(), PreToolUse: [] });
});

const marked = () =>
  Object.fromEntries(
    Object.entries(hooksIn(published)).map(([event, groups]) => [
      event,
      groups.map((group) => ({ ...group, hooks: group.hooks.map((one) => ({ ...one, command: one.command + mark })) })),
    ]),
  );

it('other hooks and settings stay byte for byte, also beside ours in one group', async () => {
  const own = '{"type":"command",  "command":"mine"}';
  const before = `{\n\t"model":  "opus",\n\t"hooks": {"PreCompact":[ {"hooks":[${own}]} ],\n\t\t"SessionStart": [{"matcher":"x","hooks":[ ${own} ]}]},\n\t"permissions": {"allow": ["A" ]}\n}\n`;
  write(before);
  await init();
  const text = read();
  for (const part of [
    '\t"model":  "opus",',
    `"PreCompact":[ {"hooks":[${own}]} ]`,
    `{"matcher":"x","hooks":[ ${own} ]}`,
    '"permissions": {"allow": ["A" ]}',
  ])
    expect(text).toContain(part);
  expect(hooksIn(text).SessionStart?.slice(1)).toEqual(marked().SessionStart);
  // Somebody adds a hook to a group of ours, and the program moves.
  write(text.replace(`${mark}"`, `${mark}"},${own},{"type":"x","command":"y"`));
  await init('--hooks', { program: '/elsewhere/crewmux.mjs' });
  expect(read()).toContain(own);
  expect(read().match(/"y"/g)).toHaveLength(1);
  expect(read()).not.toContain('npx');
  expect(hooksIn(read()).UserPromptSubmit?.slice(1)).toEqual(marked().UserPromptSubmit);
});

it.each(['{"hooks": {', '[]', '{"hooks": []}', '{"hooks": {"Stop": {}}}', '{"hooks": {"Stop": [{"command": "x"}]}}'])(
  '%s is refused by its name, and nothing is touched',
  async (text) => {
    write(text);
    expect(await init()).toMatchObject({ code: 2, err: expect.stringContaining(`${file} was left as it is: i`) });
    expect(read()).toBe(text);
  },
);

it.each(['the file', 'its folder', 'a file that is not there'])(
  'a link out of the project is not followed: %s',
  async (which) => {
    const outside = sandbox.dir('outside');
    if (which === 'its folder') symlinkSync(outside, join(project, '.claude'));
    else {
      sandbox.dir('project/.claude');
      symlinkSync(join(outside, 'settings.local.json'), file);
      if (which === 'the file') writeFileSync(join(outside, 'settings.local.json'), '{}');
    }
    const { code, err } = await init();
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(`${file} was left as it is`) });
    expect(existsSync(join(outside, 'settings.local.json'))).toBe(which === 'the file');
    if (which === 'the file') expect(read()).toBe('{}');
  },
);

it('a link that stays in the project is written through', async () => {
  sandbox.dir('project/.claude');
  const real = join(project, 'shared.json');
  writeFileSync(real, '{}');
  symlinkSync('../shared.json', file);
  expect((await init()).out).toContain(`to ${real}`);
  expect(realpathSync(file)).toBe(real);
});

it('a file that git does not ignore is named', async () => {
  expect((await init()).out).not.toContain('does not ignore');
  expect((await init('--hooks', { isIgnored: async () => false })).out).toContain(`git does not ignore ${file}`);
});

it('Codex gets the card alone, in its own file, where it is asked for', async () => {
  await init();
  const codex = join(sandbox.home, '.codex/hooks.json');
  expect(existsSync(codex)).toBe(false);
  const rewake = { SessionStart: [{ hooks: [{ type: 'command', command: 'wait', asyncRewake: true }] }] };
  const more = JSON.stringify({
    hooks: {
      ...hooksIn(plugin),
      ...{ SessionStart: [...(hooksIn(plugin).SessionStart ?? []), ...rewake.SessionStart] },
    },
  });
  expect((await init('--hooks --codex', { pluginHooks: async () => more })).out).toContain('Codex asks once');
  const card = hooksIn(published)
    .SessionStart?.map(({ hooks, ...group }) => ({
      ...group,
      hooks: hooks.filter((one) => one.asyncRewake !== true).map((one) => ({ ...one, command: one.command + mark })),
    }))
    .filter(({ hooks }) => hooks.length > 0);
  expect(hooksIn(readFileSync(codex, 'utf8'))).toEqual({ SessionStart: card });
});

it.each([
  ['of the clone that it came from', 'the noted build', 'clone'],
  ['beside it', 'a build', 'beside'],
  ['of a clone that is gone', 'the published package', 'published'],
])('the plugin starts the build %s: %s', async (_title, _what, expected) => {
  const root = sandbox.dir('cache/plugin');
  copyFileSync('plugin/start.sh', join(root, 'start.sh'));
  const made = (folder: string, name: string) => {
    const file = join(sandbox.dir(folder), 'crewmux.mjs');
    writeFileSync(file, `console.log(${JSON.stringify(name)}, process.argv.slice(2).join(' '));`);
    return file;
  };
  const noted = expected === 'clone' ? made('clone/dist', 'clone') : join(sandbox.root, 'gone/crewmux.mjs');
  writeFileSync(join(root, 'build-at'), `${noted}\n`);
  if (expected === 'beside') made('cache/dist', 'beside');
  const bin = sandbox.dir('npx-bin');
  writeFileSync(join(bin, 'npx'), '#!/bin/sh\nshift 3\necho published "$@"\n', { mode: 0o755 });
  symlinkSync(process.execPath, join(bin, 'node'));
  const env = { PATH: `${bin}:/usr/bin:/bin` };
  const { stdout } = await promisify(execFile)('sh', [join(root, 'start.sh'), 'hook', 'crew'], { env });
  expect(stdout.trim()).toBe(`${expected} hook crew`);
});
