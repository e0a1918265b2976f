// Which texts Codex would take for something else.

/**
 * A leading `!` would run the rest in a shell and a leading `/` a command of its own; a trailing `@word` opens a list
 * of files that takes the Enter. A blank disarms either, and Codex trims it away.
 */
export const disarmed = (text: string): string =>
  `${/^[!/]/.test(text) ? ' ' : ''}${text}${/(?:^|\s)@\S*$/.test(text) ? ' ' : ''}`;
