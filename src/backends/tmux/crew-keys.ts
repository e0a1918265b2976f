// Keys of the crew's own tmux server, after its prefix. Pure.
import { chosenKeys, type KeyAct, type KeyChoice, keyActs } from '../../model/crew-keys.ts';
import { quoted } from '../../model/quote.ts';
import type { Command } from './command.ts';

export interface KeyPlan {
  readonly choice: KeyChoice;
  /** The words that start this program. */
  readonly program: readonly string[];
  readonly hasPopups: boolean;
}

/** A popup belongs to its person's client: whatever they type goes there, and nobody waits for it. */
export function keyCommands(plan: KeyPlan): readonly Command[] {
  return chosenKeys(plan.choice).map(([key, act]) => {
    const { help, command } = acts[act];
    return ['bind-key', ...(plan.hasPopups ? ['-N', help] : []), key, ...command(plan)];
  });
}

/** The key that answers, where one does. */
export const answerKeyOf = (choice: KeyChoice): string | undefined =>
  chosenKeys(choice).find(([, act]) => act === 'answer')?.[0];

const mark = '@crewmux_bound';

/** For boards, which other programs draw: what was bound, at the server itself. */
export const keysFact = `#{${mark}}`;

export const keepKeys = (choice: KeyChoice): Command => [
  'set-option',
  '-gq',
  mark,
  chosenKeys(choice)
    .map(([key, act]) => `${act}=${key}`)
    .join(' '),
];

/** From what `keysFact` says, with the prefix before each; the first of an act counts. */
export const keptKeys = (words: readonly string[], prefix: string): ReadonlyMap<KeyAct, string> =>
  new Map(
    keyActs.flatMap((act) => {
      const found = words.find((word) => word.startsWith(`${act}=`));
      return found === undefined ? [] : [[act, `${prefix} ${found.slice(act.length + 1)}`] as const];
    }),
  );

interface Act {
  readonly help: string;
  readonly command: (plan: KeyPlan) => readonly string[];
}

const acts: Readonly<Record<KeyAct, Act>> = {
  answer: {
    help: 'answer what waits for you',
    command: (plan) => boxed(`${toProject}; ${words(plan)} answer; ${untilEnter}`, plan),
  },
  next: {
    help: 'the next worker that needs somebody',
    command: (plan) => ['run-shell', '-b', keyProgram(plan, `next ${where}`)],
  },
  workers: {
    help: 'a menu of all workers',
    // tmux waits in the person's own client, so that no process of ours is there while the menu is open.
    command: (plan) =>
      plan.hasPopups
        ? ['run-shell', keyProgram(plan, `menu ${where} ${menuPlace}`), ';', 'source-file', '-qF', menuFile]
        : boxed(pickByNumber(plan), plan),
  },
  spawn: {
    help: 'a new worker on a task that you type',
    command: (plan) => boxed(`${toProject}; ${asked('A task for a new worker', `${words(plan)} spawn --`)}`, plan),
  },
  message: { help: "a message to this pane's worker", command: (plan) => boxed(ofWorker(plan, writeTo(plan)), plan) },
  log: {
    help: "the log of this pane's worker",
    command: (plan) => boxed(ofWorker(plan, paged(plan, 'logs', '+G')), plan),
  },
  diff: {
    help: "the diff of this pane's worker",
    command: (plan) => boxed(ofWorker(plan, paged(plan, 'diff', '')), plan),
  },
  board: {
    help: 'the board with a cursor: land, close, answer, read',
    command: (plan) => boxed(`${toProject}; ${words(plan)} board`, plan),
  },
  help: {
    help: 'these keys',
    command: (plan) => boxed(`printf '%s\\n' ${helpLines(plan).map(quoted).join(' ')}; ${untilEnter}`, plan),
  },
};

const words = ({ program }: KeyPlan): string => program.map(quoted).join(' ');

/** tmux puts the ids in, and would read a `#` of our own words; of an exit code it would make a screen of its own. */
const keyProgram = (plan: KeyPlan, args: string): string =>
  `${words(plan).replaceAll('#', '##')} crew-key ${args} > /dev/null 2>&1 || :`;

const where = "'#{socket_path}' '#{session_id}' '#{pane_id}'";

/** Beside the socket, where nobody else writes; one for each client. */
const menuFile = '#{socket_path}.menu-#{client_pid}';
const menuPlace = `'${menuFile}' '#{client_width}' '#{client_height}' 0`;

/** A menu in a window of its own, for a tmux whose menu cannot be read from a file. */
const pickByNumber = (plan: KeyPlan): string =>
  [
    `${words(plan)} crew-key list "\${TMUX%%,*}" "$(tmux display-message -p '#{session_id}')"`,
    "printf '\\n%s ' 'The number of a worker; Enter closes this.'; read -r n",
    'if [ -n "$n" ]; then tmux select-window -t "%$n" \\; select-pane -t "%$n"; fi',
  ].join('; ');

const untilEnter = `printf '\\n%s ' 'Enter closes this.'; read -r _`;

/** tmux tells a popup its tmux session alone, and would take the one that anybody used last. */
const here = '-t "\\$${TMUX##*,}:"';

/** What waits is asked for in a project; each worker's pane knows its own. */
const toProject = `cd -- "$(tmux list-panes -s ${here} -F '#{@crewmux_project}' | grep -m 1 /)" || { ${untilEnter}; exit; }`;

/** `then` has the worker's id in `$worker`, and its name in `$name`. */
function ofWorker(plan: KeyPlan, then: string): string {
  // In a window of its own, the pane that is meant is in the window before.
  const pane = plan.hasPopups ? here : "-t ':!'";
  return [
    `worker=$(tmux display-message -p ${pane} '#{@crewmux_worker}')`,
    `name=$(tmux display-message -p ${pane} '#{@crewmux_name}')`,
    `if [ -z "$worker" ]; then echo 'No worker runs in this pane.'; ${untilEnter}; else ${then}; fi`,
  ].join('; ');
}

/** Without the terminal as its input: at its end node would set it as it found it, and the pager has made it raw. */
const paged = (plan: KeyPlan, word: 'logs' | 'diff', start: string): string =>
  [
    `if command -v less > /dev/null; then ${words(plan)} ${word} "$worker" < /dev/null 2>&1 | less -R ${start}`.trimEnd(),
    `else ${words(plan)} ${word} "$worker" < /dev/null 2>&1 | more; ${untilEnter}; fi`,
  ].join('; ');

const writeTo = (plan: KeyPlan): string => asked('A message to $name', `${words(plan)} message "$worker"`);

/** Nothing is done before a line and Enter; `what` stands between double quotes. */
const asked = (what: string, does: string): string =>
  [
    `printf '%s\\n\\n> ' "${what}; Enter sends it, and an empty one is not sent."`,
    `read -r text; case $text in '') ;; *"$(printf '\\033')"*) ${notSent}; ${untilEnter} ;; *) ${does} "$text"; ${untilEnter} ;; esac`,
  ].join('; ');

/** Such a line is one that the person wants to leave, or one that holds signs they do not see. */
const notSent = "printf '\\n%s\\n' 'Not sent: the line holds Escape, or a key such as an arrow.'";

// The crew's server is born without a configuration, and so with this prefix.
const helpLines = ({ choice }: KeyPlan): readonly string[] => [
  'Keys of crewmux, after C-b; `tmux.keys` of the configuration changes them:',
  '',
  ...rowsOf(chosenKeys(choice)).map(([key, help]) => `  ${key.padEnd(4)} ${help}`),
];

const rowsOf = (chosen: ReturnType<typeof chosenKeys>): readonly (readonly [key: string, help: string])[] => [
  ...chosen.map(([key, act]) => [key, acts[act].help] as const),
  ...ofTmux.filter(([key]) => !chosen.some(([own]) => own === key)),
];

const ofTmux = [
  ['0', 'the board'],
  ['o', 'the next pane'],
  ['d', 'leave; the crew goes on'],
] as const;

/** Of a POSIX shell; the person's own may be any. */
function boxed(script: string, { hasPopups }: KeyPlan): readonly string[] {
  const line = `exec /bin/sh -c ${quoted(script)}`;
  return hasPopups
    ? ['display-popup', '-E', '-w', '90%', '-h', '90%', line]
    : ['new-window', '-n', 'crewmux', line, ';', 'set-option', '-w', 'remain-on-exit', 'off'];
}
