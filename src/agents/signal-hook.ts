// The hooks of a launch: lines of sh that append what they are told to the worker's signal file.

export interface HookSpec {
  /** Shows in the agent's own records; does nothing. */
  readonly marker: string;
  readonly signalsPath: string;
}

/**
 * The command line of a hook. Each run appends `{"at":<epoch ms>,"payload":<what the hook was told>}`.
 * It says nothing and never fails, whatever becomes of the signal file.
 */
export function signalCommand({ marker, signalsPath }: HookSpec): string {
  return [
    `: ${quoted(marker)}`,
    ...tellTime,
    `{ { printf '{"at":%s,"payload":' "$t"; tr -d '\\r\\n'; printf '}\\n'; } | ${appendTo(signalsPath)}; } 2>/dev/null`,
    'exit 0',
  ].join('; ');
}

export interface AskingHookSpec extends HookSpec {
  /** How this very program is started again. */
  readonly program: readonly string[];
  readonly launchDir: string;
  readonly agent: string;
}

/**
 * The command line of a hook that may answer: our program looks at what is asked, appends the signal and prints the
 * answer. Where that fails the plain signal is appended and nothing is said, so that the agent's own dialog stands.
 */
export function askingCommand({ marker, signalsPath, program, launchDir, agent }: AskingHookSpec): string {
  const words = [...program, 'hook', '--dir', launchDir, '--agent', agent].map(quoted).join(' ');
  return [
    `: ${quoted(marker)}`,
    ...tellTime,
    "p=$(tr -d '\\r\\n')",
    // Options for another Node, such as a debugger's port, would keep this one from its work.
    `printf '%s' "$p" | NODE_OPTIONS= ${words} --at "$t" 2>/dev/null`,
    `[ $? -eq 0 ] || { printf '{"at":%s,"payload":%s}\\n' "$t" "$p" | ${appendTo(signalsPath)}; } 2>/dev/null`,
    'exit 0',
  ].join('; ');
}

// BSD date has no %N and prints the letter.
const tellTime = ['t=$(date +%s%3N)', "case $t in '' | *[!0-9]*) t=$(date +%s)000 ;; esac"];

/** `obs` makes dd gather the whole line and write it at once, so that hooks running side by side do not mix. */
const appendTo = (path: string): string => `dd ibs=65536 obs=67108864 >>${quoted(path)}`;

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
