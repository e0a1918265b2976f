import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import description from '../../package.json' with { type: 'json' };
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';

const root = resolve(import.meta.dirname, '../..');
const outcome = z.looseObject({ code: z.number().default(0), stdout: z.string(), stderr: z.string() });

let sandbox: Sandbox;
beforeAll(() => {
  sandbox = makeSandbox();
});
afterAll(() => sandbox.dispose());

async function crewmux(...words: string[]) {
  const loader = pathToFileURL(resolve(root, 'scripts/ts.mjs')).href;
  const args = ['--no-warnings', '--import', loader, resolve(root, 'src/bin/crewmux.ts'), ...words];
  const ran = promisify(execFile)(process.execPath, args, { env: sandbox.env, cwd: sandbox.root });
  const { code, stdout, stderr } = outcome.parse(await ran.catch((failure: unknown) => failure));
  return { code, stdout, stderr };
}

it('--version prints the version of the package and nothing else', async () => {
  expect(await crewmux('--version')).toEqual({ code: 0, stdout: `${description.version}\n`, stderr: '' });
});

it('--help prints the words there are', async () => {
  expect(await crewmux('--help')).toMatchObject({ code: 0, stdout: expect.stringContaining('config'), stderr: '' });
});

it.each(['frobnicate', 'toString'])('%s is no word: usage on stderr, exit code 2, nothing on stdout', async (word) => {
  expect(await crewmux(word)).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(`unknown word "${word}"`),
  });
});

it('config finds the files of this user', async () => {
  expect(await crewmux('config', 'path')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`user: ${sandbox.home}/.config/crewmux/config.json`),
  });
});
