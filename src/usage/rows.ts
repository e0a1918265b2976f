// Usage summed up by worker, role, plan or day. Pure.
import type { Usage, UsageGroup } from '../model/usage.ts';
import { type Ledger, spentOf } from './ledger.ts';
import type { Prices } from './prices.ts';
import { sumOf, usageOf } from './usage.ts';

/** What one worker has used, and what it worked for. */
export interface Share {
  readonly id: string;
  readonly name: string;
  readonly role?: string;
  /** The task it was started for. */
  readonly task?: string;
  readonly ledger: Ledger;
  readonly prices: Prices;
}

/** Of all of them together; undefined where nobody has used anything. */
export const usageOfShares = (shares: readonly Share[]): Usage | undefined =>
  sumOf(shares.flatMap(({ ledger, prices }) => usageOf(spentOf(ledger), prices) ?? []));

/** Without rows for what has used nothing; `planOf` names the plan of a task. */
export function usageRows(
  shares: readonly Share[],
  by: UsageGroup,
  planOf: (task: string) => string | undefined,
): readonly { readonly name: string; readonly usage: Usage }[] {
  const groups = new Map<string, { readonly name: string; readonly usages: Usage[] }>();
  const add = (key: string, name: string, usage: Usage | undefined) => {
    if (usage === undefined) return;
    const group = groups.get(key) ?? { name, usages: [] };
    group.usages.push(usage);
    groups.set(key, group);
  };
  for (const share of shares) {
    const { id, name, role = '(no role)', task, ledger, prices } = share;
    const whole = () => usageOf(spentOf(ledger), prices);
    const plan = (task === undefined ? undefined : planOf(task)) ?? '(no plan)';
    if (by === 'worker') add(id, name, whole());
    else if (by === 'role') add(role, role, whole());
    else if (by === 'plan') add(plan, plan, whole());
    else for (const day of Object.keys(ledger.days)) add(day, day, usageOf(spentOf(ledger, day), prices));
  }
  const rows = [...groups.values()].flatMap(({ name, usages: [first, ...more] }) => {
    const usage = more.length === 0 ? first : sumOf([first, ...more].filter((one) => one !== undefined));
    return usage === undefined ? [] : [{ name, usage }];
  });
  return by === 'day' ? rows.toSorted((a, b) => a.name.localeCompare(b.name)) : rows;
}
