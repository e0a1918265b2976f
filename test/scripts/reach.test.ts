import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';

let box: Sandbox;
beforeEach(() => {
  box = makeSandbox();
});
afterEach(() => box.dispose());

const acts = [
  'startWorkers restartWorkers closeWorkers adoptWorker sendMessage interruptTurn answerWorker listWorkers',
  'examineWorker waitIdle landWorker syncWorker openPullRequest cleanupWorktrees',
].flatMap((line) => line.split(' '));

function reach(files: Readonly<Record<string, string>>) {
  const root = box.dir('tree');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const script = join(import.meta.dirname, '../../scripts/reach.mjs');
  const { stdout, stderr } = spawnSync(process.execPath, [script, root], { env: box.env, encoding: 'utf8' });
  return { rows: stdout.split('\n').map((row) => row.split(/ {2,}/)), stderr };
}

test('a verb loads what it takes by value, through other files too, and nothing that is only a type', () => {
  const act = (name: string) => `export async function ${name}() {}`;
  const { rows } = reach({
    'src/crew/lone.ts': acts
      .filter((name) => name !== 'landWorker')
      .map(act)
      .join('\n'),
    'src/crew/land.ts': [
      "import { a, type B } from '../a.ts';",
      "import type { T } from '../types.ts';",
      "import { type U } from '../types.ts';",
      "import { readFileSync } from 'node:fs';",
      act('landWorker'),
    ].join('\n'),
    'src/a.ts': "export { b } from './b.ts';\nexport type { T } from './types.ts';\nexport const a = 1;",
    'src/b.ts': "import './effect.ts';\nimport { a } from './a.ts';\nexport const b = () => import('./later.ts') && a;",
    'src/effect.ts': '',
    'src/later.ts': '',
    'src/types.ts': '',
  });
  expect(rows).toContainEqual(['land', '4', 'src/crew/land.ts']);
  expect(rows).toContainEqual(['spawn', '1', 'src/crew/lone.ts']);
  expect(rows).toContainEqual(['average', '1.2']);
});

test('an act that no file has is named', () => {
  expect(reach({ 'src/crew/lone.ts': 'export const other = 1;' }).stderr).toContain('has startWorkers');
});
