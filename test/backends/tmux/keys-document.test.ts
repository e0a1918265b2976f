// The table of keys in the documents, beside what a real tmux has there.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type KeyChoice, usualKeys } from '../../../src/model/crew-keys.ts';
import type { Sandbox } from '../../support/sandbox.ts';
import { tmuxOf, withTerminal } from '../terminal-bench.ts';

const document = readFileSync(new URL('../../../docs/configuration.md', import.meta.url), 'utf8');
const rows = [...document.matchAll(/^\| `(\S)` \| `(\w+)` \| .* \| (.*?) \|$/gm)].map(
  ([, key = '', act = '', replaced = '']) => ({ key, act, replaced }),
);

const keysThat = async (choice: KeyChoice | undefined): Promise<Readonly<Record<string, string>>> => {
  const opened = (sandbox: Sandbox) =>
    choice === undefined ? tmuxOf(sandbox) : tmuxOf(sandbox, { keys: { choice, program: ['true'] } });
  let list = '';
  await withTerminal(opened, async ({ terminal, request, sandbox }) => {
    await terminal.open(request());
    list = sandbox.tmux('list-keys', '-T', 'prefix');
  });
  return Object.fromEntries(
    [...list.matchAll(/^bind-key +(?:-r +)?-T prefix +\\?(\S+) +(.*)$/gm)].map(([, key, command]) => [key, command]),
  );
};

test('the documents name each key, and what it replaces is what tmux has there', async () => {
  expect(Object.fromEntries(rows.map(({ key, act }) => [key, act]))).toEqual(usualKeys);
  const own = await keysThat(undefined);
  for (const { key, replaced } of rows) expect([key, own[key]]).toEqual([key, /`([^`]+)`/.exec(replaced)?.[1]]);
});

test('the setting that they name gives tmux its keys back, one by one or all', async () => {
  const own = await keysThat(undefined);
  expect(document).toContain('`{"n": false}` gives back the next window, and `{"w": false}` the tree of windows');
  const some = await keysThat({ n: false, w: false });
  expect([some.n, some.w]).toEqual([own.n, own.w]);
  expect(some.a).not.toBe(own.a);
  expect(document).toContain('`false` alone gives back all.');
  const none = await keysThat(false);
  for (const key of Object.keys(usualKeys)) expect([key, none[key]]).toEqual([key, own[key]]);
});
