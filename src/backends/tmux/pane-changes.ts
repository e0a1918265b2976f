// The difference between two looks at the panes: which died, which are gone.
import type { PaneInfo, PaneList, TerminalEvent } from '../terminal.ts';

/** Panes seen so far; each process of a pane has one event for its death. */
export interface SeenPanes {
  /** When; 0 before the first look. */
  readonly at: number;
  readonly panes: readonly PaneInfo[];
  readonly reported: ReadonlySet<string>;
  /** When a pane was first seen dead without a known exit, by process. */
  readonly ending: ReadonlyMap<string, number>;
}

type PaneEvent = Exclude<TerminalEvent, { kind: 'board-resized' | 'unlisted' }>;

export const nothingSeen: SeenPanes = { at: 0, panes: [], reported: new Set(), ending: new Map() };

// tmux shows a pane as dead when its terminal closes, and learns how the process ended when it has ended.
const patienceMs = 1000;

const paneKey = ({ ref }: PaneInfo): string => `${ref.serverPid}.${ref.serverStartedAt}${ref.id}`;
const lifeKey = (pane: PaneInfo): string => `${paneKey(pane)}.${pane.pid}`;
const hasExit = (pane: PaneInfo): boolean => pane.exitCode !== undefined || pane.exitSignal !== undefined;

/** tmux does not know yet how its process ended. */
export const isEnding = (pane: PaneInfo): boolean => pane.dead && !hasExit(pane);

const unanswered = { unanswered: true } as const;
const isFrom = (server: PaneList['server'], ref: PaneInfo['ref']): boolean =>
  server?.serverPid === ref.serverPid && server.serverStartedAt === ref.serverStartedAt;

/** Reports a death when its exit is known, or has stayed unknown for a while. */
export function comparePanes(
  seen: SeenPanes,
  { panes, server }: PaneList,
  at: number,
): { readonly seen: SeenPanes; readonly events: readonly PaneEvent[] } {
  const present = new Set(panes.map(paneKey));
  const gone = seen.panes.filter((pane) => !present.has(paneKey(pane)));
  const unreported = panes.filter((pane) => pane.dead && !seen.reported.has(lifeKey(pane)));
  const since = (pane: PaneInfo): number => seen.ending.get(lifeKey(pane)) ?? at;
  const died = unreported.filter((pane) => hasExit(pane) || at - since(pane) >= patienceMs);
  // The second of the look before may have gone on after it.
  const hasMoved = ({ dead, activeAt }: PaneInfo) =>
    !dead && activeAt !== undefined && seen.at > 0 && activeAt >= Math.floor(seen.at / 1000);
  const lives = new Set(panes.map(lifeKey));
  return {
    seen: {
      at,
      panes,
      reported: new Set([...seen.reported, ...died.map(lifeKey)].filter((key) => lives.has(key))),
      ending: new Map(unreported.filter((pane) => !died.includes(pane)).map((pane) => [lifeKey(pane), since(pane)])),
    },
    events: [
      ...died.map((pane): PaneEvent => ({ kind: 'pane-died', pane })),
      ...gone.map(({ ref }): PaneEvent => ({ kind: 'pane-gone', ref, ...(isFrom(server, ref) ? {} : unanswered) })),
      ...panes.filter(hasMoved).map((pane): PaneEvent => ({ kind: 'pane-moved', ref: pane.ref })),
    ],
  };
}

/** Counts panes as seen before any look has shown them. */
export function expectPanes(seen: SeenPanes, panes: readonly PaneInfo[]): SeenPanes {
  const known = new Set(seen.panes.map(paneKey));
  return { ...seen, panes: [...seen.panes, ...panes.filter((pane) => !known.has(paneKey(pane)))] };
}
