// The rules of every scope, and what of them holds for one worker.
import { CrewError } from './errors.ts';
import { type Policy, type PolicyLayer, type RuleList, ruleLists } from './permission.ts';
import { type PresetName, presetLayer } from './permission-preset.ts';
import { parseRule } from './permission-rule.ts';

/** What is written for one scope. */
export interface ScopeRules {
  readonly preset?: PresetName | undefined;
  readonly allow?: readonly string[] | undefined;
  readonly confirm?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
  /** Rules of a weaker writing of the same scope, the configuration's, that no longer hold. */
  readonly removed?: readonly string[] | undefined;
}

/** Keys are scopes: `default`, `role:<name>`, `worker:<id>`. */
export type RuleBook = Readonly<Record<string, ScopeRules>>;

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

/** Strongest first. Of the presets the strongest scope's counts alone: a worker may be freed from its role's. */
export function policyOf(books: readonly RuleBook[], worker: Parameters<typeof scopesOf>[0]): Policy {
  const scopes = scopesOf(worker).map((scope) => ({ scope, rules: rulesOf(books, scope) }));
  const leading = scopes.find(({ rules }) => rules.preset !== undefined);
  return scopes.flatMap(({ scope, rules }) => [
    ...layerOf(scope, rules),
    ...(scope === leading?.scope && rules.preset !== undefined ? [presetLayer(rules.preset)] : []),
  ]);
}

function layerOf(scope: string, { allow = [], confirm = [], deny = [] }: ScopeRules): readonly PolicyLayer[] {
  return allow.length + confirm.length + deny.length === 0 ? [] : [{ scope, allow, confirm, deny }];
}

/** Holds everything up, for rules that cannot be read: what they forbid is not known. */
export const unreadableLayer = (why: string): PolicyLayer => ({ scope: why, allow: [], confirm: ['*'], deny: [] });

/** Below all others for a worker that was started to ask nobody: what no rule is about is allowed. */
export const bypassLayer: PolicyLayer = { scope: 'skip_permissions', allow: ['*'], confirm: [], deny: [], blind: true };

/** Whether every act has to be judged: some of it must not happen though the agent itself would not ask. */
export function isStrict(policy: Policy, { asksNobody }: { readonly asksNobody: boolean }): boolean {
  return asksNobody || policy.some(({ confirm, deny }) => confirm.length + deny.length > 0);
}

export interface RuleChange {
  readonly allow?: readonly string[];
  readonly confirm?: readonly string[];
  readonly deny?: readonly string[];
  readonly remove?: readonly string[];
  readonly preset?: PresetName | 'none';
}

/** The scope's own writing after a change. A rule stands in one list: added to one, it leaves the others. */
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
  if (preset === 'none') return {};
  const now = preset ?? own.preset;
  return now === undefined ? {} : { preset: now };
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
