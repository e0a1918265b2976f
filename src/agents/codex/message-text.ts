// What a text becomes before Codex sees it, and which texts it would take for something else.

/** Control characters other than line feed and tab; Codex drops some, a terminal would act on the rest. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Line ends as LF, control characters dropped, outer blank trimmed. */
export const normaliseMessage = (text: string): string =>
  text
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/\r\n?/g, '\n')
    .replace(controls, '')
    .trim();

/**
 * A leading `!` would run the rest in a shell and a leading `/` a command of its own; a trailing `@word` opens a list
 * of files that takes the Enter. A blank disarms either, and Codex trims it away.
 */
export const disarmed = (text: string): string =>
  `${/^[!/]/.test(text) ? ' ' : ''}${text}${/(?:^|\s)@\S*$/.test(text) ? ' ' : ''}`;
