// Which tmux this is, read from `tmux -V`.

export type TmuxVersion =
  | { readonly is: 'release'; readonly major: number; readonly minor: number }
  /** A build without a number of its own, such as `tmux master`; taken to be new. */
  | { readonly is: 'unnumbered'; readonly text: string };

/** Reads `tmux 3.3a`, `tmux next-3.6` or `tmux openbsd-7.4`; undefined for what is not tmux. */
export function readVersion(text: string): TmuxVersion | undefined {
  const word = /^tmux (\S+)\s*$/.exec(text)?.[1];
  if (word === undefined) return undefined;
  const numbers = /^(?:next-)?(\d+)\.(\d+)/.exec(word);
  if (numbers === null) return { is: 'unnumbered', text: word };
  return { is: 'release', major: Number(numbers[1]), minor: Number(numbers[2]) };
}

/** Below this, panes cannot be given an environment. */
export const isSupported = (version: TmuxVersion): boolean => isAtLeast(version, 3, 0);

/** Whether a client can be kept in control mode without taking part in sizes and output. */
export const canKeepClient = (version: TmuxVersion): boolean => isAtLeast(version, 3, 2);

/** Whether the server does something later by itself, and so gives a keyboard back that we took. */
export const canHoldKeys = (version: TmuxVersion): boolean => isAtLeast(version, 3, 2);

/** Whether a command can run in a box above the panes. */
export const hasPopups = (version: TmuxVersion): boolean => isAtLeast(version, 3, 2);

const isAtLeast = (version: TmuxVersion, major: number, minor: number): boolean =>
  version.is === 'unnumbered' || version.major > major || (version.major === major && version.minor >= minor);
