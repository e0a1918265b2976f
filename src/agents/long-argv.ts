// A command line with words too long for tmux: a file holds it, and the shell that reads it becomes the agent.
import { join } from 'node:path';
import { CrewError } from '../model/errors.ts';
import { quoted } from '../model/quote.ts';

export interface WrittenFile {
  readonly path: string;
  readonly content: string;
  /** Somebody runs it. */
  readonly isProgram?: true;
}

/** tmux takes a command line of some 16 KB, its own words and the environment included. */
const longestWordBytes = 4_000;
const longestLineBytes = 9_000;
/** Linux takes no single argument of 128 KiB or more. */
const longestArgumentBytes = 120_000;

export interface ShortArgv {
  readonly argv: readonly string[];
  readonly files: readonly WrittenFile[];
}

/** The same words for the program in either case; NUL, which no argument can hold, is the caller's to keep out. */
export function shortArgv(argv: readonly string[], launchDir: string): ShortArgv {
  const sizes = argv.map((word) => Buffer.byteLength(word));
  const longest = Math.max(...sizes);
  if (longest > longestArgumentBytes) throw tooLong(longest);
  const fits = longest <= longestWordBytes && sizes.reduce((sum, size) => sum + size, 0) <= longestLineBytes;
  if (fits) return { argv, files: [] };
  const path = join(launchDir, 'start.sh');
  return { argv: ['sh', path], files: [{ path, content: `exec ${argv.map(quoted).join(' ')}\n` }] };
}

const tooLong = (bytes: number): CrewError =>
  new CrewError(
    'invalid_argument',
    `An argument of the agent has ${bytes} bytes; one can have ${longestArgumentBytes}.`,
    'Write the long part to a file in the project and name the file in the prompt.',
  );
