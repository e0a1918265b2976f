import { expect, it } from 'vitest';
import { sandboxFailure } from '../../src/agents/sandbox-failure.ts';

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
