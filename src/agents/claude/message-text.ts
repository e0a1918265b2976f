// What a text becomes before Claude Code sees it.

/** Control characters other than line feed and tab; a terminal would act on them. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Line ends as LF, control characters dropped, outer blank trimmed. */
export function normaliseMessage(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd').replace(/\r\n?/g, '\n').replace(controls, '').trim();
}

/** Words that end the program when they are all of a message. */
const exitWords = new Set(['exit', 'quit', ':q', ':q!', ':wq', ':wq!']);

/** The command Claude Code would run in place of reading `text`; undefined for plain text such as a path. */
export function commandIn(text: string): string | undefined {
  const trimmed = text.trim();
  if (exitWords.has(trimmed)) return trimmed;
  return /^\/[A-Za-z0-9_][\w:-]*(?=\s|$)/.exec(trimmed)?.[0];
}
