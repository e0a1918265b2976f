// The reading of an agent's screen, and how much of a worker's state only the screen shows.
import type { Dialog } from '../model/turn.ts';

/** A screen as the agent's own reader understands it. */
export interface ScreenReading {
  readonly dialog?: Dialog;
  /** The text in the prompt box: '' when it is empty, undefined when no box is in sight. */
  readonly draft?: string;
  /** The end of the text in a prompt box that is taller than the screen. */
  readonly draftEnd?: string;
  /** The prompt box is there for good: no splash that a dialog may still replace. */
  readonly ready?: boolean;
  /** Messages that wait for the end of the turn, as far as the screen shows them. */
  readonly queued?: readonly string[];
  /** Programs it has left running behind its turns, as far as the screen counts them. */
  readonly background?: number;
  /** The reason why the running turn cannot go on, in the agent's own words. */
  readonly trouble?: string;
  /** The words that say that a turn runs. */
  readonly busy?: string;
  /** The screen without a person's draft: it changes whenever the agent does anything. */
  readonly frame?: string;
}

/** How much only the screen shows. The rest is in the agent's transcript, hooks and state file. */
export type OnScreen =
  /** The dialogs of its start. */
  | { readonly tells: 'start' }
  /** Also that the agent is ready, that a dialog was answered, and which messages it has queued. */
  | { readonly tells: 'dialogs' }
  /** Everything, also when a turn begins and ends. */
  | OnlyScreen;

export interface OnlyScreen {
  readonly tells: 'turns';
  /** How long the screen must stand still before a prompt in sight counts as the end of a turn. */
  readonly quietMs: number;
  /** How two screens show that a text was taken from the prompt; undefined when they do not. */
  taken(screens: { readonly before: string; readonly after: string }, text: string): string | undefined;
}
