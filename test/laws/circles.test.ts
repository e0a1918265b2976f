import { expect, it } from 'vitest';
import { sourcesIn } from './source.ts';

/** Groups of files that reach each other by their imports, those of types included. */
function circlesIn(files: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const order: string[] = [];
  const seen = new Set<string>();
  const walk = (from: string, next: ReadonlyMap<string, readonly string[]>, leave: (path: string) => void) => {
    if (seen.has(from)) return;
    seen.add(from);
    for (const target of next.get(from) ?? []) walk(target, next, leave);
    leave(from);
  };
  for (const path of files.keys()) walk(path, files, (left) => order.push(left));
  const importers = new Map<string, string[]>([...files.keys()].map((path) => [path, []]));
  for (const [path, targets] of files) for (const target of targets) importers.get(target)?.push(path);
  seen.clear();
  const groups = order.reverse().map((path) => {
    const group: string[] = [];
    walk(path, importers, (left) => group.push(left));
    return group;
  });
  return groups.filter((group) => group.length > 1).map((group) => group.sort());
}

it('a circle is found by its types as well, and a fork is none', () => {
  const files = new Map([
    ['a', ['b', 'c']],
    ['b', ['d']],
    ['c', ['d']],
    ['d', ['e']],
    ['e', ['d']],
  ]);
  expect(circlesIn(files)).toEqual([['d', 'e']]);
});

it('no file reaches itself through what it imports, types included', () => {
  const files = new Map(
    sourcesIn('src').map(({ path, imports }) => [path, imports.filter(({ own }) => own).map(({ target }) => target)]),
  );
  expect(circlesIn(files).map((circle) => `${circle.join(' <-> ')}: name the type lower down, or cut the tie`)).toEqual(
    [],
  );
});
