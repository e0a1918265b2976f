// A dialog in words: its title once, without the rows of its choices and of its keys, which have a place of their own. Pure.
import type { Dialog } from '../../model/turn.ts';

const marks = /^[\s❯›>]*(?:\d+\.\s+)?(?:\[[ ✔✓xX]\]\s+)?/u;
/** The key of a choice, behind its label. */
const key = /\s*(?:✔|\((?:\w|esc)\))$/u;
const keys = /^\s*(?:press )?(?:enter|esc|space|tab)\b.*(?: to |·|\|)/i;

export function dialogWords({ title, text, options }: Dialog): string {
  const choices = new Set(options.map((label) => label.replace(key, '')));
  const isChoice = (line: string) => marks.exec(line)?.[0] !== '' && choices.has(bare(line));
  const seen = new Set<string>();
  const kept = [title, ...text.split('\n')].filter((line) => {
    const words = line.trim();
    if (words === '') return true;
    if (isChoice(line) || choices.has(words) || keys.test(line) || seen.has(words)) return false;
    seen.add(words);
    return true;
  });
  return kept
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

const bare = (line: string): string => line.replace(marks, '').replace(key, '').trim();
