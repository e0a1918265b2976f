// The rules of every scope, and what of them holds for one worker.
import { defined } from '../model/defined.ts';
import { CrewError } from '../model/errors.ts';
import {
  mapRules,
  type PresetName,
  parseRule,
  type RuleBook,
  type RuleList,
  type Rules,
  ruleLists,
  type ScopeRules,
} from '../model/rule.ts';
import { type PresetUse, presetFor } from './presets.ts';

/** The scopes of a worker, strongest first. */
export const scopesOf = ({
  id,
  role,
}: {
  readonly id?: string;
  readonly role?: string | undefined;
}): readonly string[] => [
  ...(id === undefined ? [] : [`worker:${id}`]),
  ...(role === undefined ? [] : [`role:${role}`]),
  'default',
];

/** One scope's rules as they hold: of the later books, each adds to those before it and takes away from them. */
export function rulesOf(books: readonly RuleBook[], scope: string): ScopeRules {
  return books
    .map((book) => (Object.hasOwn(book, scope) ? book[scope] : undefined))
    .reduce<ScopeRules>((below, above) => (above === undefined ? below : laidOver(below, above)), {});
}

function laidOver(below: ScopeRules, above: ScopeRules): ScopeRules {
  const gone = new Set(above.removed);
  const preset = above.preset ?? (gone.has(`preset:${below.preset}`) ? undefined : below.preset);
  const lists = ruleLists.map((list) => [
    list,
    [...new Set([...(below[list] ?? []).filter((rule) => !gone.has(rule)), ...(above[list] ?? [])])],
  ]);
  return { preset, ...Object.fromEntries(lists) };
}

/** The preset that counts for a worker. */
export const presetOf = (books: readonly RuleBook[], worker: Parameters<typeof scopesOf>[0]): PresetName | undefined =>
  scopesOf(worker)
    .map((scope) => rulesOf(books, scope).preset)
    .find((preset) => preset !== undefined);

/**
 * What holds for a worker: the lists of all its scopes put together, with a preset's. Of the presets the strongest
 * scope's counts alone, so that a worker may be freed from its role's.
 */
export function rulesFor(
  books: readonly RuleBook[],
  { presetUse = 'all', ...worker }: Parameters<typeof scopesOf>[0] & { readonly presetUse?: PresetUse | undefined },
): Rules {
  const scopes = scopesOf(worker).map((scope) => rulesOf(books, scope));
  const name = presetOf(books, worker);
  const all = name === undefined ? scopes : [...scopes, presetFor(name, presetUse)];
  return mapRules((list) => all.flatMap((rules) => rules[list] ?? []).flatMap(spelt));
}

const everyTool = ['Bash', 'Edit', 'Write', 'NotebookEdit', 'Read', 'WebFetch', 'WebSearch'];

/** The agents have no word for everything. */
const spelt = (rule: string): readonly string[] => (rule === '*' ? everyTool : [rule]);

const anyEdit: ReadonlySet<string> = new Set(['Edit', 'Edit(**)', 'Edit(./**)']);

/** Their worker may change no file of its worktree. */
export const deniesEditing = ({ deny }: Pick<Rules, 'deny'>): boolean => deny.some((rule) => anyEdit.has(rule));

/** Holds everything up, for rules that cannot be read: what they forbid is not known. */
export const heldUp = (rules: Rules): Rules => ({ ...rules, allow: [], ask: everyTool });

export interface RuleChange {
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
  readonly remove?: readonly string[];
  readonly preset?: PresetName | 'none';
}

/** The scope's own rules after a change. A rule is in one list: added to one, it leaves the others. */
export function changed(
  held: { readonly own: ScopeRules; readonly below: ScopeRules },
  change: RuleChange,
): ScopeRules {
  for (const list of ruleLists) change[list]?.forEach(parseRule);
  refuseTwice(change);
  const { own, below } = held;
  const added = ruleLists.flatMap((list) => change[list] ?? []);
  refuseUnknown(change.remove ?? [], laidOver(below, own));
  const moved = new Set([...added, ...(change.remove ?? [])]);
  const lists = ruleLists.map((list) => [
    list,
    [...new Set([...(own[list] ?? []).filter((rule) => !moved.has(rule)), ...(change[list] ?? [])])],
  ]);
  const belowRules = ruleLists.flatMap((list) => below[list] ?? []);
  const removed = [...(own.removed ?? []), ...belowRules.filter((rule) => moved.has(rule))];
  return {
    ...presetAfter(held, change),
    ...Object.fromEntries(lists),
    removed: [...new Set(removed)].filter((rule) => !rule.startsWith('preset:')).concat(presetGone(held, change)),
  };
}

function presetAfter({ own }: { readonly own: ScopeRules }, { preset }: RuleChange): Pick<ScopeRules, 'preset'> {
  return preset === 'none' ? {} : defined({ preset: preset ?? own.preset });
}

function presetGone(
  { own, below }: { readonly own: ScopeRules; readonly below: ScopeRules },
  { preset }: RuleChange,
): readonly string[] {
  if (preset === 'none') return below.preset === undefined ? [] : [`preset:${below.preset}`];
  return preset === undefined ? (own.removed ?? []).filter((rule) => rule.startsWith('preset:')) : [];
}

function refuseTwice(change: RuleChange): void {
  const seen = new Map<string, RuleList>();
  for (const list of ruleLists) {
    for (const rule of change[list] ?? []) {
      const other = seen.get(rule);
      if (other !== undefined && other !== list) {
        throw new CrewError(
          'invalid_argument',
          `The rule ${rule} is given under ${other} and under ${list}.`,
          'Give it once.',
        );
      }
      seen.set(rule, list);
    }
  }
}

function refuseUnknown(remove: readonly string[], holds: ScopeRules): void {
  const known = ruleLists.flatMap((list) => holds[list] ?? []);
  const missing = remove.find((rule) => !known.includes(rule));
  if (missing === undefined) return;
  throw new CrewError(
    'invalid_argument',
    `There is no rule ${JSON.stringify(missing)} to remove in this scope.`,
    known.length === 0 ? 'The scope has no rules of its own.' : `Its rules: ${known.slice(0, 40).join(', ')}.`,
  );
}
