// Looks for a message of ours on the screen of an agent of which nothing else tells.
import type { Agent } from '../../agents/agent.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { House } from '../house.ts';
import type { Following } from '../watching/following.ts';
import { paneRef } from '../watching/roster.ts';

const lookEveryMs = 100;

interface Sent {
  readonly house: House;
  readonly record: WorkerRecord;
  readonly following: Following;
  readonly agent: Agent;
}

/** Resolves when the screen of before is known; looks on for as long as the message is awaited. */
export async function watchTaken(sent: Sent, message: { readonly id: string; readonly text: string }): Promise<void> {
  const { house, record, following, agent } = sent;
  const { screenOnly } = agent;
  if (screenOnly === undefined || record.pane === undefined) return;
  const ref = paneRef(record.pane);
  const before = await house.terminal.capture(ref, { colours: true });
  const isAwaited = () =>
    following.state.is !== 'gone' && following.state.facts.sends.some(({ messageId }) => messageId === message.id);
  const look = async () => {
    const after = await house.terminal.capture(ref, { colours: true }).catch(() => before);
    const detail = isAwaited() ? screenOnly.taken({ before, after }, message.text) : undefined;
    const at = house.clock.now();
    if (detail !== undefined) following.apply({ from: 'screen', kind: 'taken', text: message.text, detail, at });
    else next();
  };
  const next = () => {
    if (isAwaited()) house.clock.after(lookEveryMs, () => void look());
  };
  next();
}
