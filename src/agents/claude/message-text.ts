// A message as Claude Code takes it, and the commands it would take for one.
import { normaliseMessage as plainText } from '../plain-message.ts';

/** Claude Code takes these out of every prompt, and asks for a second Enter after some. */
const invisible =
  /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|(?<!\u{1f3f4}[\u{e0020}-\u{e007e}]*)[\u{e0000}-\u{e0fff}]/gu;
/** Joiners do their work between letters of some scripts and between the parts of an emoji; elsewhere they go, too. */
const idleJoiners =
  /(?<!\p{M}|\p{Script=Arabic}|\p{Script=Mongolian}|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)[\u200c\u200d]/gu;

/** The plain text with every line break as LF, without invisible characters, in composed Unicode. */
export function normaliseMessage(text: string): string {
  return plainText(text)
    .replace(/[\u2028\u2029]/g, '\n')
    .replace(invisible, '')
    .replace(idleJoiners, '')
    .normalize('NFC')
    .trim();
}

/** Words that end the program when they are all of a message. */
const exitWords = new Set(['exit', 'quit', ':q', ':q!', ':wq', ':wq!']);

/** The command Claude Code would run, or fail to find, in place of reading `text`; undefined for plain text such as a path. */
export function commandIn(text: string): string | undefined {
  const trimmed = text.trim();
  if (exitWords.has(trimmed)) return trimmed;
  return /^\/(?:[A-Za-z0-9_][\w:-]*)?(?=\s|$)/.exec(trimmed)?.[0];
}
