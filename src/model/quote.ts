// Words for a POSIX shell.

/** Between quotes whatever it is, so that no shell finds anything in it. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** As a person would write it: quoted only where it must be to stay one plain word. */
export const quote = (text: string): string => (/^[\w./:@%+,^-][\w./:=@%+,^-]*$/.test(text) ? text : quoted(text));
