import { expect, test } from 'vitest';
import { matches } from '../../../src/model/glob.ts';
import { escapes, fixedFolder, plainPath } from '../../../src/worktree/making/pattern.ts';

test.each([
  ['.env*', '.env.local', true],
  ['.env*', 'sub/.env', false],
  ['*.pem', '.hidden.pem', true],
  ['**/.env', '.env', true],
  ['**/.env', 'a/b/.env', true],
  ['**/.env', 'a/x.env', false],
  ['config/**', 'config/a/b', true],
  ['config/**/x.json', 'config/x.json', true],
  ['config/*/x.json', 'config/a/b/x.json', false],
  ['a+(b)*', 'a+(b)c', true],
  ['a.c*', 'abc', false],
])('%s and %s: %s', (pattern, path, verdict) => {
  expect(matches(pattern, path)).toBe(verdict);
});

test.each([
  '',
  '/etc/passwd',
  '../x',
  'a/../../x',
  '~/.ssh',
  '.',
  './',
  '.git/config',
  '.GIT/hooks',
  'a\0b',
  '**/../x',
])('%j is refused', (path) => {
  expect(escapes(path)).toBeTypeOf('string');
});

test.each(['.env', './a/b', 'a..b/c', 'a/.git-keep', '**/*.local'])('%j is fine', (path) => {
  expect(escapes(path)).toBeUndefined();
});

test('a search starts in the deepest folder that is sure', () => {
  expect(['*.env', 'a/b/*.env', 'a/**/c', '**'].map(fixedFolder)).toEqual(['', 'a/b', 'a', '']);
  expect(plainPath('./a//b/')).toBe('a/b');
});
