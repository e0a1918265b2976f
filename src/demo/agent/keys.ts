// The terminal's bytes, read as keys and pastes.

export type Key =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'paste'; readonly text: string }
  | { readonly kind: 'key'; readonly name: KeyName };

export type KeyName =
  | 'enter'
  | 'newline'
  | 'escape'
  | 'backspace'
  | 'delete'
  | 'left'
  | 'right'
  | 'up'
  | 'down'
  | 'home'
  | 'end'
  | 'tab'
  | 'ctrl-c'
  | 'ctrl-d'
  | 'ctrl-u';

export interface Read {
  readonly keys: readonly Key[];
  /** Bytes whose meaning depends on what comes next. */
  readonly rest: string;
}

const pasteStart = '\u001b[200~';
const pasteEnd = '\u001b[201~';

const sequences = new Map<string, KeyName>([
  ['\u001b[A', 'up'],
  ['\u001b[B', 'down'],
  ['\u001b[C', 'right'],
  ['\u001b[D', 'left'],
  ['\u001bOA', 'up'],
  ['\u001bOB', 'down'],
  ['\u001bOC', 'right'],
  ['\u001bOD', 'left'],
  ['\u001b[H', 'home'],
  ['\u001b[1~', 'home'],
  ['\u001bOH', 'home'],
  ['\u001b[F', 'end'],
  ['\u001b[4~', 'end'],
  ['\u001bOF', 'end'],
  ['\u001b[3~', 'delete'],
]);

const controls = new Map<string, KeyName>([
  ['\r', 'enter'],
  ['\n', 'newline'],
  ['\t', 'tab'],
  ['\u007f', 'backspace'],
  ['\b', 'backspace'],
  ['\u0003', 'ctrl-c'],
  ['\u0004', 'ctrl-d'],
  ['\u0015', 'ctrl-u'],
]);

const sequence = /^\u001b(?:\[[0-9;?]*[A-Za-z~]|O[A-Za-z]|[^[O])/u;
const openSequence = /^\u001b(?:\[[0-9;?]*|O)?$/;

/** Pure: `bytes` are what was left before with what came now. A lone Escape stays in the rest until its time is up. */
export function readKeys(bytes: string): Read {
  const keys: Key[] = [];
  let text = '';
  const endText = () => {
    if (text !== '') keys.push({ kind: 'text', text });
    text = '';
  };
  let left = bytes;
  while (left !== '') {
    if (left.startsWith(pasteStart)) {
      const end = left.indexOf(pasteEnd);
      if (end < 0) break;
      endText();
      keys.push({ kind: 'paste', text: left.slice(pasteStart.length, end) });
      left = left.slice(end + pasteEnd.length);
      continue;
    }
    const first = left[0] ?? '';
    if (first === '\u001b') {
      const found = sequence.exec(left)?.[0];
      if (found === undefined && openSequence.test(left)) break;
      endText();
      const name = sequences.get(found ?? '');
      if (name !== undefined) keys.push({ kind: 'key', name });
      left = left.slice(found?.length ?? 1);
      continue;
    }
    const control = controls.get(first);
    if (control !== undefined) {
      endText();
      keys.push({ kind: 'key', name: control });
    } else if (first >= ' ') text += first;
    left = left.slice(1);
  }
  endText();
  return { keys, rest: left };
}

export const escapeKey: Key = { kind: 'key', name: 'escape' };
