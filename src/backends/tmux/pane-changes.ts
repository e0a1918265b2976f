// What two looks at the panes mean: who died, who is gone.
import type { PaneInfo, TerminalEvent } from '../terminal.ts';

/** Panes seen so far; a dead one is told once for each process it ran. */
export interface Seen {
  readonly panes: readonly PaneInfo[];
  readonly told: ReadonlySet<string>;
}

export const nothingSeen: Seen = { panes: [], told: new Set() };

const paneKey = ({ ref }: PaneInfo): string => `${ref.serverPid}.${ref.serverStartedAt}${ref.id}`;
const lifeKey = (pane: PaneInfo): string => `${paneKey(pane)}.${pane.pid}`;

/** tmux shows a pane as dead a moment before it knows how the process ended. */
export const isEnding = (pane: PaneInfo): boolean =>
  pane.dead && pane.exitCode === undefined && pane.exitSignal === undefined;

/** `patient` holds back deaths whose exit is not known yet. */
export function comparePanes(
  seen: Seen,
  now: readonly PaneInfo[],
  how: { readonly patient: boolean },
): { readonly seen: Seen; readonly events: readonly TerminalEvent[] } {
  const present = new Set(now.map(paneKey));
  const gone = seen.panes.filter((pane) => !present.has(paneKey(pane)));
  const died = now.filter((pane) => pane.dead && !seen.told.has(lifeKey(pane)) && !(how.patient && isEnding(pane)));
  const lives = new Set(now.map(lifeKey));
  return {
    seen: { panes: now, told: new Set([...seen.told, ...died.map(lifeKey)].filter((key) => lives.has(key))) },
    events: [
      ...died.map((pane): TerminalEvent => ({ kind: 'pane-died', pane })),
      ...gone.map((pane): TerminalEvent => ({ kind: 'pane-gone', ref: pane.ref })),
    ],
  };
}
