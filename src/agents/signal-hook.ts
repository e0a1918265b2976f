// The hooks of a launch, each a line of sh: it appends its payload to the signal file or hands it to our hook program.
import { quoted } from '../model/quote.ts';
import type { LaunchSpec } from './agent.ts';

export interface HookSpec {
  /** Shows in the agent's own records; does nothing. */
  readonly marker: string;
  readonly signalsPath: string;
}

/**
 * The command line of a hook. Each run appends `{"at":<epoch ms>,"payload":<the payload of the hook>}`.
 * It prints nothing and never fails, even when the signal file is gone.
 */
export function signalCommand({ marker, signalsPath }: HookSpec): string {
  return [
    `: ${quoted(marker)}`,
    ...tellTime,
    `{ { printf '{"at":%s,"payload":' "$t"; tr -d '\\r\\n'; printf '}\\n'; } | ${appendTo(signalsPath)}; } 2>/dev/null`,
    'exit 0',
  ].join('; ');
}

/** For a server of tools that never starts; a slow machine's takes over a second. */
const longestAwaitSeconds = 5;

/**
 * Before the first prompt of a launch: waits for the file, which whoever makes it tells through a pipe beside it. The
 * pipe is there at every later prompt, and none of them waits.
 */
export function awaitConnected(path: string): string {
  const [file, gate] = [quoted(path), quoted(`${path}.gate`)];
  const ceiling = `(sleep ${longestAwaitSeconds}; : >${gate}) </dev/null >/dev/null 2>&1 &`;
  const wait = `${ceiling} read -r _ <${gate}; kill $!`;
  return `{ [ -e ${file} ] || { mkfifo -m 600 ${gate} && { [ -e ${file} ] || { ${wait}; }; }; }; } 2>/dev/null`;
}

export interface AskingSpec extends HookSpec {
  /** How this very program is started again. */
  readonly program: readonly string[];
  readonly launchDir: string;
  readonly agent: string;
  /** The MCP server of the worker's own tools, which the worker uses without asking. */
  readonly ownServer?: string;
  /** Our program answers at once for the person that nobody is to ask. */
  readonly isUnasked?: boolean;
}

/**
 * The command line of a hook by which the agent asks: our program looks at the question, appends the signal and prints
 * the answer. Where it fails, the hook appends the plain signal and prints nothing: the agent's own dialog opens.
 */
export function askingCommand(spec: AskingSpec): string {
  return [
    `: ${quoted(spec.marker)}`,
    readPayload,
    ...tellTime,
    askProgram(spec),
    `[ $? -eq 0 ] || { printf '{"at":%s,"payload":%s}\\n' "$t" "$p" | ${appendTo(spec.signalsPath)}; } 2>/dev/null`,
    'exit 0',
  ].join('; ');
}

export interface BeforehandSpec extends AskingSpec {
  readonly tripwire: LaunchSpec['tripwire'];
  /** The output where the program fails. */
  readonly unjudged: string;
  /** The agent's sandbox keeps what this tool does, so that nobody need be asked; `allowed` is the output for it. */
  readonly kept?: { readonly tool: string; readonly allowed: string };
}

/**
 * The command line of a hook before every use of a tool. It starts our program for an act with the words of the
 * tripwire.
 */
export function beforehandCommand(spec: BeforehandSpec): string {
  return [
    `: ${quoted(spec.marker)}`,
    readPayload,
    // The payload names folders of the agent's own before the tool's input.
    `i=\${p#*'"tool_input":'}`,
    ...holdsWords(spec.tripwire),
    ...isKept(spec.kept),
    `[ -n "$look" ] || { [ -z "$kept" ] || printf '%s' ${quoted(spec.kept?.allowed ?? '')}; exit 0; }`,
    ...tellTime,
    askProgram(spec, spec.kept === undefined ? '' : ' ${kept:+--unasked}'),
    `[ $? -eq 0 ] || printf '%s' ${quoted(spec.unjudged)}`,
    'exit 0',
  ].join('; ');
}

/** Sets `look` where `i` contains the words. Each pattern has one word: a pattern of two is slow over a long text. */
function holdsWords(words: LaunchSpec['tripwire']): readonly string[] {
  const find = (some: readonly string[], act: string) =>
    some.length === 0 ? ':' : `case $i in ${some.map((word) => `*${quoted(word)}*`).join('|')}) ${act};; esac`;
  const alone = words.flatMap(([word, ...more]) => (word === undefined || more.length > 0 ? [] : [word]));
  const pairs = words.filter((entry) => entry.length > 1);
  const leads = [...new Set(pairs.flatMap(([lead]) => lead ?? []))];
  const seconds = (lead: string) => pairs.flatMap(([first, second]) => (first === lead ? [second ?? ''] : []));
  return ['look=', find(alone, 'look=1'), ...leads.map((lead) => find([lead], find(seconds(lead), 'look=1')))];
}

/** Sets `kept`, but not for an agent that only plans. What stands before the input is the agent's own. */
function isKept(kept: BeforehandSpec['kept']): readonly string[] {
  if (kept === undefined) return ['kept='];
  const [planning, tool] = ['"permission_mode":"plan"', `"tool_name":"${kept.tool}"`].map(quoted);
  return [`h=\${p%%'"tool_input":'*}`, 'kept=', `case $h in *${planning}*) ;; *${tool}*) kept=1;; esac`];
}

/** `p` keeps the payload in case the program fails. */
const readPayload = `p=$(tr -d '\\r\\n')`;

function askProgram({ program, launchDir, agent, ownServer, isUnasked }: AskingSpec, more = ''): string {
  const own = ownServer === undefined ? [] : ['--own', ownServer];
  const unasked = isUnasked === true ? ['--unasked'] : [];
  const words = [...program, 'hook', '--dir', launchDir, '--agent', agent, ...own, ...unasked].map(quoted).join(' ');
  // Options for another Node, such as a debugger's port, would keep this one from its work.
  return `{ printf '%s' "$p" | NODE_OPTIONS= ${words}${more} --at "$t"; } 2>/dev/null`;
}

// BSD date has no %N and prints the letter.
const tellTime = ['t=$(date +%s%3N)', "case $t in '' | *[!0-9]*) t=$(date +%s)000 ;; esac"];

/**
 * `obs` makes dd gather the whole line and write it at once, so that hooks running side by side do not mix. The file is
 * readable by its owner alone from its first byte, also when somebody has removed it since the launch.
 */
const appendTo = (path: string): string => `(umask 077; dd ibs=65536 obs=67108864 >>${quoted(path)})`;
