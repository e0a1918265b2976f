// The terminal's bytes, read as keys and pastes, and the draft that they edit in the prompt box.
import type { ReadStream } from 'node:tty';
import type { Disposer } from '../../model/clock.ts';
import { systemClock } from '../../system/clock.ts';

const names = {
  '\r': 'enter',
  '\n': 'newline',
  '\u007f': 'backspace',
  '\b': 'backspace',
  '\u0003': 'ctrl-c',
  '\u001b[A': 'up',
  '\u001b[B': 'down',
  '\u001b[1~': 'home',
  '\u001b[3~': 'delete',
  '\u001b[4~': 'end',
} as const;

export type KeyName = (typeof names)[keyof typeof names] | 'escape';

export type Key =
  | { readonly kind: 'text' | 'paste'; readonly text: string }
  | { readonly kind: 'key'; readonly name: KeyName };

const known = new Map<string, KeyName>(Object.entries(names));

const parts =
  /\u001b\[200~([\s\S]*?)\u001b\[201~|\u001b(?:\[[0-9;?]*[A-Za-z~]|[^[])|[\u0000-\u001f\u007f]|[^\u0000-\u001f\u007f]+/gu;
/** A paste or a sequence of which the end has not come yet. */
const open = /\u001b(?:\[200~[\s\S]*|\[[0-9;?]*)?$/u;
const ended = /\u001b\[200~[\s\S]*?\u001b\[201~/gu;

/** `rest` is the end of `bytes` whose meaning depends on what comes next. Pure. */
export function readKeys(bytes: string): { readonly keys: readonly Key[]; readonly rest: string } {
  const rest = open.exec(bytes.replace(ended, (paste) => '.'.repeat(paste.length)))?.[0].length ?? 0;
  const whole = bytes.slice(0, bytes.length - rest);
  const keys = [...whole.matchAll(parts)].flatMap(([part, pasted]): readonly Key[] => {
    if (pasted !== undefined) return [{ kind: 'paste', text: pasted }];
    const name = known.get(part);
    if (name !== undefined) return [{ kind: 'key', name }];
    return part >= ' ' ? [{ kind: 'text', text: part }] : [];
  });
  return { keys, rest: bytes.slice(whole.length) };
}

/** An Escape with nothing behind it for this long is the key; before that it may begin a sequence. */
const escapeMs = 30;

/** Calls `onKey` once for each key. */
export function listenToKeys(stdin: ReadStream, onKey: (key: Key) => void): Disposer {
  let rest = '';
  let cancel: Disposer = () => undefined;
  const onData = (chunk: string | Buffer) => {
    cancel();
    const read = readKeys(rest + chunk.toString());
    rest = read.rest;
    for (const key of read.keys) onKey(key);
    if (rest !== '\u001b') return;
    cancel = systemClock.after(escapeMs, () => {
      rest = '';
      onKey({ kind: 'key', name: 'escape' });
    });
  };
  stdin.setEncoding('utf8');
  stdin.setRawMode(true);
  stdin.on('data', onData);
  // A signal also reports that the terminal is gone.
  stdin.on('error', () => undefined);
  return () => {
    cancel();
    stdin.off('data', onData);
    stdin.pause();
    try {
      stdin.setRawMode(false);
    } catch {
      // The terminal is gone.
    }
  };
}

export interface InputDraft {
  readonly text: string;
  /** In UTF-16 units. */
  readonly cursor: number;
  /** Shell mode: the box shows `!` in place of its sign. */
  readonly isShell: boolean;
  /** The pasted texts by the placeholder that the box shows. */
  readonly pasted: ReadonlyMap<string, string>;
}

export const emptyDraft: InputDraft = { text: '', cursor: 0, isShell: false, pasted: new Map() };
export const draftOf = (text: string): InputDraft => ({ ...emptyDraft, text, cursor: text.length });

const longestPaste = 800;
const fewestLineFeeds = 3;

/** The draft after a key; keys that do not edit leave it as it is. */
export function edited(draft: InputDraft, key: Key): InputDraft {
  if (key.kind === 'key') return pressed(draft, key.name);
  const text = key.kind === 'text' ? key.text : cleanPaste(key.text);
  const lineFeeds = text.split('\n').length - 1;
  if (text.length <= longestPaste && lineFeeds < fewestLineFeeds) return inserted(draft, text);
  const placeholder = `[Pasted text #${draft.pasted.size + 1}${lineFeeds > 0 ? ` +${lineFeeds} lines` : ''}]`;
  return { ...inserted(draft, placeholder), pasted: new Map([...draft.pasted, [placeholder, text]]) };
}

const cleanPaste = (raw: string): string =>
  raw
    .replace(/\r\n?/g, '\n')
    .replaceAll('\t', '    ')
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f]/g, '');

function inserted(draft: InputDraft, text: string): InputDraft {
  const { text: old, cursor, isShell } = draft;
  if (old === '' && !isShell && text.startsWith('!')) return inserted({ ...draft, isShell: true }, text.slice(1));
  return { ...draft, text: old.slice(0, cursor) + text + old.slice(cursor), cursor: cursor + text.length };
}

function pressed(draft: InputDraft, name: KeyName): InputDraft {
  const { text, cursor } = draft;
  switch (name) {
    case 'newline':
      return inserted(draft, '\n');
    case 'backspace': {
      if (text === '') return { ...draft, isShell: false };
      const before = [...text.slice(0, cursor)].at(-1)?.length ?? 0;
      return { ...draft, text: text.slice(0, cursor - before) + text.slice(cursor), cursor: cursor - before };
    }
    case 'delete': {
      const after = [...text.slice(cursor)][0]?.length ?? 0;
      return { ...draft, text: text.slice(0, cursor) + text.slice(cursor + after) };
    }
    case 'home':
      return { ...draft, cursor: text.lastIndexOf('\n', cursor - 1) + 1 };
    case 'end':
      return { ...draft, cursor: text.includes('\n', cursor) ? text.indexOf('\n', cursor) : text.length };
    default:
      return draft;
  }
}

/** The draft after Enter behind a backslash, which makes a new line; undefined where Enter sends. */
export function continued(draft: InputDraft): InputDraft | undefined {
  const { text, cursor } = draft;
  if (text[cursor - 1] !== '\\') return undefined;
  return { ...draft, text: `${text.slice(0, cursor - 1)}\n${text.slice(cursor)}` };
}

/** The text as the model gets it: long pastes are marked as content that the user may not have written. */
export function sentText(draft: InputDraft): string {
  let text = draft.text;
  for (const [placeholder, content] of draft.pasted) {
    const id = content.length.toString(16).padStart(4, '0').slice(-4);
    const marked = `\n\n<pasted_content id="${id}">\n${content.trimEnd()}\n</pasted_content id="${id}">\n`;
    text = text.replace(placeholder, () => marked);
  }
  return text.normalize('NFC').trim();
}
