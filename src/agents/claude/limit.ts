// A usage limit among other failures: it needs time or a person, not another try.
import { defined } from '../../model/defined.ts';
import { resetTimeIn } from '../../model/reset-time.ts';

const limitKinds = new Set(['rate_limit', 'billing_error']);
const limitWords =
  /\byou(?:'|’)ve (?:hit|reached) your\b|out of (?:extra )?usage|usage limit|spend limit reached|credit balance is too low/i;

export interface Failure {
  readonly at: number;
  readonly kind: string | undefined;
  readonly text: string;
  /** Epoch seconds, where the failure itself carries it. */
  readonly resetsAtSeconds?: number | undefined;
}

export const isLimit = ({ kind, text }: Pick<Failure, 'kind' | 'text'>): boolean =>
  (kind !== undefined && limitKinds.has(kind)) || limitWords.test(text);

/** When a limit is over; empty where the failure does not say. */
export function resetOf({ at, text, resetsAtSeconds }: Failure): { readonly resetsAt?: number } {
  return defined({ resetsAt: resetsAtSeconds === undefined ? resetTimeIn(text, { at }) : resetsAtSeconds * 1_000 });
}
