// What became of one text: which of its bytes the model was asked, when, and how often. Pure.
import type { ModelRequest } from '../fake/server.ts';

export const facts = ['exactly', 'enclosed', 'later', 'twice', 'changed', 'never'] as const;
/**
 * `exactly`: as a prompt of its own, at once. `later`: the same, after what ran when it was sent. `enclosed`: every byte
 * of it, in words with which the agent itself hands on a message that comes in the middle of a turn, or with a blank.
 */
export type Fact = (typeof facts)[number];

export const verdicts = ['submitted', 'queued', 'held', 'unconfirmed', 'failed', 'refused'] as const;
/** What a client was told; `refused` is an error instead of an outcome. */
export type Verdict = (typeof verdicts)[number];

type Asked = Pick<ModelRequest, 'texts'>;

/**
 * `known` are the texts the model had before the text was sent. With `hasWaited`, what ran
 * when it was sent has come to its own end.
 */
export function arrivalOf(
  text: string,
  { known, asked, hasWaited = false }: { known: readonly string[]; asked: readonly Asked[]; hasWaited?: boolean },
): Fact {
  const fresh = freshTexts(known, asked.at(-1)?.texts ?? []);
  if (fresh.length === 0) return 'never';
  const whole = fresh.filter((one) => one === text);
  if (whole.length > 1) return 'twice';
  const enclosing = fresh.filter((one) => one !== text && text !== '' && one.includes(text));
  if (whole.length + enclosing.length > 1) return 'twice';
  if (whole.length + enclosing.length === 0 || fresh.length > 1) return 'changed';
  if (enclosing.length === 1) return 'enclosed';
  return hasWaited ? 'later' : 'exactly';
}

function freshTexts(known: readonly string[], texts: readonly string[]): string[] {
  const left = [...known];
  return texts.filter((text) => {
    const at = left.indexOf(text);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

const allowed: Readonly<Record<Verdict, readonly Fact[]>> = {
  submitted: ['exactly', 'enclosed'],
  queued: ['exactly', 'enclosed', 'later'],
  held: ['never'],
  failed: ['never'],
  refused: ['never'],
  unconfirmed: facts,
};

/** The verdict says something of the text that is not so. */
export const isFalse = ({ verdict, fact }: { readonly verdict: Verdict; readonly fact: Fact }): boolean =>
  !allowed[verdict].includes(fact);
