// Looks for a message of ours on the screen of an agent of which nothing else tells.
import type { Agent } from '../../agents/agent.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { Following } from '../workers/following.ts';
import type { CrewContext } from '../workers/roster.ts';
import { paneRef } from '../workers/roster.ts';

const lookEveryMs = 100;

interface Sent {
  readonly context: CrewContext;
  readonly record: WorkerRecord;
  readonly following: Following;
  readonly agent: Agent;
}

/** Resolves when the screen of before is known; looks on for as long as the message is awaited. */
export async function watchTaken(sent: Sent, message: { readonly id: string; readonly text: string }): Promise<void> {
  const { context, record, following, agent } = sent;
  const { screenOnly } = agent;
  if (screenOnly === undefined || record.pane === undefined) return;
  const ref = paneRef(record.pane);
  const before = await context.terminal.capture(ref, { colours: true });
  const isAwaited = () =>
    following.state.is !== 'gone' && following.state.facts.sends.some(({ messageId }) => messageId === message.id);
  const look = async () => {
    const after = await context.terminal.capture(ref, { colours: true }).catch(() => before);
    const detail = isAwaited() ? screenOnly.taken({ before, after }, message.text) : undefined;
    const at = context.clock.now();
    if (detail !== undefined) following.apply({ from: 'screen', kind: 'taken', text: message.text, detail, at });
    else next();
  };
  const next = () => {
    if (isAwaited()) context.clock.after(lookEveryMs, () => void look());
  };
  next();
}
