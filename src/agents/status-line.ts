// The command that an agent hands its figures to, whenever they change, so that it draws a line of the pane.
import type { StatusLineUsage } from '../model/usage.ts';

/** One for each of the settings that say which command that is. */
export interface StatusTexts {
  readonly user: string;
  readonly project: string;
  readonly local: string;
}

/** The texts of the settings; '' for a file that is not there. */
export interface StatusOrder extends StatusTexts {
  /** The file that always holds the newest figures whole; it lies in the folder of the launch. */
  readonly path: string;
}

export interface StatusLine {
  /** Where the settings lie: the user's by its path, the others below the folder of the worker. */
  filesFor(at: { readonly env: Readonly<Record<string, string>> }): StatusTexts;
  /** Never throws; undefined for a text that holds no figures. */
  decode(text: string): StatusLineUsage | undefined;
}
