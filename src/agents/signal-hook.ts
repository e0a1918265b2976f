// The hook: a line of sh that appends what it is told to the worker's signal file.

/**
 * The command line of a hook. Each run appends `{"at":<epoch ms>,"payload":<what the hook was told>}`.
 * It says nothing and never fails, whatever becomes of the signal file.
 */
export function signalCommand({ marker, signalsPath }: { marker: string; signalsPath: string }): string {
  // `obs` makes dd gather the whole line and write it at once, so that hooks running side by side do not mix.
  const gather = 'dd ibs=65536 obs=67108864';
  return [
    `: ${quoted(marker)}`,
    // BSD date has no %N and prints the letter.
    't=$(date +%s%3N)',
    "case $t in '' | *[!0-9]*) t=$(date +%s)000 ;; esac",
    `{ { printf '{"at":%s,"payload":' "$t"; tr -d '\\r\\n'; printf '}\\n'; } | ${gather} >>${quoted(signalsPath)}; } 2>/dev/null`,
    'exit 0',
  ].join('; ');
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
