// What is asked and answered about rules; the shapes of the wire.
import type { PresetName, RuleList, Rules } from '../../model/rule.ts';
import type { RuleChange } from '../../permissions/rule-book.ts';

export interface PermissionsRequest extends RuleChange {
  /** `default`, `role:<name>`, or `worker:<id, name or terminal id>`. */
  readonly scope: string;
  /** The older word for `ask`. */
  readonly confirm?: readonly string[];
}

export interface RuledWorker {
  readonly session_id: string;
  readonly name: string;
  /** From when on its agent goes by all the rules. */
  readonly holds: 'now' | 'within_3_seconds' | 'next_start';
  readonly why?: string;
}

export interface UnenforcedRule {
  readonly agent_type: string;
  readonly list: RuleList;
  readonly rule: string;
}

export interface PermissionsResult {
  readonly scope: string;
  readonly session_id?: string;
  readonly rules: Rules & { readonly preset?: PresetName };
  /** Those of every scope and of the preset together. */
  readonly in_effect: Rules;
  readonly changed: boolean;
  /** The living workers for whom the scope counts. */
  readonly workers: readonly RuledWorker[];
  /** What some agents have no words for. */
  readonly not_enforced_by: readonly UnenforcedRule[];
}
