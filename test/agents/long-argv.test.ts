import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { shortArgv } from '../../src/agents/long-argv.ts';
import { CrewError } from '../../src/model/errors.ts';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';

let box: Sandbox;
beforeEach(() => {
  box = makeSandbox();
});
afterEach(() => box.dispose());

const show = 'process.stdout.write(JSON.stringify([process.pid, process.argv.slice(1)]))';

/** Runs the line below a shell that tells its pid, and returns that pid and what the program saw. */
function run(argv: readonly string[]) {
  const out = execFileSync('sh', ['-c', 'echo $$; exec "$@"', 'x', ...argv], { env: box.env, encoding: 'utf8' });
  const [pid, json = ''] = out.split('\n');
  const [ranAs, words] = JSON.parse(json);
  return { pid: Number(pid), ranAs, words };
}

test('a line of short words is left as it is', () => {
  expect(shortArgv(['codex', '--', 'hi'], '/launch')).toEqual({ argv: ['codex', '--', 'hi'], files: [] });
});

test.each<[string, readonly string[]]>([
  ['one long word', [`"q" $(id) \`id\` \\ 'z' é 漢\t${'\n\nline'.repeat(10_000)}\\`, "it's", '', '-x']],
  ['many words', Array.from({ length: 100 }, (_, i) => `word ${i} ${'x'.repeat(200)}\n`)],
])('%s reach the program exactly, which runs in the place of the shell', (_, words) => {
  const { argv, files } = shortArgv(['node', '-e', show, '--', ...words], box.dir('launch'));
  for (const { path, content } of files) writeFileSync(path, content);
  expect(files).toHaveLength(1);
  const ran = run(argv);
  expect(ran.words).toEqual(words);
  expect(ran.ranAs).toBe(ran.pid);
});

test('a word that no system takes is refused', () => {
  expect(() => shortArgv(['codex', 'é'.repeat(60_001)], '/launch')).toThrow(CrewError);
});
