import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sandboxBroke, sandboxFailure } from '../../src/agents/sandbox-failure.ts';
import { recordedCases, shellCases, shells } from './shell-cases.ts';

it.each([
  ["touch: cannot touch '/srv/x': Read-only file system", 'sandbox.allow_write'],
  ["Error: EROFS: read-only file system, open '/srv/x'", 'sandbox.allow_write'],
  ['Cannot connect to the Docker daemon at unix:///var/run/docker.sock.', 'sandbox.excluded_commands'],
  ['ssh: connect to host github.com port 22: Network is unreachable', 'sandbox.excluded_commands'],
  ['psql: error: connection to server on socket "/run/pg": Operation not permitted', 'sandbox.allow_unix_sockets'],
  ['Error: connect EPERM /run/redis.sock', 'sandbox.allow_unix_sockets'],
  ['(eval):zsocket:1: socket creation failed: operation not permitted', 'sandbox.allow_unix_sockets'],
  ['Connection blocked by network allowlist', 'sandbox.allowed_domains'],
])('%j names %s', (line, key) => {
  expect(sandboxFailure(`before\n${line}\nafter`)).toBe(`in its sandbox: ${line}; the setting ${key} opens that`);
});

describe.each(shells)('what %s says of', (shell) => {
  const recorded = recordedCases(shell);
  it.each(shellCases)('$name names the setting that opens it, and no other', ({ name, opens }) => {
    const { exitCode, output = '' } = recorded[name] ?? {};
    const wanted = opens?.in.includes(shell) ? opens.key : undefined;
    expect(output).not.toBe('');
    if (wanted !== undefined) expect(exitCode).not.toBe(0);
    const printed = `Exit code ${exitCode}\n${output}`;
    expect(sandboxFailure(printed)?.match(/the setting (\S+) opens that$/)?.[1]).toBe(wanted);
  });
});

it('the words of zsh within a sentence are no such failure', () => {
  const word = fc.stringMatching(/^[a-z`'"(]{1,8}[a-z)'"`]$/);
  const first = fc.constantFrom('', 'zsh:1: ', '(eval):1: ', 'src/a.ts:3:14: ', 'warning: ', '12:30:15: ', '- ', '# ');
  const after = fc.oneof(
    word.map((one) => ` ${one}`),
    fc.constantFrom(', as ever', '.', ': /usr/x', '-'),
  );
  fc.assert(
    fc.property(first, fc.array(word, { minLength: 1, maxLength: 5 }), after, (from, words, to) => {
      const line = `${from}${words.join(' ')} read-only file system${to}`;
      expect(sandboxFailure(`before\n${line}\nafter`)).toBeUndefined();
    }),
  );
});

it.each([
  '',
  'npm ERR! Test failed',
  'Permission denied',
  'a read-only view',
  'read-only file system',
  'error: read-only file system',
])('%j is no such failure', (printed) => {
  expect(sandboxFailure(printed)).toBeUndefined();
});

it.each([
  ["bwrap: Can't find source path /r/.git/config.lock: No such file or directory"],
  ["bwrap: Can't get type of source /x: No such file or directory"],
  ["bwrap: Can't bind mount /a on /b: Unable to mount source on destination"],
])('a sandbox that broke is told from a command that failed in it: %s', (line) => {
  expect(sandboxBroke(`Exit code 1\n${line}\n`)).toBe(line);
  expect(sandboxBroke('Exit code 1\nusage: bwrap: [OPTIONS]')).toBeUndefined();
});
