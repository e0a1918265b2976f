// The user's shell: the commands of workers run in it, and crewmux reads what it says of the sandbox.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sandboxFailure } from '../../src/agents/sandbox-failure.ts';
import { runCases, shellCases, shells } from '../agents/shell-cases.ts';
import { resultsOf } from './asking.ts';
import { makeCodexHome } from './codex-home.ts';
import { openRealCrew, type RealCrew, type Worker } from './crew.ts';

/** One command after another; resolves to what they said once the worker is idle. */
async function run(crew: RealCrew, worker: Worker, ...lines: readonly string[]): Promise<string> {
  await crew.message(worker, [...lines, 'SAY done'].join('\n'));
  await crew.idle(worker);
  return resultsOf(crew, worker);
}

describe.each(['/bin/bash', '/bin/zsh'])('a user with SHELL=%s', (shell) => {
  let crew: RealCrew;
  beforeAll(async () => {
    crew = await openRealCrew(async () => {
      const home = await makeCodexHome();
      return { ...home, env: { ...home.env, SHELL: shell } };
    });
  });
  afterAll(() => crew?.dispose());

  const isZsh = shell.endsWith('zsh');
  const here = 'cat <<END\\n$((6 * 7)) in a here-document\\nEND';

  test('has workers of Claude Code whose commands run in it, in a whole sandbox', async () => {
    const worker = await crew.one({ sandbox: true });
    expect(worker.sandbox).toBe('on');
    const said = await run(
      crew,
      worker,
      'BASH echo "this is ${ZSH_VERSION:+zsh}${BASH_VERSION:+bash}, of $SHELL"',
      `BASH ${here}`,
      'BASH mkdir -p "$npm_config_cache" && touch "$npm_config_cache/mine" && echo "kept in $npm_config_cache, [$SSH_AUTH_SOCK][$TMUX]"',
      `BASH echo x >mine && git add -A && git commit -qm "$(cat <<'END'\\nWritten in a here-document\\nEND\\n)"`,
      'BASH echo "the branch is $(git branch --show-current)"',
    );
    expect(said).toContain(`this is ${isZsh ? 'zsh' : 'bash'}, of ${shell}`);
    expect(said).toContain('42 in a here-document');
    const caches = join(crew.home.sandbox.env.TMPDIR ?? '', `crewmux-${worker.session_id}`, 'caches');
    expect(said).toContain(`kept in ${join(caches, 'npm')}, [][]`);
    expect(existsSync(join(caches, 'npm/mine'))).toBe(true);
    expect(said).toContain(`the branch is ${worker.branch}`);
    expect(crew.home.sandbox.git(worker.project_path, 'log', '-1', '--format=%s')).toBe('Written in a here-document');
    expect((await crew.look(worker.session_id)).last_error).toBeUndefined();
  });

  test.each([
    ['a file out of reach', 'echo x >/usr/x', 'sandbox.allow_write'],
    ['the socket of a program', socketIn(shell), 'sandbox.allow_unix_sockets'],
  ])('is told the setting that opens %s', async (_, line, key) => {
    const worker = await crew.one({ sandbox: true });
    const said = await run(crew, worker, `BASH ${line}`);
    const { last_error: told } = await crew.look(worker.session_id);
    expect(told, said).toContain(`the setting ${key} opens that`);
  });

  test('has workers of Codex whose commands in it write here-documents, and say what is out of reach', async () => {
    const worker = await crew.one({ agent_type: 'codex', sandbox: true });
    const inShell = (line: string) => `BASH ${shell} -c '${line}'`;
    const said = await run(crew, worker, inShell(here), inShell('echo x >/usr/x'));
    expect(said).toContain('42 in a here-document');
    expect((await crew.look(worker.session_id)).last_error).toContain('the setting sandbox.allow_write opens that');
  });
});

/** bash itself opens no such socket. */
function socketIn(shell: string): string {
  return shell.endsWith('zsh')
    ? 'zmodload zsh/net/socket && zsocket /run/x'
    : `node -e 'require("net").connect("/run/x")'`;
}

test.each(shells)('what %s says of a sandbox on this machine is read as recorded', (shell) => {
  const said = runCases(shell);
  for (const { name, opens } of shellCases) {
    const wanted = opens?.in.includes(shell) ? opens.key : undefined;
    const { output = '' } = said[name] ?? {};
    expect(sandboxFailure(output)?.match(/the setting (\S+) opens that$/)?.[1], `${name}: ${output}`).toBe(wanted);
  }
});
