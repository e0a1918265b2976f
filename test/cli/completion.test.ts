import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';
import { type } from './typed-line.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = makeSandbox();
});
afterEach(() => sandbox.dispose());

const run = (...line: string[]) =>
  type(line, { env: sandbox.env, userHome: sandbox.home, cwd: sandbox.dir('project') });

async function offeredByBash(line: string): Promise<string> {
  const { out } = await run('completion', 'bash');
  const names = join(sandbox.dir('bin'), 'crewmux');
  writeFileSync(names, '#!/bin/sh\necho Ada; echo Bruno\n');
  chmodSync(names, 0o755);
  const words = line.split(' ');
  const ask = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _crewmux`;
  const env = { ...sandbox.env, PATH: `${join(sandbox.root, 'bin')}:${sandbox.env.PATH}` };
  return execFileSync('bash', ['-c', `${out}\n${ask}; echo "\${COMPREPLY[@]}"`], { env, encoding: 'utf8' }).trim();
}

it.each([
  ['crewmux sta', 'status'],
  ['crewmux attach B', 'Bruno'],
  ['crewmux attach --r', '--read-only --restart'],
  ['crewmux close A', 'Ada'],
  ['crewmux config un', 'unset'],
  ['crewmux plan ap', 'approve'],
  ['crewmux plan --w', '--watch'],
  ['crewmux plan approve --prom', '--prompt'],
  ['crewmux config set --p', '--project'],
  ['crewmux completion z', 'zsh'],
  ['crewmux doctor A', ''],
])('bash completes %s with %s', async (line, offered) => {
  expect(await offeredByBash(line)).toBe(offered);
});

it('zsh runs the same through its own bridge, and fish has a line for each word', async () => {
  expect((await run('completion', 'zsh')).out).toMatch(/^autoload -U \+X bashcompinit && bashcompinit\n_crewmux\(\)/);
  const { out } = await run('completion', 'fish');
  expect(out).toContain("complete -c crewmux -n '__fish_seen_subcommand_from attach' -a '(crewmux completion workers");
  expect(out).toContain("-a trust -d 'show what this project\\'s configuration would change");
});

it('another shell is a wrong line, and nobody is offered where nobody works', async () => {
  expect(await run('completion', 'tcsh')).toMatchObject({ code: 2, err: expect.stringContaining('bash, zsh or fish') });
  expect(await run('completion', 'workers')).toEqual({ code: 0, out: '', err: '' });
});
