// A tmux command, what came of it, and how words survive tmux's own parsers.

/** One tmux command, word by word. */
export type Command = readonly [name: string, ...words: string[]];

export type Reply =
  | { readonly is: 'done'; readonly output: string }
  /** tmux refused the command; commands after the refused one did not run. */
  | { readonly is: 'refused'; readonly words: string }
  /** No server is running, so nothing was done. */
  | { readonly is: 'absent' }
  /** The answer never came; the command may have run. */
  | { readonly is: 'lost'; readonly words: string };

/** Runs commands in order as one list: a refusal ends it. */
export type Ask = (commands: readonly Command[], options?: AskOptions) => Promise<Reply>;

export interface AskOptions {
  /** Harmless when it runs twice, so a lost answer is a reason to ask again. */
  readonly repeatable?: boolean;
  /** Makes tmux send news to its control clients; see `Alone`. */
  readonly alone?: boolean;
  /** The PATH a new pane searches for its program. */
  readonly path?: string;
}

// A bare `%if` or its like would be a directive.
const plain = /^(?:%\d+|[A-Za-z0-9_@.,:/+-]+)$/;

/** A word for tmux's command language, on one line; tmux reads back exactly `text`, which has no NUL. */
export function quoteWord(text: string): string {
  if (plain.test(text)) return text;
  return `"${text.replace(/[\\"$~]|[\x01-\x1f\x7f]/g, octal)}"`;
}

const octal = (character: string): string => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`;

/** The command as one line of tmux's command language. */
export const commandLine = (command: Command): string => command.map(quoteWord).join(' ');

export const listLine = (commands: readonly Command[]): string => commands.map(commandLine).join(' ; ');

/** Arguments of a `tmux` process; a `;` at the end of a word would otherwise end the command. */
export function listArguments(commands: readonly Command[]): readonly string[] {
  return commands.flatMap((command, at) => [...(at === 0 ? [] : [';']), ...command.map(keepSemicolon)]);
}

const keepSemicolon = (word: string): string => (word.endsWith(';') ? `${word.slice(0, -1)}\\;` : word);

/** Runs `commands` only where the format `condition` is true of pane `paneId`, else the command `otherwise`. */
export const onlyIf = (only: {
  readonly paneId: string;
  readonly condition: string;
  readonly commands: readonly Command[];
  readonly otherwise: Command;
}): Command => [
  'if-shell',
  '-F',
  '-t',
  only.paneId,
  only.condition,
  listLine(only.commands),
  commandLine(only.otherwise),
];
