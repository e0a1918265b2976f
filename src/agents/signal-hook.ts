// The hooks of a launch, each a line of sh: what they are told goes into the signal file, and some of it to our program.
import { join } from 'node:path';
import { quoted } from '../model/shell/quote.ts';

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

export interface AskingSpec extends HookSpec {
  /** How this very program is started again. */
  readonly program: readonly string[];
  readonly launchDir: string;
  readonly agent: string;
  /** The MCP server of the worker's own tools, which nobody is asked about. */
  readonly ownServer?: string;
}

/**
 * The command line of a hook by which the agent asks: our program looks at the question, appends the signal and prints
 * the answer. Where that fails the plain signal is appended and nothing is said, so that the agent's own dialog stands.
 */
export function askingCommand(spec: AskingSpec): string {
  return [
    `: ${quoted(spec.marker)}`,
    ...tellTime,
    askProgram(spec),
    `[ $? -eq 0 ] || { printf '{"at":%s,"payload":%s}\\n' "$t" "$p" | ${appendTo(spec.signalsPath)}; } 2>/dev/null`,
    'exit 0',
  ].join('; ');
}

/**
 * The command line of a hook before every use of a tool. It does nothing until the worker's rules are to hold for all
 * its acts; from then on an act that cannot be judged is answered with the words in `unjudged`.
 */
export function beforehandCommand(spec: AskingSpec, unjudged: string): string {
  const strict = join(spec.launchDir, '..', '..', 'strict');
  return [
    `: ${quoted(spec.marker)}`,
    // An agent may take it amiss when nobody reads what it tells.
    `[ -e ${quoted(strict)} ] || exec cat >/dev/null`,
    ...tellTime,
    askProgram(spec),
    `[ $? -eq 0 ] || printf '%s' ${quoted(unjudged)}`,
    'exit 0',
  ].join('; ');
}

/** What the hook was told is kept in `p`, for the case that the program fails. */
function askProgram({ program, launchDir, agent, ownServer }: AskingSpec): string {
  const own = ownServer === undefined ? [] : ['--own', ownServer];
  const words = [...program, 'hook', '--dir', launchDir, '--agent', agent, ...own].map(quoted).join(' ');
  // Options for another Node, such as a debugger's port, would keep this one from its work.
  return `p=$(tr -d '\\r\\n'); { printf '%s' "$p" | NODE_OPTIONS= ${words} --at "$t"; } 2>/dev/null`;
}

// BSD date has no %N and prints the letter.
const tellTime = ['t=$(date +%s%3N)', "case $t in '' | *[!0-9]*) t=$(date +%s)000 ;; esac"];

/**
 * `obs` makes dd gather the whole line and write it at once, so that hooks running side by side do not mix. The file is
 * its owner's alone from its first byte, also where somebody has removed it since the launch.
 */
const appendTo = (path: string): string => `(umask 077; dd ibs=65536 obs=67108864 >>${quoted(path)})`;
