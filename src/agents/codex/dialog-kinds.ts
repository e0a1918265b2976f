// Which dialog it is, by the words Codex itself puts on it.
import type { WaitingFor } from '../../model/turn.ts';

/** The first that fits counts; where the words stand in a dialog is always its head. */
const kinds: readonly (readonly [RegExp, WaitingFor])[] = [
  [/^Would you like to (run|make|grant|send)\b|^Do you want to approve\b|^Allow .* to run tool\b/m, 'permission'],
  [/^Update available\b/m, 'update'],
  [/^Folder access\b|Trust this folder\?|^Do you trust\b/m, 'trust'],
  [/^Approaching rate limits\b|^Usage limit reached\b/m, 'limit'],
  [/^Welcome to Codex\b|^Sign in with ChatGPT\b|\bSign in with ChatGPT$/m, 'login'],
];

const headLines = 8;

export function dialogKind(lines: readonly string[]): WaitingFor {
  const head = lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, headLines)
    .join('\n');
  return kinds.find(([words]) => words.test(head))?.[1] ?? 'dialog';
}
