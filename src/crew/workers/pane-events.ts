// Turns the terminal's events of panes into signals of the workers in them.
import type { TerminalEvent } from '../../backends/terminal.ts';
import type { Disposer } from '../../model/clock.ts';
import type { PaneRecord, WorkerRecord } from '../../model/worker.ts';
import { tryUntil } from '../../system/pace.ts';
import { type CrewContext, hasPane } from './crew-context.ts';
import type { Following } from './following.ts';
import { exitOf, lookForVerdicts, noteUnseen, noteVerdict } from './pane-facts.ts';

type End = Exclude<TerminalEvent, { kind: 'pane-moved' | 'board-resized' | 'unlisted' }>;

export function watchPanes(context: CrewContext): Disposer {
  return context.terminal.watch((event) => {
    if (event.kind === 'pane-moved' || event.kind === 'board-resized') return;
    if (event.kind === 'unlisted') return noteUnlisted(context, event.why);
    for (const following of context.roster.all()) {
      const record = context.log.records().get(following.workerId);
      const end = record?.pane === undefined ? 'none' : endOf(record.pane, event);
      if (end === 'its') following.apply({ from: 'pane', kind: 'gone', at: context.clock.now(), ...endIn(event) });
      else if (end === 'unsure' && record !== undefined) void lookForDeath(context, record, following);
    }
  });
}

function noteUnlisted({ roster, log, tmux, clock }: CrewContext, why: string): void {
  for (const following of roster.all()) {
    if (log.records().get(following.workerId)?.pane?.socket === tmux.socket)
      noteUnseen(following, `its pane could not be listed: ${why}`, clock.now());
  }
}

/**
 * Whether the end is this worker's. A pane outlives its programs: the event of a death may come after the restart,
 * and a person may have started another program there. Pure.
 */
export function endOf(pane: PaneRecord, event: End): 'its' | 'unsure' | 'none' {
  const ref = event.kind === 'pane-died' ? event.pane.ref : event.ref;
  if (!hasPane({ pane }, ref)) return 'none';
  const isCertain = event.kind === 'pane-gone' ? event.unanswered !== true : event.pane.pid === pane.pid;
  return isCertain ? 'its' : 'unsure';
}

const endIn = (event: End) => (event.kind === 'pane-died' ? exitOf(event.pane) : { detail: 'its pane was closed' });

/** A server that has just ended answers no more, and its process may still be there. */
const looks = { tries: 5, pauseMs: 60 };

/** For a worker that may have died before crewmux followed it: then no event comes. */
export async function lookForDeath(context: CrewContext, record: WorkerRecord, following: Following): Promise<void> {
  const look = async () => (await lookForVerdicts(context, [record]))(record);
  noteVerdict(following, await tryUntil(look, ({ is }) => is !== 'unknown', looks), context.clock.now());
}
