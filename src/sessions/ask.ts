// Answers one question about the sessions of this user.
import { realpath } from 'node:fs/promises';
import { defined } from '../model/defined.ts';
import type { Ledger } from '../usage/ledger.ts';
import type { Prices } from '../usage/prices.ts';
import type { SessionsQuery, SessionsResult } from '../wire/sessions.ts';
import { lookAtSessions, type SessionSources } from './look.ts';
import type { UsageIndex } from './usage-index.ts';
import { usageLook } from './usage-look.ts';
import { viewOf } from './views.ts';

export interface SessionsContext extends SessionSources {
  /** Where `auto` leads. */
  readonly here: string;
  /** Workers of crewmux, the oldest first. */
  readonly workers: readonly OwnWorker[];
  readonly usage: UsageIndex;
  readonly prices: Prices;
}

interface OwnWorker {
  readonly id: string;
  readonly name: string;
  readonly agentSessionId: string;
  /** What is counted of it. */
  readonly ledger?: () => Ledger | undefined;
}

export async function askSessions(
  query: SessionsQuery,
  { here, workers, usage, prices, ...looking }: SessionsContext,
): Promise<SessionsResult> {
  const { session_id: ref, project_path: path } = query;
  const folder = path === 'auto' ? here : path;
  const worker = workers.findLast(({ id, name }) => id === ref || name === ref);
  const own = new Map(workers.map((one) => [one.agentSessionId, one]));
  const ledgerOf = (id: string) => own.get(id)?.ledger?.();
  const answer = await viewOf(await lookAtSessions(looking), {
    ...query,
    workerOf: (id) => own.get(id)?.id,
    usage: usageLook({ usage, prices, ledgerOf, now: looking.now }),
    ...defined({
      folder: folder === undefined ? undefined : await realpath(folder).catch(() => folder),
      session_id: worker?.agentSessionId ?? ref,
    }),
  });
  usage.readOn();
  return answer;
}
