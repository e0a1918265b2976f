// The input of a tool, short enough for a list. Pure.

const longestText = 1_500;
const mostItems = 20;
const deepest = 4;

/** The same input with its long texts and lists cut. */
export function shortInput(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return cut(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= deepest) return '…';
  if (Array.isArray(value)) return value.slice(0, mostItems).map((item) => shortInput(item, depth + 1));
  const entries = Object.entries(value).slice(0, mostItems);
  return Object.fromEntries(entries.map(([name, held]) => [name, shortInput(held, depth + 1)]));
}

/** The beginning of a long text, with its length. */
export function cut(text: string): string {
  if (text.length <= longestText) return text;
  const kept = text.slice(0, longestText).replace(/[\uD800-\uDBFF]$/, '');
  return `${kept}… [${text.length} characters in all]`;
}
