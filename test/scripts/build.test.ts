import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = makeSandbox();
});
afterEach(() => sandbox.dispose());

const program = () => join(sandbox.root, 'built.mjs');
const build = (files: Readonly<Record<string, string>>) => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(sandbox.root, name), text);
  const script = resolve(import.meta.dirname, '../../scripts/build.mjs');
  execFileSync(process.execPath, [script, join(sandbox.root, 'first.ts'), program()]);
};
const run = () => execFileSync(process.execPath, [program()], { encoding: 'utf8', cwd: '/' });
const shared = 'export let count = 0; export const add = () => { count += 1; };';

it('what is imported later shares its modules with what was imported first, and sees them change', () => {
  build({
    'shared.ts': shared,
    'first.ts': `import { add, count } from './shared.ts';
      add();
      import('./later.ts').then(({ seen }) => { add(); console.log(seen(), count); });`,
    'later.ts': `import { count } from './shared.ts'; export const seen = () => count;`,
  });
  expect(run()).toBe('2 2\n');
});

it('what nobody imports yet has not run', () => {
  build({
    'first.ts': `console.log('first'); if (process.argv[2] === 'later') import('./later.ts');`,
    'later.ts': `console.log('later');`,
  });
  expect(run()).toBe('first\n');
  expect(readFileSync(program(), 'utf8')).toContain('console.log("later")');
});

it('code stays strict, and a stack names the chunk it failed in', () => {
  build({
    'first.ts': `import('./later.ts').then(({ write }) => { try { write(); } catch (error) { console.log(error.stack); } });`,
    'later.ts': `export const write = () => { Object.freeze(URL).added = 1; };`,
  });
  expect(run()).toMatch(/TypeError: Cannot add property[\s\S]*crewmux\/later-/);
});

it('it knows where it lies', () => {
  build({ 'first.ts': 'console.log(import.meta.url);' });
  expect(run()).toBe(`file://${program()}\n`);
});
