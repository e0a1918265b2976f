// Answers one question about the sessions of this user.
import { realpath } from 'node:fs/promises';
import { defined } from '../model/defined.ts';
import type { SessionsQuery, SessionsResult } from '../wire/sessions.ts';
import { lookAtSessions, type SessionSources } from './look.ts';
import { viewOf } from './views.ts';

export interface SessionsContext extends SessionSources {
  /** Where `auto` leads. */
  readonly here: string;
  /** Workers of crewmux, the oldest first. */
  readonly workers: readonly { readonly id: string; readonly name: string; readonly agentSessionId: string }[];
}

export async function askSessions(
  query: SessionsQuery,
  { here, workers, ...looking }: SessionsContext,
): Promise<SessionsResult> {
  const { session_id: ref, project_path: path } = query;
  const folder = path === 'auto' ? here : path;
  const worker = workers.findLast(({ id, name }) => id === ref || name === ref);
  return viewOf(await lookAtSessions(looking), {
    ...query,
    workers: new Map(workers.map(({ agentSessionId, id }) => [agentSessionId, id])),
    ...defined({
      folder: folder === undefined ? undefined : await realpath(folder).catch(() => folder),
      session_id: worker?.agentSessionId ?? ref,
    }),
  });
}
