import { expect, it } from 'vitest';
import { sandboxBroke, sandboxFailure } from '../../src/agents/sandbox-failure.ts';

it.each([
  ["touch: cannot touch '/srv/x': Read-only file system", 'sandbox.allow_write'],
  ["Error: EROFS: read-only file system, open '/srv/x'", 'sandbox.allow_write'],
  ['Cannot connect to the Docker daemon at unix:///var/run/docker.sock.', 'sandbox.excluded_commands'],
  ['ssh: connect to host github.com port 22: Network is unreachable', 'sandbox.excluded_commands'],
  ['psql: error: connection to server on socket "/run/pg": Operation not permitted', 'sandbox.allow_unix_sockets'],
  ['Error: connect EPERM /run/redis.sock', 'sandbox.allow_unix_sockets'],
  ['Connection blocked by network allowlist', 'sandbox.allowed_domains'],
])('%j names %s', (line, key) => {
  expect(sandboxFailure(`before\n${line}\nafter`)).toBe(`in its sandbox: ${line}; the setting ${key} opens that`);
});

it.each(['', 'npm ERR! Test failed', 'Permission denied', 'a read-only view'])('%j is no such failure', (printed) => {
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
