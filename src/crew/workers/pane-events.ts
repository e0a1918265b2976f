// Turns the terminal's events of panes into signals of the workers in them.
import type { TerminalEvent } from '../../backends/terminal.ts';
import type { Disposer } from '../../model/clock.ts';
import type { PaneRecord, WorkerRecord } from '../../model/worker.ts';
import type { CrewContext } from './crew-context.ts';
import type { Following } from './following.ts';

type End = Exclude<TerminalEvent, { kind: 'pane-moved' | 'board-resized' | 'unlisted' }>;

export function watchPanes(context: CrewContext): Disposer {
  return context.terminal.watch((event) => {
    if (event.kind === 'pane-moved' || event.kind === 'board-resized' || event.kind === 'unlisted') return;
    for (const following of context.roster.all()) {
      const record = context.log.records().get(following.workerId);
      const end = record?.pane === undefined ? 'none' : endOf(record.pane, event);
      if (end === 'its')
        following.apply({ from: 'pane', kind: 'gone', at: context.clock.now(), detail: detailOf(event) });
      else if (end === 'unsure' && record !== undefined) void lookForDeath(context, record, following);
    }
  });
}

/**
 * Whether the end is this worker's. A pane outlives its programs: the event of a death may come after the restart,
 * and a person may have started another program there. Pure.
 */
export function endOf(pane: PaneRecord, event: End): 'its' | 'unsure' | 'none' {
  const ref = event.kind === 'pane-died' ? event.pane.ref : event.ref;
  const isSamePane =
    pane.paneId === ref.id && pane.serverPid === ref.serverPid && pane.serverStartedAt === ref.serverStartedAt;
  if (!isSamePane) return 'none';
  return event.kind === 'pane-gone' || event.pane.pid === pane.pid ? 'its' : 'unsure';
}

const detailOf = (event: End): string => (event.kind === 'pane-died' ? exitDetail(event.pane) : 'its pane was closed');

/** For a worker that may have died before crewmux followed it: then no event comes. */
export async function lookForDeath(context: CrewContext, record: WorkerRecord, following: Following): Promise<void> {
  const panes = await context.terminal.list().catch(() => undefined);
  const pane = panes?.find(({ ref }) => ref.id === record.pane?.paneId && ref.serverPid === record.pane.serverPid);
  if (panes === undefined || (pane !== undefined && !pane.dead)) return;
  const detail = pane === undefined ? 'its pane is gone' : exitDetail(pane);
  following.apply({ from: 'pane', kind: 'gone', at: context.clock.now(), detail });
}

export function exitDetail(pane: { readonly exitCode?: number; readonly exitSignal?: string }): string {
  if (pane.exitSignal !== undefined) return `ended by signal ${pane.exitSignal}`;
  return pane.exitCode === undefined ? 'ended' : `exit code ${pane.exitCode}`;
}
