// The world of one command line; what lies in rooms that a word does not see is handed in.

import type { Examiner } from '../crew/api.ts';
import type { Disposer } from '../model/clock.ts';
import type { PaneRecord } from '../model/worker.ts';
import type { OrderOutcome, ToolOrder } from '../store/orders.ts';
import type { WorkshopView } from '../work/api.ts';

/** How a person is shown a pane. */
export interface Showing {
  readonly readOnly: boolean;
  /** The tmux session as it stands. */
  readonly whole: boolean;
}

export interface LineTyping {
  /** The terminal alone shows what is typed, without a cursor that moves. */
  readonly isPlain: boolean;
}

/** A person at a terminal. */
export interface Person {
  /** The next key pressed; '' once the input has ended. */
  readonly key: () => Promise<string>;
  /** The line typed after the question; undefined where they leave it, and once the input has ended. */
  readonly line: (question: string, how?: LineTyping) => Promise<string | undefined>;
  /** Drops what was typed until now. */
  readonly forget: () => Promise<void>;
}

/** The whole terminal of a person. */
export interface PersonScreen {
  readonly size: () => { readonly columns: number; readonly rows: number };
  readonly onResize: (listen: () => void) => Disposer;
  /** Resolves when the person has had enough, or the process is to end. */
  readonly left: () => Promise<void>;
  /** What is typed, unseen by the terminal; '' once the input has ended, or the process is to end. */
  readonly onKeys: (listen: (typed: string) => void) => Disposer;
  /** Another program has the terminal meanwhile, and C-c is for that alone. */
  readonly lend: <T>(act: () => Promise<T>) => Promise<T>;
}

export interface KeepOrder {
  readonly does: 'keep' | 'keep-in-pane' | 'stop';
}

/** An order on workers that no server manages, or on what files alone hold. */
export interface Visit {
  /** Ids. */
  readonly workers: readonly string[];
  readonly order: ToolOrder;
  /** Hears how far it is. */
  readonly tell: (says: string) => void;
}

export interface CommandWorld {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
  readonly cwd: string;
  readonly pid: number;
  /** The file of this program. */
  readonly program: string;
  /** The words that start it. */
  readonly self: readonly string[];
  readonly version: string;
  /** `write` and `complain` return the exit code that goes with them. */
  readonly write: (text: string) => number;
  readonly complain: (text: string) => number;
  /** Resolves once nobody reads any more what is written. */
  readonly unread: () => Promise<void>;
  /** Resolves to whether the person says yes; undefined where there is no terminal. */
  readonly ask?: (question: string) => Promise<boolean>;
  /** Undefined where there is no terminal. */
  readonly person?: Person;
  /** Columns of the terminal that is written to; undefined where it is none. */
  readonly columns?: number;
  /** Undefined where there is no terminal, or one that is dumb. */
  readonly screen?: PersonScreen;
  /** The crew and its jobs as they are, to be disposed of. */
  readonly look: () => Promise<WorkshopView>;
  readonly visit: (visit: Visit) => Promise<OrderOutcome>;
  /** Gives the terminal to tmux until the person leaves; resolves to an exit code. */
  readonly attach: (pane: PaneRecord, how: Showing) => Promise<number>;
  readonly examiner: (project: string, home: string) => Promise<Examiner>;
  /** The project, and the main repository where that is another folder. */
  readonly projectFolders: (project: string) => Promise<readonly string[]>;
  /** The local branches of the repository that a folder lies in; none outside of one. */
  readonly branches: (folder: string) => Promise<readonly string[]>;
  /** The top of the checkout that a folder lies in; undefined outside of one. */
  readonly checkoutTop: (folder: string) => Promise<string | undefined>;
  /** What led a branch from one commit to another; rejects where one of them is gone. */
  readonly between: (
    repo: string,
    commits: { readonly from: string; readonly to: string },
  ) => Promise<Readonly<Record<'added' | 'removed' | 'files', readonly string[]>>>;
  /** The names of the set variables that workers get, with those that the settings pass on. */
  readonly workerVariables: (passes: readonly string[]) => Promise<readonly string[]>;
  /** Each SKILL.md of the plugin by its name. */
  readonly commandTexts: () => Promise<Readonly<Record<string, string>>>;
  /** The plugin's hooks.json. */
  readonly pluginHooks: () => Promise<string>;
  /** Whether git leaves the file out of commits; so it does where there is no repository. */
  readonly isIgnored: (folder: string, file: string) => Promise<boolean>;
  /** Resolves to an exit code when the project is kept no more. */
  readonly keep: (order: KeepOrder) => Promise<number>;
  readonly playDemo: (how: { readonly keep: boolean; readonly stay: boolean }) => Promise<number>;
}

/** An agent runs the word, in a worker's pane. */
export const isWorkers = ({ env }: Pick<CommandWorld, 'env'>): boolean => (env.CREWMUX_WORKER ?? '') !== '';

/** It lies on what the person goes to. tmux tells a pane which one it is, and a popup nothing. */
export const isPopup = ({ TMUX, TMUX_PANE }: CommandWorld['env']): boolean =>
  TMUX !== undefined && TMUX_PANE === undefined;

/** A terminal of which nothing but lines is known. */
export const isDumb = ({ TERM }: CommandWorld['env']): boolean => TERM === 'dumb';
