// Which tmux server is meant, and the flags every call to it carries.

export interface Address {
  /** A socket name for `-L`, or an absolute path for `-S`. */
  readonly socket: string;
  /** The whole environment of every tmux process we start; a server we start is born with it. */
  readonly env: Readonly<Record<string, string>>;
}

// -u: without it tmux replaces what is not ASCII where the locale is not UTF-8.
// -f: a person's own configuration may start programs or undo what we rely on.
export const serverFlags = (socket: string): readonly string[] => [
  '-u',
  '-f',
  '/dev/null',
  socket.startsWith('/') ? '-S' : '-L',
  socket,
];

/** The environment for our tmux processes: a process inside another tmux would act on that one. */
export function tmuxEnvironment(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { TMUX: _server, TMUX_PANE: _pane, ...rest } = env;
  return rest;
}
