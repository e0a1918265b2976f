// What a bound on turns or dollars lets begin, and what is told of it once. Pure.
import type { BoundKind, LimitNotice, TurnCount } from '../model/worker.ts';
import { withoutNoise } from './usage.ts';

export interface Bound {
  readonly kind: BoundKind;
  /** As it was asked for. */
  readonly amount: number;
  /** How often that much was granted again. */
  readonly grants: number;
  readonly used: number;
  /** Of the bound of a project, `2026-11-25`: the next day has one of its own. */
  readonly day?: string;
}

const noticeAt = 0.8;

export const limitOf = ({ amount, grants }: Pick<Bound, 'amount' | 'grants'>): number =>
  withoutNoise(amount * (grants + 1));

/** `stop`: no new turn begins. */
export function levelOf(bound: Bound): 'nothing' | LimitNotice['level'] {
  const limit = limitOf(bound);
  if (bound.used >= limit) return 'stop';
  return bound.used >= withoutNoise(limit * noticeAt) ? 'notice' : 'nothing';
}

/** What of it is to be told now; each threshold is told once. */
export function newsOf(bound: Bound, told: LimitNotice | undefined): LimitNotice['level'] | undefined {
  const level = levelOf(bound);
  if (level === 'nothing') return undefined;
  const isKnown = told !== undefined && told.limit === limitOf(bound) && told.day === bound.day;
  return isKnown && (told.level === 'stop' || told.level === level) ? undefined : level;
}

/** The first that lets no turn begin. */
export const reachedOf = (bounds: readonly Bound[]): Bound | undefined =>
  bounds.find((bound) => levelOf(bound) === 'stop');

const boundWords = (kind: BoundKind, used: number): string =>
  kind === 'turns' ? `${used} turns` : `${Number(used.toFixed(4))} USD`;

export const usedWords = (bound: Bound): string => {
  const { kind, used, day } = bound;
  const limit = boundWords(kind, limitOf(bound));
  if (kind === 'turns') return `has begun ${used} of ${limit}`;
  return day === undefined
    ? `has cost ${boundWords(kind, used)} of ${limit}`
    : `belongs to a project that has cost ${boundWords(kind, used)} of ${limit} on ${day}`;
};

/** Under this name the same amount is granted at most once. */
export const requestOf = ({ kind, grants, day }: Pick<Bound, 'kind' | 'grants' | 'day'>): string =>
  ['limit', day ?? kind, grants].join('-');

/** `here` counts the turns of this launch; what earlier ones have begun is kept. */
export function turnsWith(count: TurnCount | undefined, launch: number, here: number): TurnCount {
  if (count === undefined) return { launch, before: 0, here };
  if (count.launch === launch) return { ...count, here: Math.max(count.here, here) };
  return { launch, before: count.before + count.here, here };
}

export const turnsIn = ({ before, here }: TurnCount): number => before + here;
