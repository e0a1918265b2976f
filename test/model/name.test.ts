import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkName, numberedName, pickNames, workerColour } from '../../src/model/name.ts';
import { edits } from '../../src/model/nearest.ts';

const pick = (count: number, taken: readonly string[] = [], seed = 'seed') => pickNames({ taken, count, seed });

test('names are free, different, and such as we take ourselves, however many are asked for', () => {
  fc.assert(
    fc.property(fc.nat(200), fc.nat(400), fc.string(), (count, gone, seed) => {
      const taken = pick(gone, [], seed).map((name) => name.toUpperCase());
      const names = pick(count, taken, seed);
      expect(new Set([...names, ...taken.map((name) => name.toLowerCase())]).size).toBe(count + gone);
      expect(names.map(checkName)).toEqual(names);
    }),
  );
});

test('the names of one call are of one theme, and another seed begins elsewhere', () => {
  const all = Array.from({ length: 60 }, (_, i) => pick(4, [], `seed ${i}`));
  expect(new Set(all.flat()).size).toBeGreaterThan(40);
  const themeOf = new Map<string, Set<string>>();
  for (const names of all) {
    const known = names.map((name) => themeOf.get(name)).find((theme) => theme !== undefined) ?? new Set();
    for (const name of names) themeOf.set(name, known.add(name));
  }
  expect(Math.max(...[...themeOf.values()].map((theme) => theme.size))).toBeLessThanOrEqual(12);
});

test('no name of ours is a word of our documents, or within two letters of another', () => {
  const names = pick(1_000).filter((name) => !name.includes('-'));
  // The picture of a crew shows names, as it should.
  const pages = readdirSync('docs').flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : []));
  const documents = ['README.md', 'AGENTS.md', 'CHANGELOG.md', ...pages];
  const words = new Set(
    documents.flatMap((path) =>
      readFileSync(path, 'utf8')
        .toLowerCase()
        .split(/[^a-z]+/u),
    ),
  );
  expect(names.filter((name) => words.has(name) || !/^[a-z]{4,10}$/.test(name))).toEqual([]);
  const close = names.flatMap((a, i) => names.slice(i + 1).flatMap((b) => (edits(a, b) < 3 ? [`${a} ${b}`] : [])));
  expect(close).toEqual([]);
});

test('a theme with too few free names is passed over for one with enough', () => {
  const first = pick(8);
  const next = pick(8, first);
  expect(pick(8, next)).toEqual(first);
  expect(next.filter((name) => first.includes(name))).toEqual([]);
});

test('when every theme is used up names are numbered', () => {
  const words = pick(1_000).filter((name) => !name.includes('-'));
  expect(words.length).toBeGreaterThanOrEqual(64);
  const [next = ''] = pick(1, words);
  expect(next).toMatch(/^[a-z]+-2$/);
  expect(words).toContain(next.slice(0, -2));
});

test.each([
  ['ada', 'ada'],
  ['  Ada   Lovelace ', 'Ada Lovelace'],
  ['José', 'José'],
  ['fix.login_2-b', 'fix.login_2-b'],
  ['田中', '田中'],
  ['x'.repeat(40), 'x'.repeat(40)],
])('the name %j is kept as %j', (name, kept) => {
  expect(checkName(name)).toBe(kept);
});

test.each([
  ['', 'it is empty'],
  ['   ', 'it is empty'],
  ['x'.repeat(41), 'it has 41 characters'],
  ['deadbeef', 'it looks like a worker id'],
  ['All', 'it means all workers where a list is taken'],
  ['%12', 'it does not begin with a letter or digit'],
  ['-f', 'it does not begin with a letter or digit'],
  ['__proto__', 'it does not begin with a letter or digit'],
  ['tmux:%12', 'it holds ":"'],
  ['a/b', 'it holds "/"'],
  ['#{pane_id}', 'it does not begin with a letter or digit'],
  ['a#[fg=red]', 'it holds "#"'],
  ['a\u001b[31m', 'it holds "\\u001b"'],
  ['a\u202eb', 'it holds "\u202e"'],
])('the name %j is refused: %s', (name, problem) => {
  expect(() => checkName(name)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  expect(() => checkName(name)).toThrow(problem);
});

test('a name has its colour again unless it is taken while another is free', () => {
  const own = workerColour('ada', []);
  expect(workerColour('Ada', [])).toBe(own);
  expect(workerColour('ada', [own])).not.toBe(own);
});

test('live workers have different colours as long as there are any left', () => {
  const taken: string[] = [];
  for (const name of pick(10)) taken.push(workerColour(name, taken));
  expect(new Set(taken).size).toBe(10);
  expect(new Set(pick(10).map((name) => taken.push(workerColour(name, taken)) && taken.at(-1))).size).toBe(10);
});

test.each([
  ['ada', [], 'ada'],
  ['ada', ['bruno'], 'ada'],
  ['Ada', ['ada'], 'Ada-2'],
  ['ada', ['ADA', 'Ada-2'], 'ada-3'],
])('%s beside %j is %s', (name, taken, expected) => expect(numberedName(name, taken)).toBe(expected));
