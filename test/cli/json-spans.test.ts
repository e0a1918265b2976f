import fc from 'fast-check';
import { expect, it } from 'vitest';
import { edited, listEdits, memberOf, spansOf } from '../../src/cli/json-spans.ts';

it('the last member of a name is found where it lies, whatever stands in the texts', () => {
  const text = '{ "a": [1, {"b}": "\\"]"}], "h" : {"x": []}, "h": {"x": [ true ,null] } }';
  const list = memberOf(memberOf(spansOf(text), 'h') ?? { start: 0, end: 0 }, 'x');
  expect([list && text.slice(list.start, list.end), list?.items?.length]).toEqual(['[ true ,null]', 2]);
});

it('taking items out of any list and adding others leaves the rest, each byte of it', () => {
  const item = fc.tuple(fc.json({ maxDepth: 2 }), fc.boolean());
  const blank = fc.constantFrom('', ' ', '\n\t');
  fc.assert(
    fc.property(fc.array(item), fc.array(fc.json({ maxDepth: 1 })), blank, (items, added, between) => {
      const text = `{"x":[${between}${items.map(([json]) => json).join(`${between},${between}`)}${between}]}`;
      const list = memberOf(spansOf(text), 'x') ?? { start: 0, end: 0 };
      const after = edited(
        text,
        listEdits(list, (index) => items[index]?.[1] ?? false, added),
      );
      const kept = items.filter(([, isDropped]) => !isDropped).map(([json]) => json);
      expect(JSON.parse(after)).toEqual({ x: [...kept, ...added].map((json) => JSON.parse(json)) });
      for (const json of kept) expect(after).toContain(json);
    }),
  );
});
