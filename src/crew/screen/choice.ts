// Which of a dialog's choices is meant, and whether a dialog is still the same one.
import type { Dialog } from '../../model/turn.ts';

export type Choice =
  | { readonly found: number }
  | { readonly found: 'none' | 'several'; readonly labels: readonly string[] };

const plain = (label: string): string => label.normalize('NFC').replace(/\s+/gu, ' ').trim();
const loose = (label: string): string => plain(label).toLowerCase();

/** By the whole label; else by its letters whatever their case; else by how it begins, when only one begins so. */
export function findChoice(options: readonly string[], wanted: string): Choice {
  if (plain(wanted) === '') return { found: 'none', labels: options };
  const fits: readonly ((label: string) => boolean)[] = [
    (label) => plain(label) === plain(wanted),
    (label) => loose(label) === loose(wanted),
    (label) => loose(label).startsWith(loose(wanted)),
  ];
  for (const isMeant of fits) {
    const found = options.flatMap((label, i) => (isMeant(label) ? [i] : []));
    const [only, ...others] = found;
    if (only === undefined) continue;
    if (others.length === 0) return { found: only };
    return { found: 'several', labels: found.flatMap((i) => options[i] ?? []) };
  }
  return { found: 'none', labels: options };
}

/** Cursor and ticks may move; title, words and choices stay. What stands below the choices tells of keys and may change. */
export function isSameDialog(a: Dialog, b: Dialog): boolean {
  const isEqual = a.waitingFor === b.waitingFor && a.title === b.title && isSameList(a.options, b.options);
  return isEqual && wordsOf(a) === wordsOf(b);
}

const isSameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((label, i) => label === b[i]);

/** Whether it is the dialog of this title with these choices, blanks aside. */
export const hasLabels = (dialog: Dialog, title: string, labels: readonly string[]): boolean =>
  dialog.title === title && isSameList(dialog.options.map(plain), labels.map(plain));

const cursors = /^\s*[❯›>]|\[[ ✔✓xX]\]|\s/gmu;

function wordsOf({ text, options }: Dialog): string {
  const words = text.replace(cursors, '');
  const last = options.at(-1)?.replace(cursors, '') ?? '';
  const end = words.lastIndexOf(last);
  return last === '' || end < 0 ? words : words.slice(0, end);
}
