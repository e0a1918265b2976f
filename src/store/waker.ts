// How a server wakes its manager's idle session: a hook of Claude Code waits at a named pipe, and is told to end.
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { readText, writeAtomic } from '../system/atomic.ts';
import { hasCode } from '../system/disk.ts';

/** Holds a pipe for each waiter, named `<pid of its Claude Code>-<its own pid>`. */
export const bellsIn = (home: string): string => join(home, 'bells');

/** Writes the program that the hook runs; every hook of this home runs the newest. */
export async function keepWaiter(home: string): Promise<void> {
  const path = join(home, 'waiter.sh');
  if ((await readText(path)) !== waiterScript) await writeAtomic(path, waiterScript);
}

/** Whether a session of Claude Code has a waiter. */
export const hasWaiter = (home: string, claudePid: number): boolean => bellsOf(home, claudePid).length > 0;

/** Has the waiter tell what is untold; false where none lives. Never blocks. */
export function ring(home: string, claudePid: number): boolean {
  return bellsOf(home, claudePid).map(ringOne).includes(true);
}

function bellsOf(home: string, claudePid: number): readonly string[] {
  try {
    const names = readdirSync(bellsIn(home)).filter((name) => new RegExp(`^${claudePid}-\\d+$`).test(name));
    return names
      .map((name) => join(bellsIn(home), name))
      .filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isFIFO() === true);
  } catch {
    return [];
  }
}

function ringOne(path: string): boolean {
  let bell: number;
  try {
    bell = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    // Nobody reads it: its waiter was killed together with what cleans up after it.
    if (hasCode(error, 'ENXIO')) rmSync(path, { force: true });
    return false;
  }
  try {
    if (!fstatSync(bell).isFIFO()) return false;
    writeSync(bell, 'ring\n');
    return true;
  } catch {
    return false;
  } finally {
    closeSync(bell);
  }
}

/**
 * Exits with 2 and the news of the session's untold file on stderr, as a hook with `asyncRewake` does to begin a turn; with 0 where a newer
 * waiter of the same session takes over, or the session is gone. It is `read` that waits, so nothing runs meanwhile
 * but a look at the session every five seconds, which no event tells of.
 */
export const waiterScript = String.raw`# Waits for what needs this session of Claude Code. Kept by crewmux, whose server writes it anew.
umask 077
claude=${'${CLAUDE_PID:-$PPID}'}
case $claude in *[!0-9]*) exit 0 ;; esac
untold=$1/untold/$claude
bell=$1/bells/$claude-$$
every=${'${2:-5}'}
newest=$1/untold/$claude.waiter
watch=

leave() {
  rm -f "$bell" "$bell.new" "$bell.said"
  [ -z "$watch" ] || kill "$watch" 2>/dev/null
  exit "$1"
}
trap 'leave 0' HUP INT TERM

# The file has the name of the news and its server, a line for another hook, and the news.
tell() {
  [ -s "$untold" ] || return 1
  {
    read -r news server && IFS= read -r other && kill -0 "$server" || return 1
    shown=
    [ ! -s "$untold.shown" ] || read -r shown <"$untold.shown"
    [ "$shown" != "$news" ] || return 1
    printf '%s\n' "$news" >"$untold.shown"
    while IFS= read -r line; do printf '%s\n' "$line"; done >&2
  } <"$untold"
}

mkdir -p "$1/bells" "$1/untold" || exit 0
rm -f "$bell" "$bell.new"
mkfifo "$bell.new" || exit 0
# Open for both, so that neither side waits for the other.
exec 3<>"$bell.new"

# Ends with the session, also where Claude Code was killed; and when this waiter was. No bell hangs without it.
(
  exec <&- >/dev/null 2>&1
  pause=
  trap '[ -z "$pause" ] || kill "$pause"; exit 0' HUP INT TERM
  while kill -0 "$claude" && kill -0 $$; do
    sleep "$every" 3>&- &
    pause=$!
    wait "$pause"
  done
  rm -f "$bell" "$bell.new"
  echo gone >&3
) &
watch=$!
mv "$bell.new" "$bell" || leave 0

# Of several that begin at once the last to say so stays: it finds the bell of each that said so before, and tells it.
echo $$ >"$bell.said" && mv "$bell.said" "$newest" || leave 0
for other in "$1/bells/$claude"-*; do
  [ "$other" != "$bell" ] && [ -p "$other" ] || continue
  echo over 1<>"$other"
  # It went just then, and the shell has made a file of its name.
  [ -p "$other" ] || rm -f "$other"
done

while read -r word <&3; do
  case $word in
    ring) tell && leave 2 ;;
    over)
      last=
      [ ! -s "$newest" ] || read -r last <"$newest"
      [ "$last" = $$ ] || leave 0
      ;;
    gone) leave 0 ;;
  esac
done
leave 0
`;
