// Where the values of a JSON text lie, so that one of them changes and every other byte stays. For text that parses.

export interface JsonSpan {
  readonly start: number;
  /** Behind its last character. */
  readonly end: number;
  /** Of an object, in order. */
  readonly members?: readonly { readonly key: string; readonly value: JsonSpan }[];
  /** Of a list. */
  readonly items?: readonly JsonSpan[];
}

interface Token {
  readonly text: string;
  readonly start: number;
}

export function spansOf(json: string): JsonSpan {
  const tokens: Token[] = [...json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]|[^\s{}[\]:,"]+/g)].map(({ 0: text, index }) => ({
    text,
    start: index,
  }));
  let next = 0;
  const take = (): Token => {
    const token = tokens[next] ?? { text: '}', start: json.length };
    next += 1;
    return token;
  };
  const isAt = (text: string) => next >= tokens.length || tokens[next]?.text === text;
  const value = (): JsonSpan => {
    const { text, start } = take();
    const close = () => {
      const last = take();
      return last.start + last.text.length;
    };
    if (text === '{') {
      const members: { key: string; value: JsonSpan }[] = [];
      while (!isAt('}')) members.push({ key: String(JSON.parse(take().text)), value: value() });
      return { start, end: close(), members };
    }
    if (text !== '[') return { start, end: start + text.length };
    const items: JsonSpan[] = [];
    while (!isAt(']')) items.push(value());
    return { start, end: close(), items };
  };
  return value();
}

/** The last of several counts, as for every reader of JSON. */
export const memberOf = ({ members = [] }: JsonSpan, name: string): JsonSpan | undefined =>
  members.findLast(({ key }) => key === name)?.value;

export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Edits that take items out of a list and put others behind those that stay, each as text. */
export function listEdits(
  list: JsonSpan,
  isDropped: (index: number) => boolean,
  added: readonly string[],
): readonly Edit[] {
  const items = list.items ?? [];
  const kept = items.findLast((_, index) => !isDropped(index));
  const firstKept = items.find((_, index) => !isDropped(index));
  const drops = items.flatMap((item, index): Edit[] => {
    if (!isDropped(index)) return [];
    const isBefore = firstKept !== undefined && item.start < firstKept.start;
    // The comma goes with what is taken out: the one behind it where nothing before it stays.
    const [start, end] = isBefore
      ? [item.start, items[index + 1]?.start ?? item.end]
      : [items[index - 1]?.end ?? item.start, item.end];
    return [{ start, end, text: '' }];
  });
  if (added.length === 0) return drops;
  const at = kept?.end ?? list.start + 1;
  const text = kept === undefined ? added.join(',') : added.map((one) => `,${one}`).join('');
  return [...drops, { start: at, end: at, text }];
}

export function edited(json: string, edits: readonly Edit[]): string {
  let text = json;
  // What is put in stands before what is taken out behind it.
  for (const { start, end, text: put } of edits.toSorted((a, b) => b.start - a.start || b.end - a.end))
    text = text.slice(0, start) + put + text.slice(end);
  return text;
}
