// What is asked and answered about rules; the shapes of the wire.
import type { RuleList } from '../../model/permission.ts';
import type { RuleChange } from '../../model/permission-book.ts';
import type { PresetName } from '../../model/permission-preset.ts';

export interface PermissionsRequest extends RuleChange {
  /** `default`, `role:<name>`, or `worker:<id, name or terminal id>`. */
  readonly scope: string;
  readonly explain?: {
    readonly tool: string;
    readonly input?: Readonly<Record<string, unknown>>;
    readonly command?: string;
    readonly session_id?: string;
  };
}

export interface RulingView {
  readonly decision: 'allow' | 'deny' | 'confirm';
  readonly scope?: string;
  readonly list?: RuleList;
  readonly rule?: string;
  readonly catastrophic?: string;
  readonly reason: string;
}

export interface ExplainedView extends RulingView {
  readonly tool: string;
  readonly session_id?: string;
  readonly parts?: readonly (Pick<RulingView, 'decision' | 'reason'> & { readonly what: string })[];
}

export interface PermissionsResult {
  readonly scope: string;
  readonly session_id?: string;
  readonly rules: {
    readonly preset?: PresetName;
    readonly allow: readonly string[];
    readonly confirm: readonly string[];
    readonly deny: readonly string[];
  };
  /** Every layer that counts for the scope, strongest first, each in a few words. */
  readonly in_effect: readonly string[];
  readonly changed: boolean;
  /** Names of the living workers for whom it holds from now on. */
  readonly workers: readonly string[];
  readonly explain?: ExplainedView;
}
