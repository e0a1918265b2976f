// Layers of rules over one claim, and many verdicts made one.
import type { Policy, PolicyLayer, RuleList, Ruling } from './permission.ts';
import { type Rule, readRule } from './permission-rule.ts';

/** One thing that a rule can be about; an act makes one or more of them. */
export interface Claim {
  /** In words, for the reason. */
  readonly what: string;
  readonly fits: (rule: Rule, list: RuleList, layer: PolicyLayer) => boolean;
}

type By = NonNullable<Ruling['by']>;

/** Deny in any layer wins; then the strongest layer in which an allow or a confirm fits, the allow first. */
export function judge(policy: Policy, claim: Claim): Ruling {
  const denied = firstFit(policy, ['deny'], claim);
  if (denied !== undefined) return ruled('deny', claim, denied);
  for (const layer of policy) {
    const by = firstFit([layer], ['allow', 'confirm'], claim);
    if (by !== undefined) return ruled(by.list, claim, by);
  }
  return { decision: 'confirm', reason: `No rule is about ${claim.what}.` };
}

const ruled = (decision: RuleList, { what }: Claim, by: By): Ruling => ({
  decision,
  by,
  reason: `${by.scope} has ${what} under ${by.list}, by ${by.rule}.`,
});

function firstFit(policy: Policy, lists: readonly RuleList[], claim: Claim): By | undefined {
  for (const layer of policy) {
    for (const list of lists) {
      const rule = layer[list].find((text) => ruleFits(text, { list, layer }, claim));
      if (rule !== undefined) return { scope: layer.scope, list, rule };
    }
  }
  return undefined;
}

function ruleFits(text: string, at: { readonly list: RuleList; readonly layer: PolicyLayer }, claim: Claim): boolean {
  const rule = readRule(text);
  // A rule nobody can read permits nothing, and forbids nothing that it does not name.
  return 'over' in rule && claim.fits(rule, at.list, at.layer);
}

const weight = { allow: 0, confirm: 1, deny: 2 };

/** Allowed only where every one is; what a person must decide outweighs what somebody must. */
export function together(rulings: readonly Ruling[]): Ruling {
  const [first, ...rest] = rulings;
  if (first === undefined) return { decision: 'confirm', reason: 'Nothing is known of what it does.' };
  return rest.reduce((heavy, one) => (heavier(one, heavy) ? one : heavy), first);
}

const heavier = (a: Ruling, b: Ruling): boolean =>
  weight[a.decision] !== weight[b.decision]
    ? weight[a.decision] > weight[b.decision]
    : a.catastrophic !== undefined && b.catastrophic === undefined;

/** For what cannot be judged. */
export const held = (reason: string): Ruling => ({ decision: 'confirm', reason });
