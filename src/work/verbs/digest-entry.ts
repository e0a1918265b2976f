// One line of a digest. Pure.
import { isoTime } from '../../model/clock.ts';
import { defined } from '../../model/defined.ts';
import type { DigestEntry } from '../../wire/digest.ts';

const longest = 300;
const mostCalls = 4;

interface Said {
  readonly what: string;
  readonly why?: string | undefined;
  readonly at?: number | undefined;
  readonly calls?: readonly string[];
}

export const entry = ({ what, why, at, calls = [] }: Said): DigestEntry => ({
  what: what.slice(0, longest),
  ...defined({ why: why?.slice(0, longest), at: at === undefined ? undefined : isoTime(at) }),
  nextCalls: calls.slice(0, mostCalls),
});
