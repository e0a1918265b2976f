// The terminal: what was said scrolls away above, a few rows at the bottom are drawn anew.
import type { WriteStream } from 'node:tty';

export interface Screen {
  readonly columns: number;
  /** Puts rows above the bottom for good, and the bottom below them. */
  draw(said: readonly string[], bottom: readonly string[]): void;
  /** Empties the screen and what was scrolled away. */
  wipe(): void;
  /** Gives the terminal back as it was. */
  close(): void;
}

const csi = '\u001b[';
const open = `${csi}?2004h${csi}?25l${csi}?7l`;
const shut = `${csi}?2004l${csi}?25h${csi}?7h`;
const plain = `${csi}0m`;

export function openScreen(out: WriteStream): Screen {
  let height = 0;
  out.write(open);
  return {
    get columns() {
      return Math.max(out.columns || 80, 20);
    },
    draw(said, bottom) {
      const fitting = bottom.slice(-Math.max((out.rows || 24) - 1, 1));
      const up = height > 1 ? `${csi}${height - 1}A` : '';
      const above = said.map((row) => `${row}${plain}\r\n`).join('');
      const below = fitting.map((row) => `${row}${plain}`).join('\r\n');
      height = fitting.length;
      // One write, so that nobody looks at half of it.
      out.write(`\r${up}${csi}J${above}${below}`);
    },
    wipe() {
      height = 0;
      out.write(`${csi}2J${csi}3J${csi}H`);
    },
    close: () => void out.write(`\r\n${shut}`),
  };
}
