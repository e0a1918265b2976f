// The language tmux speaks to a control-mode client, read as it arrives.

export type ControlItem =
  /** A command of ours starts to run. */
  | { readonly kind: 'begun' }
  | { readonly kind: 'reply'; readonly ok: boolean; readonly lines: readonly string[] }
  | { readonly kind: 'exit'; readonly reason: string }
  | { readonly kind: 'notice'; readonly name: string }
  /** The framing no longer fits; nothing after this line can be matched to a command. */
  | { readonly kind: 'broken'; readonly line: string };

interface OpenBlock {
  /** Time, number and flags; they come again at the end of the block. */
  readonly stamp: string;
  readonly isOurs: boolean;
  readonly lines: string[];
}

const guard = /^%(begin|end|error) (\d+ \d+ (\d+))$/;

/** Returns a reader that takes chunks cut anywhere and yields what they complete. */
export function controlReader(): (chunk: string) => readonly ControlItem[] {
  let rest = '';
  let open: OpenBlock | undefined;
  const readLine = (line: string): ControlItem | undefined => {
    const mark = guard.exec(line);
    const stamp = mark?.[2] ?? '';
    if (open !== undefined) {
      if (mark === null || mark[1] === 'begin' || stamp !== open.stamp) {
        open.lines.push(line);
        return undefined;
      }
      const { isOurs, lines } = open;
      open = undefined;
      return isOurs ? { kind: 'reply', ok: mark[1] === 'end', lines } : undefined;
    }
    if (mark === null) return outsideBlock(line);
    if (mark[1] !== 'begin') return { kind: 'broken', line };
    // Blocks without the flag belong to hooks and to the attaching itself.
    open = { stamp, isOurs: mark[3] === '1', lines: [] };
    return open.isOurs ? { kind: 'begun' } : undefined;
  };
  return (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    return lines.map(readLine).filter((item) => item !== undefined);
  };
}

function outsideBlock(line: string): ControlItem {
  const [word = '', ...others] = line.split(' ');
  const name = word.startsWith('%') ? word.slice(1) : '';
  if (name === 'exit') return { kind: 'exit', reason: others.join(' ') };
  return { kind: 'notice', name };
}
