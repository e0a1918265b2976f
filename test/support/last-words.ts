// What a program that ends at once has just written, the kernel may drop before the terminal has read it.
import { quote } from '../../src/model/quote.ts';

/** Shell that says a line and goes on when the terminal has drawn it: it answers where its cursor is. */
export const lastWords = (line: string): string =>
  `stty -echo -icanon; printf '%s\\n\\033[6n' ${quote(line)}; dd bs=1 count=1 >/dev/null 2>&1`;
