import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { apartFrom, refuseHolding } from '../../../src/crew/lifecycle/allow-write.ts';
import { makeSandbox } from '../../support/sandbox.ts';

const box = makeSandbox();
afterAll(() => box.dispose());
const at = (path: string) => join(box.root, path);
const file = (path: string) => {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), '');
};
file('home/.local/share/claude/versions/2');
file('lib/node_modules/crewmux/dist/crewmux.mjs');
file('tools/agent');
box.dir('home/.local/bin');
symlinkSync(at('home/.local/share/claude/versions/2'), at('home/.local/bin/claude'));
symlinkSync(at('home/.npm'), at('innocent'));
box.dir('home/.npm/_cacache');

const outside = {
  program: ['/usr/bin/node', at('lib/node_modules/crewmux/dist/crewmux.mjs')],
  command: [at('home/.local/bin/claude')],
  serverEnv: { HOME: at('home'), npm_config_cache: at('npm') },
  env: { HOME: at('home') },
};

it.each([
  ['the home folder', '~/', 'what npx started'],
  ['the program of crewmux', 'lib/node_modules/crewmux/dist/crewmux.mjs', 'crewmux and its hooks'],
  ['a folder above it', 'lib', 'crewmux and its hooks'],
  ['what lies beside it', 'lib/node_modules/zod', 'crewmux and its hooks'],
  ['the node that runs it', '/usr', 'crewmux and its hooks'],
  ['the program of the agent', 'home/.local/share/claude/versions/2', 'the program of the agent'],
  ['its folder', 'home/.local/share/claude', 'the program of the agent'],
  ['the folder of the link to it', 'home/.local/bin', 'the program of the agent'],
  ['the folder of npx', '~/.npm/_npx', 'what npx started'],
  ['a folder below that, which is not there yet', '~/.npm/_npx/abc/node_modules', 'what npx started'],
  ['the folder above', '~/.npm', 'what npx started'],
  ['a link to that', 'innocent', 'what npx started'],
  ['the cache that a variable names', 'npm', 'what npx started'],
])('sandbox.allow_write with %s is refused by name', async (_, path, whose) => {
  const written = /^[~/]/.test(path) ? path : at(path);
  await expect(refuseHolding([at('fine'), written], outside)).rejects.toMatchObject({
    code: 'start_failed',
    message: expect.stringContaining(whose),
  });
});

it('other folders are let through, those of other caches too', async () => {
  const paths = ['/srv/data', '~/.cache/pip', at('tools'), at('home/.npm/_cacache')];
  await expect(refuseHolding(paths, outside)).resolves.toBeUndefined();
});

it('a socket that the user allows stays in sight, and what lies beside it does not', async () => {
  for (const name of ['run/bus', 'run/docker/docker.sock', 'run/docker/other']) file(name);
  expect([...(await apartFrom([at('run'), at('keys')], [at('run/docker/docker.sock')]))].sort()).toEqual(
    [at('keys'), at('run/bus'), at('run/docker/other')].sort(),
  );
  expect(await apartFrom([at('run/docker/docker.sock')], [at('run/docker/docker.sock')])).toEqual([]);
});
