// What sessions have used, as far as it is known now.
import { unlessEmpty } from '../model/defined.ts';
import { localDay } from '../model/time-zone.ts';
import type { Left, Spent } from '../model/usage.ts';
import { type Ledger, spentOf } from '../usage/ledger.ts';
import type { Prices } from '../usage/prices.ts';
import { usageOf } from '../usage/usage.ts';
import { type UsageView, usageView } from '../wire/usage.ts';
import type { Session } from './look.ts';
import type { UsageIndex } from './usage-index.ts';
import { spentOn, spentTogether } from './used.ts';

interface LookParts {
  readonly usage: UsageIndex;
  readonly prices: Prices;
  /** Of a worker of ours, by the id of its conversation. */
  readonly ledgerOf: (agentSessionId: string) => Ledger | undefined;
  readonly now: number;
}

export interface UsageLook {
  /** With its subagents; undefined while their transcripts are not read. */
  of(session: Session): Promise<UsageView | undefined>;
  /** Of those whose transcripts were written today. */
  today(sessions: readonly Session[]): Promise<UsageToday>;
}

export interface UsageToday {
  readonly usage: UsageView | undefined;
  /** That some are not read yet. */
  readonly warnings: readonly string[];
}

export function usageLook({ usage: index, prices, ledgerOf, now }: LookParts): UsageLook {
  const shown = ({ limits, ...spent }: Spent & Left): UsageView | undefined => {
    const valid = unlessEmpty((limits ?? []).filter(({ resetsAt }) => resetsAt > now));
    const usage = usageOf({ ...spent, ...(valid !== undefined && { limits: valid }) }, prices);
    return usage && usageView(usage);
  };
  return {
    async of({ agentSessionId, traces }) {
      const ours = ledgerOf(agentSessionId);
      const told = ours && shown(spentOf(ours));
      if (told !== undefined) return told;
      const [own, ...subagents] = (await index.ledgersOf(traces)) ?? [];
      return own && shown(spentTogether(own, subagents));
    },
    async today(sessions) {
      const since = new Date(now).setHours(0, 0, 0, 0);
      const active = sessions.flatMap(({ traces: [own] }) =>
        own !== undefined && own.file.modifiedAt >= since ? [own] : [],
      );
      const found = await Promise.all(active.map((own) => index.ledgersOf([own])));
      const ledgers = found.flatMap((one) => one ?? []);
      const missing = `usage_today counts ${ledgers.length} of ${active.length} sessions that were active today; ask again for the others`;
      return {
        usage: shown(spentOn(localDay(now), ledgers)),
        warnings: ledgers.length < active.length ? [missing] : [],
      };
    },
  };
}
