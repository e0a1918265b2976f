// What a git command line asks for, past the options that stand before it.
import { literal, type Word } from './script.ts';

export interface GitCall {
  readonly verb: string;
  readonly args: readonly Word[];
  /** Folders by `-C`, one upon the other. */
  readonly folders: readonly Word[];
  /** Names another repository or tree than that of the folder. */
  readonly isElsewhere: boolean;
  /** Options before the verb that make git run or read something else. */
  readonly odd: readonly string[];
}

const valued = /^(-C|-c|--git-dir|--work-tree|--namespace|--exec-path|--super-prefix|--config-env|--attr-source)$/;

/** Undefined where the verb is known only when it runs. */
export function gitOf(words: readonly Word[]): GitCall | undefined {
  const folders: Word[] = [];
  const odd: string[] = [];
  let isElsewhere = false;
  let at = 1;
  for (; at < words.length; at++) {
    const text = literal(words[at]);
    if (text === undefined) return undefined;
    if (!text.startsWith('-')) break;
    const value = words[at + 1];
    if (text === '-C' && value !== undefined) folders.push(value);
    if (/^(-c|--config-env|--exec-path)/.test(text))
      odd.push(/^--\w/.test(text) ? text.replace(/=.*$/s, '') : `${text} ${literal(value) ?? ''}`);
    if (/^--(git-dir|work-tree)/.test(text)) isElsewhere = true;
    if (valued.test(text)) at++;
  }
  return { verb: literal(words[at]) ?? '', args: words.slice(at + 1), folders, isElsewhere, odd };
}
