// `sessions/<pid>.json`: the state that a running Claude Code writes.

import { z } from 'zod';
import { defined } from '../../model/defined.ts';
import { parseJson } from '../../model/json.ts';
import type { AgentSignal, WaitingFor } from '../../model/turn.ts';
import type { DecodedState } from '../agent.ts';

const stateFile = z.looseObject({
  pid: z.number().int().positive(),
  status: z.string(),
  statusUpdatedAt: z.number(),
  waitingFor: z.string().optional().catch(undefined),
  procStart: z.string().optional().catch(undefined),
  sessionId: z.string().optional().catch(undefined),
  tmux: z.string().optional().catch(undefined),
});

type StateStatus = Extract<AgentSignal, { kind: 'state' }>['status'];

const statuses = new Map<string, StateStatus>([
  ['idle', 'idle'],
  ['busy', 'busy'],
  ['waiting', 'waiting'],
  ['shell', 'background'],
]);

/** Its sandbox asks about a host; Claude Code runs no hook for that. */
const sandboxRequest = 'sandbox request';

const waits = new Map<string, WaitingFor>([
  ['permission prompt', 'permission'],
  [sandboxRequest, 'permission'],
  ['worker request', 'permission'],
  ['input needed', 'question'],
]);

/** A file without a status is one of a program that is still starting, and says nothing yet. */
export function decodeState(text: string): DecodedState | undefined {
  const { data } = stateFile.safeParse(parseJson(text));
  if (data === undefined) return undefined;
  const paneId = /%\d+$/.exec(data.tmux ?? '')?.[0];
  return {
    pid: data.pid,
    ...defined({ processStart: data.procStart, agentSessionId: data.sessionId, paneId }),
    signal: stateSignal(data),
  };
}

function stateSignal({ status: word, statusUpdatedAt: at, waitingFor: what }: z.infer<typeof stateFile>): AgentSignal {
  const status = statuses.get(word) ?? 'unknown';
  const detail = what === undefined ? word : `${word}: ${what}`;
  const waitingFor = status === 'waiting' ? (waits.get(what ?? '') ?? 'dialog') : undefined;
  return {
    ...{ from: 'agent', kind: 'state', at, status, detail },
    ...defined({ waitingFor }),
    ...(what === sandboxRequest ? { withoutHook: true } : {}),
  };
}
