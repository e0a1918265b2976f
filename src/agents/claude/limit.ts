// A usage limit told from other failures: it needs time or a person, not another try.

const limitKinds = new Set(['rate_limit', 'billing_error']);
const limitWords = /\byou(?:'|’)ve (?:hit|reached) your\b|out of usage|usage limit|credit balance is too low/i;

export const isLimit = ({ kind, text }: { readonly kind: string | undefined; readonly text: string }): boolean =>
  (kind !== undefined && limitKinds.has(kind)) || limitWords.test(text);
