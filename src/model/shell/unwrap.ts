// Programs that run another program, which is what is to be judged.

import { gitOf } from './git.ts';
import { readScript } from './read-script.ts';
import { launcher, launchVerbs, type Runner, runners } from './runners.ts';
import { type Command, isKnown, literal, plainWord, type Script, shownText, type Word } from './script.ts';

export type Unwrapped =
  /** It runs nothing but itself. */
  | { readonly is: 'bare' }
  | {
      readonly is: 'wrapper';
      readonly inner: readonly Command[];
      /** What it runs is allowed where the inner command is; else it has to be allowed itself as well. */
      readonly isTransparent: boolean;
      /** It works in another folder, and nobody knows which. */
      readonly moves?: boolean;
    }
  | { readonly is: 'script'; readonly script: Script; readonly isTransparent: boolean }
  | { readonly is: 'hidden'; readonly why: string };

const bare: Unwrapped = { is: 'bare' };
const hidden = (why: string): Unwrapped => ({ is: 'hidden', why });

/** The name of a program without its folder; undefined where it is not known. */
export const programOf = ({ words }: Pick<Command, 'words'>): string | undefined =>
  literal(words[0])
    ?.replace(/^[\s\S]*\//, '')
    .toLowerCase();

const shells = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash', 'mksh', 'rbash', 'yash']);

export function unwrap(command: Command): Unwrapped {
  if (command.hidden !== undefined) return hidden(command.hidden);
  const { words } = command;
  if (words.length === 0) return bare;
  const program = programOf(command);
  if (program === undefined || words[0]?.source.startsWith('='))
    return hidden('which program it runs is known only when it runs');
  if (program === '' || /[^\x21-\x7e]/.test(program)) return hidden('its program has no plain name');
  if (shells.has(program)) return shell(command);
  if (program === 'eval') return joined(words.slice(1));
  if (program === 'trap')
    return words.length < 3 || /^-/.test(shownText(words[1] ?? plainWord('-'))) ? bare : joined(words.slice(1, 2));
  if (program === 'alias') return words.length === 1 ? bare : hidden('it gives a command another meaning');
  if (program === 'find' || program === 'gfind') return found(command);
  if (program === 'fd' || program === 'fdfind') return foundByFd(command);
  if (/^(source|\.)$/.test(program)) return sourced(command);
  if (/^(fish|pwsh|powershell|cmd|parallel|tclsh|expect|osascript)$/.test(program)) return foreign(program, words);
  if (program === 'git' && gitOf(words) === undefined) return hidden('what git is to do is known only when it runs');
  const runner = Object.hasOwn(runners, program) ? runners[program] : undefined;
  if (runner !== undefined) return peel(command, runner);
  return launches(program, words) ? peel({ ...command, words: words.slice(1) }, runners.npx ?? launcher()) : bare;
}

/** `npm exec`, `uv run` and the like begin with a word of their own. */
function launches(program: string, words: readonly Word[]): boolean {
  const verbs = Object.hasOwn(launchVerbs, program) ? launchVerbs[program] : undefined;
  return verbs?.test(literal(words[1]) ?? '') === true;
}

/** Text that a shell would take for a script. */
function joined(words: readonly Word[], isTransparent = true): Unwrapped {
  const texts = words.map(literal);
  if (!texts.every((text) => text !== undefined)) return hidden('what it runs is put together only when it runs');
  return { is: 'script', script: readScript(texts.join(' ')), isTransparent };
}

function shell(command: Command): Unwrapped {
  const { words, given } = command;
  for (let at = 1; at < words.length; at++) {
    const text = literal(words[at]);
    if (text === undefined) return hidden('what it runs is known only when it runs');
    if (/^[-+][oO]$/.test(text)) at++;
    else if (/^--(rcfile|init-file)/.test(text)) return hidden('it begins with a file of its own');
    else if (/^-[a-zA-Z]*c[a-zA-Z]*$/.test(text)) return scriptAt(words, at + 1);
    else if (/^-[a-zA-Z]*s[a-zA-Z]*$/.test(text)) break;
    else if (text === '-' || text === '--') return at + 1 < words.length ? bare : fed(given);
    // A file of commands, which a rule names like any program.
    else if (!/^[-+]/.test(text)) return /^\/(dev|proc)\//.test(text) ? hidden('it runs what it reads') : bare;
  }
  return fed(given);
}

function scriptAt(words: readonly Word[], at: number): Unwrapped {
  const rest = words.slice(at);
  const first = rest.findIndex((word) => !/^[-+]/.test(literal(word) ?? ''));
  const word = rest[first];
  return word === undefined ? hidden('its script is missing') : joined([word]);
}

function fed(given: Command['given']): Unwrapped {
  const [only] = given;
  if (given.length === 1 && only?.isWhole) return { is: 'script', script: readScript(only.text), isTransparent: true };
  return hidden('it runs what it reads');
}

const sourced = ({ words }: Command): Unwrapped => {
  const file = literal(words[1]);
  return file === undefined || /^\/(dev|proc)\//.test(file) ? hidden('it runs what it reads') : bare;
};

/** Shells of another kind, whose scripts are not read here. */
function foreign(program: string, words: readonly Word[]): Unwrapped {
  const runsText = words.slice(1).some((word) => /^-{1,2}(c|command|e|encodedcommand|ec)$/i.test(shownText(word)));
  if (program === 'cmd' || program === 'parallel' || runsText || words.length === 1) {
    return hidden(`what ${program} runs is not read here`);
  }
  return bare;
}

/** Every `-exec` of a find, with the names it finds as words that nobody knows. */
function found({ words }: Command): Unwrapped {
  const inner: Command[] = [];
  for (let at = 1; at < words.length; at++) {
    if (!/^-(exec|execdir|ok|okdir)$/.test(literal(words[at]) ?? '')) continue;
    const rest = words.slice(at + 1);
    const end = rest.findIndex((word) => /^[;+]$/.test(literal(word) ?? ''));
    if (end < 1) return hidden('where its command ends is not known');
    inner.push(commandOf(rest.slice(0, end).map((word) => (shownText(word).includes('{}') ? anything : word))));
    at += end + 1;
  }
  return inner.length === 0 ? bare : { is: 'wrapper', inner, isTransparent: false };
}

function foundByFd({ words }: Command): Unwrapped {
  const at = words.findIndex((word) => /^(-[xX]|--exec(-batch)?)$/.test(literal(word) ?? ''));
  if (at < 0)
    return words.some((word) => /^(-[a-zA-Z]*[xX]|--exec)/.test(shownText(word)))
      ? hidden('what it runs is not read here')
      : bare;
  const rest = words.slice(at + 1).filter((word) => literal(word) !== ';');
  const inner = commandOf([...rest.map((word) => (shownText(word).includes('{') ? anything : word)), anything]);
  return rest.length === 0 ? bare : { is: 'wrapper', inner: [inner], isTransparent: false };
}

const anything: Word = { source: '"$@"', pieces: [{ is: 'unknown', source: '"$@"' }] };

const commandOf = (words: readonly Word[], from?: Command): Command => ({
  source: words.map((word) => word.source).join(' '),
  assignments: [],
  words,
  redirects: [],
  given: from?.given ?? [],
  feeders: from?.feeders ?? [],
  within: from?.within ?? [],
});

/** Takes off the runner with its options and operands. */
function peel(command: Command, runner: Runner): Unwrapped {
  const { words } = command;
  let at = 1;
  let moves = false;
  for (; at < words.length; at++) {
    const text = literal(words[at]);
    if (text === undefined) return hidden('what it runs is known only when it runs');
    if (text === '--') {
      at++;
      break;
    }
    if (!/^-./.test(text) && !(runner.bareDash === true && text === '-')) break;
    if (runner.prints?.test(text)) return bare;
    if (runner.script?.test(text)) return joinedAt(words, at, runner);
    if (runner.moves?.test(text)) moves = true;
    if (runner.valued.test(text)) at++;
    else if (!runner.flags.test(text)) return hidden(`what ${text} makes of it is not known`);
  }
  const assignments = [];
  for (; runner.assigns === true; at++) {
    const pair = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(literal(words[at]) ?? '');
    if (pair === null) break;
    assignments.push({ name: pair[1] ?? '', value: plainWord(pair[2] ?? '') });
  }
  if (words.slice(at, at + (runner.operands ?? 0)).some((word) => !isKnown(word)))
    return hidden('what it runs is known only when it runs');
  const rest = words.slice(at + (runner.operands ?? 0));
  if (rest.length === 0) return bare;
  if (runner.joins === true) return joined(rest);
  const whole = commandOf(runner.adds === true ? [...rest, anything] : rest, command);
  const inner = { ...whole, assignments: [...command.assignments, ...assignments] };
  return { is: 'wrapper', inner: [inner], isTransparent: runner.isTransparent, ...(moves ? { moves } : {}) };
}

/** The script in the option itself, or behind it. */
function joinedAt(words: readonly Word[], at: number, { isTransparent }: Runner): Unwrapped {
  const value = /^--[\w-]+=([\s\S]*)$/.exec(literal(words[at]) ?? '')?.[1];
  const script = value === undefined ? words[at + 1] : plainWord(value);
  return script === undefined ? bare : joined([script], isTransparent);
}
