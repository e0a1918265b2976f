// The contract of a terminal: its verbs and one feed.

import type { Disposer } from '../model/clock.ts';
import type { KeyAct } from '../model/crew-keys.ts';
import type { Keystroke } from '../model/keystroke.ts';

/** A pane for all time: a restarted server hands out the same `id` again. */
export interface PaneRef {
  readonly socket: string;
  readonly serverPid: number;
  /** Epoch seconds, as tmux reports it. */
  readonly serverStartedAt: number;
  /** `%12` */
  readonly id: string;
}

export interface PaneInfo {
  readonly ref: PaneRef;
  /** Name and exact id, `$3`. */
  readonly session: string;
  readonly sessionId: string;
  /** `@7` */
  readonly windowId: string;
  readonly pid: number;
  readonly command: string;
  readonly cwd: string;
  readonly dead: boolean;
  readonly exitCode?: number;
  readonly exitSignal?: string;
  /** A person scrolls or selects in the pane; keys would go to that mode. */
  readonly inMode: boolean;
  /** Epoch seconds, rounded down: when anything was last written in its window. */
  readonly activeAt?: number;
  readonly width: number;
  readonly height: number;
  /** The `@crewmux_*` options of the pane, without the prefix. */
  readonly marks: Readonly<Record<string, string>>;
}

export interface PaneRequest {
  /** One tmux session a crew; made when it is missing. */
  readonly session: string;
  readonly cwd: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** `fill` shares the crew's newest window up to four panes; a string names a window id to share or `new`. */
  readonly placement: 'fill' | { readonly batch: string };
  readonly label: PaneLabel;
  /** Written on the pane as `@crewmux_<key>` before the agent starts. */
  readonly marks: Readonly<Record<string, string>>;
}

export interface PaneLabel {
  readonly name: string;
  readonly annotation: string;
  readonly status: string;
  /** A tmux colour of the terminal's own, `colour4`. */
  readonly colour: string;
  /** The worker needs a person: its window is marked. */
  readonly alarm?: boolean;
}

/** Whether a terminal of this kind can be used on this machine. */
export interface TerminalHealth {
  /** As the program reports it; '' when it does not run. */
  readonly version: string;
  /** Why it does not run. */
  readonly missing?: string;
  readonly isSupported: boolean;
  /** Commands need no process of their own. */
  readonly isFast: boolean;
}

export type TerminalEvent =
  | { readonly kind: 'pane-died'; readonly pane: PaneInfo }
  /** Its program may have written since the look before; panes that share its window raise this event, too. */
  | { readonly kind: 'pane-moved'; readonly ref: PaneRef }
  /** Panes we knew are no longer there; `unanswered` where the server that had them did not say so itself. */
  | { readonly kind: 'pane-gone'; readonly ref: PaneRef; readonly unanswered?: true }
  /** The panes could not be listed; raised at each look that failed. */
  | { readonly kind: 'unlisted'; readonly why: string }
  /** A board has another size than at the look before. */
  | { readonly kind: 'board-resized' };

/** What the board of a tmux session can show, and the keys that lead a person to its panes. */
export interface BoardPlace {
  readonly columns: number;
  readonly rows: number;
  /** By the id of the pane. */
  readonly keys: ReadonlyMap<string, string>;
  /** The keys that lead to the board. */
  readonly back: string;
  /** Those of a person's acts; an act that has none is not there. */
  readonly acts: ReadonlyMap<KeyAct, string>;
}

/** Every pane of a server at one moment. */
export interface PaneList {
  readonly panes: readonly PaneInfo[];
  /** The server that answered; undefined where none runs at the socket. */
  readonly server: Pick<PaneRef, 'serverPid' | 'serverStartedAt'> | undefined;
}

export interface PaneLook {
  readonly screen: string;
  /** One line; the terminal's own choice where the program gave none. */
  readonly title: string;
}

/**
 * Runs `work` while no other crewmux process attaches to the server, leaves it, or opens or ends anything there. Not
 * re-entrant.
 *
 * tmux up to 3.6a crashes, and every crew with it, when it has news for a control client that is just attaching, when
 * the last windows of a session end in one step while a control client is there, and when a pane ends that is being fed.
 */
export type Alone = <T>(work: () => Promise<T>) => Promise<T>;

/** Exclusive input to one pane, for as long as its holder types. */
export interface PaneKeyboard {
  /** As the terminal's own. */
  deliver(keystrokes: readonly Keystroke[]): Promise<void>;
  /** No other key can have reached the pane since the holder took the keyboard. */
  isAlone(): boolean;
}

export interface Terminal {
  /** The pane runs `argv` itself, no shell between. Rejects with `tmux_failed` and leaves nothing behind. */
  open(request: PaneRequest): Promise<PaneInfo>;
  /** Every pane of our server; an empty list when the server is not running. Throws when tmux's answer is of no use. */
  list(): Promise<readonly PaneInfo[]>;
  /** As `list`, with the server that gave it: a server whose socket is gone gives none, and its panes live on. */
  listWithServer(): Promise<PaneList>;
  /** Performs keystrokes in order; rejects with `delivery` saying whether anything was typed. */
  deliver(ref: PaneRef, keystrokes: readonly Keystroke[]): Promise<void>;
  /**
   * While `work` runs, where the terminal can do that, nothing a person presses reaches the pane: it is dropped. Should
   * the process end, the keyboard comes back by itself.
   */
  withKeyboard<T>(ref: PaneRef, work: (keyboard: PaneKeyboard) => Promise<T>): Promise<T>;
  /** The visible text, or the last `lines` of the history; with colours when asked. */
  capture(ref: PaneRef, options?: { readonly lines?: number; readonly colours?: boolean }): Promise<string>;
  /** The visible text with its colours, and the title its program gave the pane, of one moment. */
  look(ref: PaneRef): Promise<PaneLook>;
  /** Rewrites border text and marks; cheap, may be called at every change. */
  label(ref: PaneRef, label: PaneLabel, marks?: Readonly<Record<string, string>>): Promise<void>;
  /** Removes the pane; ends what runs in it. A pane that is gone already is fine. */
  close(ref: PaneRef): Promise<void>;
  /** Starts a new process in a dead pane, in place. */
  respawn(ref: PaneRef, request: Pick<PaneRequest, 'argv' | 'env' | 'cwd' | 'marks' | 'label'>): Promise<PaneInfo>;
  /** Shows a text, colours included, on the board of a tmux session that has panes; nothing where it has no board. */
  draw(
    tmuxSession: string,
    board: { readonly text: (place: BoardPlace) => string; readonly bell: boolean },
  ): Promise<void>;
  watch(listen: (event: TerminalEvent) => void): Disposer;
  /** The command line with which a person looks at the pane. */
  attachCommand(tmuxSession: string): string;
  /** Lets go of the server; panes and their agents go on. */
  dispose(): Promise<void>;
}
