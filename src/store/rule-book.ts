// The rules that were set while at work, for every scope; one file for all servers of a user.

import { join } from 'node:path';
import { z } from 'zod';
import { advise, call } from '../model/advice.ts';
import { CrewError } from '../model/errors.ts';
import { parseJson } from '../model/json.ts';
import { presetNames, type RuleBook, type ScopeRules } from '../model/rule.ts';
import { readText, writeJson } from '../system/atomic.ts';
import { type LockOptions, withLock } from '../system/lock.ts';
import type { Home } from './home.ts';

const rules = z.array(z.string());
const written = {
  preset: z.enum(presetNames).exactOptional(),
  allow: rules.exactOptional(),
  deny: rules.exactOptional(),
  removed: rules.exactOptional(),
};
const scopeRules: z.ZodType<ScopeRules> = z.strictObject({ ...written, ask: rules.exactOptional() });
/** The first version had another word for `ask`. */
const firstRules: z.ZodType<ScopeRules> = z
  .strictObject({ ...written, confirm: rules.exactOptional() })
  .transform(({ confirm, ...others }) => (confirm === undefined ? others : { ...others, ask: confirm }));
const file = z.discriminatedUnion('v', [
  z.strictObject({ v: z.literal(1), scopes: z.record(z.string(), firstRules) }),
  z.strictObject({ v: z.literal(2), scopes: z.record(z.string(), scopeRules) }),
]);

const pathOf = (home: Home): string => join(home.root, 'permissions.json');

/** Empty when nothing was ever set. Throws `state_unreadable` and moves nothing: the rules in it may forbid. */
export async function readBook(home: Home): Promise<RuleBook> {
  const path = pathOf(home);
  const text = await readText(path);
  if (text === undefined) return {};
  const held = file.safeParse(parseJson(text));
  if (held.success) return held.data.scopes;
  throw new CrewError(
    'state_unreadable',
    `${path} does not hold rules of this version, so nothing is allowed by rules.`,
    advise`Mend the file, or remove it and set the rules again ${call('with set_permissions', 'through your manager')}.`,
  );
}

/** Changes one scope while no other server does; returns the book as it is then on disk. */
export async function changeBook(
  home: Home,
  {
    scope,
    change,
    ...options
  }: LockOptions & { readonly scope: string; readonly change: (held: ScopeRules) => ScopeRules },
): Promise<RuleBook> {
  return withLock(
    home.lockPath('permissions'),
    async () => {
      const book = await readBook(home);
      const changed = { ...book, [scope]: change(Object.hasOwn(book, scope) ? (book[scope] ?? {}) : {}) };
      await writeJson(pathOf(home), { v: 2, scopes: changed });
      return changed;
    },
    options,
  );
}
