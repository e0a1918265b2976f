// `crewmux usage`: what workers have used, by day, role, plan or worker.
import { cell } from '../draw/terminal-text.ts';
import { oneLine, plainJson } from '../model/plain-text.ts';
import { type UsageGroup, usageGroups } from '../model/usage.ts';
import { tokenWords, type UsageRow, usdWords } from '../wire/usage.ts';
import type { WorkshopView } from '../work/api.ts';

/** Undefined for a group that is none. */
export const groupNamed = (text: string): UsageGroup | undefined => usageGroups.find((one) => one === text);

export const groupWords = (text: string): string =>
  `crewmux usage: --by takes ${usageGroups.slice(0, -1).join(', ')} or ${usageGroups.at(-1)}, and got ${JSON.stringify(text)}.\n`;

interface UsageSource extends Pick<WorkshopView, 'usage'> {
  readonly jobs: {
    list(query: object): Promise<{ readonly tasks: readonly { readonly taskId: string; readonly planId?: string }[] }>;
    planStatus(
      query: object,
    ): Promise<{ readonly plans?: readonly { readonly planId: string; readonly name: string }[] }>;
  };
}

export async function readUsage({ usage, jobs }: UsageSource, by: UsageGroup): Promise<readonly UsageRow[]> {
  if (by !== 'plan') return usage({ by });
  const [{ tasks }, { plans = [] }] = await Promise.all([jobs.list({}), jobs.planStatus({})]);
  const names = new Map(plans.map(({ planId, name }) => [planId, name]));
  const named = tasks.flatMap(({ taskId, planId = '' }): [string, string][] => {
    const name = names.get(planId);
    return name === undefined ? [] : [[taskId, name]];
  });
  return usage({ by, plans: new Map(named) });
}

const heads = ['TOKENS', 'FRESH', 'CACHE', 'OUTPUT', 'COST'] as const;
const widest = 40;

/** Pure. */
export function usageText(rows: readonly UsageRow[], by: UsageGroup): string {
  if (rows.length === 0) return 'No worker of this project has used anything yet.\n';
  const cells = rows.map(({ name, usage: { input_tokens: fresh, output_tokens: out, cache_tokens: cache, cost } }) => [
    oneLine(name),
    ...[fresh + out + cache, fresh, cache, out].map(tokenWords),
    cost === undefined ? '-' : usdWords(cost),
  ]);
  const all = [[by.toUpperCase(), ...heads], ...cells];
  const widths = all[0]?.map((_, at) => Math.min(widest, Math.max(...all.map((row) => row[at]?.length ?? 0)))) ?? [];
  const line = (row: readonly string[]) =>
    row.map((text, at) => (at === 0 ? cell(text, widths[0] ?? 0) : text.padStart(widths[at] ?? 0))).join('  ');
  const isEstimated = rows.some(({ usage }) => usage.cost?.source === 'estimate');
  const note = isEstimated ? ['', '~ tokens times prices; any other figure is what the agent itself counts.'] : [];
  return `${[...all.map(line), ...note].join('\n')}\n`;
}

export const usageJson = (rows: readonly UsageRow[]): string => plainJson(rows);
