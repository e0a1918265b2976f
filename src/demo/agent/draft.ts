// The prompt box's text and cursor.
import type { Key, KeyName } from './keys.ts';

export interface Draft {
  readonly text: string;
  /** In UTF-16 units. */
  readonly cursor: number;
  /** Shell mode: the box shows `!` in place of its sign. */
  readonly isShell: boolean;
  /** What the placeholders in the text stand for, by placeholder. */
  readonly pasted: ReadonlyMap<string, string>;
}

export const emptyDraft: Draft = { text: '', cursor: 0, isShell: false, pasted: new Map() };
export const draftOf = (text: string): Draft => ({ ...emptyDraft, text, cursor: text.length });

const longestPaste = 800;
const fewestLineFeeds = 3;

/** The draft after a key that edits it; other keys leave it as it is. */
export function edited(draft: Draft, key: Key): Draft {
  if (key.kind === 'paste') return pasted(draft, key.text);
  if (key.kind === 'text') return key.text.length > longestPaste ? wrapped(draft, key.text) : inserted(draft, key.text);
  return pressed(draft, key.name);
}

function pasted(draft: Draft, raw: string): Draft {
  const text = raw
    .replace(/\r\n?/g, '\n')
    .replaceAll('\t', '    ')
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f]/g, '');
  const lineFeeds = text.split('\n').length - 1;
  return text.length > longestPaste || lineFeeds >= fewestLineFeeds ? wrapped(draft, text) : inserted(draft, text);
}

function wrapped(draft: Draft, text: string): Draft {
  const lineFeeds = text.split('\n').length - 1;
  const placeholder = `[Pasted text #${draft.pasted.size + 1}${lineFeeds > 0 ? ` +${lineFeeds} lines` : ''}]`;
  return { ...inserted(draft, placeholder), pasted: new Map([...draft.pasted, [placeholder, text]]) };
}

function inserted(draft: Draft, text: string): Draft {
  if (draft.text === '' && !draft.isShell && text.startsWith('!'))
    return inserted({ ...draft, isShell: true }, text.slice(1));
  const { text: old, cursor } = draft;
  return { ...draft, text: old.slice(0, cursor) + text + old.slice(cursor), cursor: cursor + text.length };
}

function pressed(draft: Draft, name: KeyName): Draft {
  const { text, cursor } = draft;
  const before = charBefore(text, cursor);
  const after = charAfter(text, cursor);
  switch (name) {
    case 'newline':
      return inserted(draft, '\n');
    case 'backspace':
      if (text === '') return { ...draft, isShell: false };
      return { ...draft, text: text.slice(0, cursor - before) + text.slice(cursor), cursor: cursor - before };
    case 'delete':
      return { ...draft, text: text.slice(0, cursor) + text.slice(cursor + after) };
    case 'left':
      return { ...draft, cursor: cursor - before };
    case 'right':
      return { ...draft, cursor: cursor + after };
    case 'home':
      return { ...draft, cursor: lineStart(text, cursor) };
    case 'end':
      return { ...draft, cursor: lineEnd(text, cursor) };
    case 'ctrl-u': {
      const start = lineStart(text, cursor);
      return { ...draft, text: text.slice(0, start) + text.slice(cursor), cursor: start };
    }
    default:
      return draft;
  }
}

const charBefore = (text: string, at: number): number => [...text.slice(0, at)].at(-1)?.length ?? 0;
const charAfter = (text: string, at: number): number => [...text.slice(at)][0]?.length ?? 0;
const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;
const lineEnd = (text: string, at: number): number => {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
};

/** After C-c: the text goes, shell mode stays. */
export const cleared = (draft: Draft): Draft => ({ ...emptyDraft, isShell: draft.isShell });

/** Enter behind a backslash makes a new line of it; anywhere else it is sent, and this is undefined. */
export function continued(draft: Draft): Draft | undefined {
  const { text, cursor } = draft;
  if (text[cursor - 1] !== '\\') return undefined;
  return { ...draft, text: `${text.slice(0, cursor - 1)}\n${text.slice(cursor)}` };
}

/** The text as the model gets it: long pastes stand apart, marked as content the user may not have written. */
export function sentText(draft: Draft): string {
  let text = draft.text;
  for (const [placeholder, content] of draft.pasted) text = text.replace(placeholder, () => marked(content));
  return text.normalize('NFC').trim();
}

const marked = (content: string): string => {
  const id = content.length.toString(16).padStart(4, '0').slice(-4);
  return `\n\n<pasted_content id="${id}">\n${content.trimEnd()}\n</pasted_content id="${id}">\n`;
};
