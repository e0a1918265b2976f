// Where the next pane goes.
import type { PaneInfo, PaneRequest } from '../terminal.ts';

export type PanePlace =
  | { readonly is: 'split'; readonly windowId: string }
  | { readonly is: 'window'; readonly sessionId: string }
  | { readonly is: 'tmux-session' };

const panesPerWindow = 4;

/** Decides over every pane of the server; `crowded` names windows that refused another pane. */
export function place(
  panes: readonly PaneInfo[],
  request: Pick<PaneRequest, 'session' | 'placement'>,
  crowded: ReadonlySet<string> = new Set(),
): PanePlace {
  const ours = panes.filter((pane) => pane.session === request.session);
  const first = ours[0];
  if (first === undefined) return { is: 'tmux-session' };
  const windowId = [...windowsOf(ours)]
    .filter(([id, members]) => !crowded.has(id) && takes(members, request.placement))
    .map(([id]) => id)
    .sort(byNumber)
    .at(-1);
  return windowId === undefined ? { is: 'window', sessionId: first.sessionId } : { is: 'split', windowId };
}

function takes(members: readonly PaneInfo[], placement: PaneRequest['placement']): boolean {
  if (members.length >= panesPerWindow) return false;
  // A window in which a person has opened a pane is theirs to arrange.
  if (members.some((pane) => pane.marks.birth === undefined)) return false;
  return placement === 'fill' || members.some((pane) => pane.marks.batch === placement.batch);
}

function windowsOf(panes: readonly PaneInfo[]): ReadonlyMap<string, readonly PaneInfo[]> {
  const windows = new Map<string, PaneInfo[]>();
  for (const pane of panes) windows.set(pane.windowId, [...(windows.get(pane.windowId) ?? []), pane]);
  return windows;
}

const byNumber = (a: string, b: string): number => Number(a.slice(1)) - Number(b.slice(1));

/** A name that tmux takes as it is: characters that tmux reads as part of a target become `_`. */
export const tmuxSessionName = (text: string): string =>
  text.replace(/[^\p{L}\p{N}_-]/gu, '_').replace(/^-/, '_') || '_';
