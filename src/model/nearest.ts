// Guesses which known word a misspelt one meant.

/** The known word with the fewest edits to `word`, when few enough to be a slip; else undefined. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const limit = Math.max(2, Math.floor(word.length / 3));
  const ranked = known
    .map((candidate) => ({ candidate, edits: edits(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits);
  const best = ranked[0];
  if (best !== undefined && best.edits <= limit) return best.candidate;
  return known.find((candidate) => contains(candidate, word) || contains(word, candidate));
}

const contains = (whole: string, part: string) => part.length >= 4 && whole.toLowerCase().includes(part.toLowerCase());

/** Levenshtein's distance, one row at a time. */
export function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
