import { expect, expectTypeOf, it } from 'vitest';
import { defined } from '../../src/model/defined.ts';

it('a field without a value is not there, and one that is null stays', () => {
  const at: number | undefined = [1].at(5);
  const fields = defined({ name: 'ada', at, branch: null });
  expect(Object.keys(fields)).toEqual(['name', 'branch']);
  expectTypeOf(fields.at).toEqualTypeOf<number | undefined>();
  const exact: { readonly name: string; readonly at?: number } = fields;
  expect(exact).toEqual({ name: 'ada', branch: null });
});
