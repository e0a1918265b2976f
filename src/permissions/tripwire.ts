// The tripwire: acts that go to a person whatever the rules say. It is against accidents, and no wall.
import { meaningsOf } from '../model/path.ts';
import { below } from '../system/disk.ts';

/** Stands in a word for what only the shell knows when it runs. */
export const unknown = '\u0000';

export interface SimpleCommand {
  /** Without quotes and with the variables that are known, the program first. */
  readonly words: readonly string[];
  /** Files that it writes by redirection, and those that it reads. */
  readonly writes: readonly string[];
  readonly reads: readonly string[];
  /** Undefined after a `cd` to a folder that is not known. */
  readonly cwd: string | undefined;
  /** Earlier commands of its pipeline. */
  readonly fedBy: readonly SimpleCommand[];
  /** Commands whose output becomes part of its words. */
  readonly within: readonly SimpleCommand[];
}

export interface TripwirePlace {
  /** Where the worker works, symlinks resolved. */
  readonly root: string;
  readonly userHome: string;
  readonly stateHome: string;
  /** The branch that is the worker's own. */
  readonly branch?: string;
  /** Where its programs keep what is temporary. */
  readonly temporary?: string;
  /** The absolute path with symlinks resolved as far as it exists. */
  readonly real: (path: string) => string;
}

/** What a tool is about to do; `commands` is undefined for a shell line that cannot be read. */
export type TripwireAct =
  | { readonly is: 'shell'; readonly commands: readonly SimpleCommand[] | undefined }
  | { readonly is: 'file'; readonly paths: readonly string[]; readonly cwd: string; readonly writes: boolean };

/**
 * The words without which no act of the list is done: where none of them stands, nobody need look. Of several words in
 * one entry all have to stand there.
 */
export const tripwireWords: readonly (readonly string[])[] = [
  ...['rm ', 'rimraf', '-delete'].map((word) => [word]),
  ...['push', 'update-ref', ' -B', ' -C', ' -D', ' -M', ' -f', '--force'].map((word) => ['git', word]),
  ...['curl', 'wget'].map((word) => [word, 'sh']),
  ...['.ssh', '.aws', '.gnupg', '.azure', '.kube', '.netrc', '.pgpass', 'git-credentials'].map((word) => [word]),
  ...['.config/g', '.docker/config', '.npmrc', '.pypirc', '.credentials', 'auth.json', 'Keychains'].map((word) => [
    word,
  ]),
  ...['.claude', '.codex', '.git/', '.mcp.json', 'crewmux'].map((word) => [word]),
];

export const holdsTripwireWords = (text: string): boolean =>
  tripwireWords.some((words) => words.every((word) => text.includes(word)));

/** Anywhere but in the worktree. */
const credentials =
  /\/\.(ssh|aws|gnupg|azure|kube|config\/(gh|gcloud)|netrc|git-credentials|pgpass|npmrc|pypirc|docker\/config\.json|claude\/\.credentials\.json|codex\/auth\.json)(\/|$)|\/Library\/Keychains(\/|$)/;
/** What the agents, git and crewmux take orders from. */
const settings =
  /\/(\.claude\/settings[^/]*\.json|\.claude\.json|\.mcp\.json)$|\/(\.codex|\.crewmux|\.config\/crewmux)(\/|$)|\/\.git\/(.*\/)?(hooks|config[^/]*)(\/|$)/;

/** Why a person has to decide, in words that follow "because"; undefined for an act that is not of the list. */
export function tripped(act: TripwireAct, place: TripwirePlace): string | undefined {
  if (act.is === 'file') return first(act.paths, (path) => touching(path, { ...act, place }));
  if (act.commands === undefined) return 'the line cannot be read, and something in it is of the list';
  return first(act.commands, (command) => byCommand(command, place));
}

function first<T>(all: readonly T[], find: (one: T) => string | undefined): string | undefined {
  for (const one of all) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

function byCommand(command: SimpleCommand, place: TripwirePlace): string | undefined {
  const names = command.words.map((word) => word.replace(/^.*\//, ''));
  // Behind `sudo`, `env`, `xargs` and their like.
  const at = (wanted: RegExp) =>
    (launchers.test(names[0] ?? '') ? names : names.slice(0, 1)).findIndex((name) => wanted.test(name));
  const after = (wanted: RegExp) => (at(wanted) < 0 ? undefined : command.words.slice(at(wanted) + 1));
  return (
    deletion({ command, place, rm: after(/^(g?rm|rimraf)$/), find: after(/^g?find$/) }) ??
    branchMove(after(/^git$/), place) ??
    runsDownload(command, after(interpreters)) ??
    first(command.writes, (word) => touching(word, { cwd: command.cwd, place, writes: true })) ??
    first([...command.words.slice(1), ...command.reads], (word) =>
      touching(word.replace(/^-[\w-]*=/, ''), { cwd: command.cwd, place, writes: !looks.test(names[0] ?? '') }),
    )
  );
}

const launchers = /^(sudo|doas|env|command|exec|nice|nohup|time|timeout|setsid|stdbuf|ionice|xargs|parallel)$/;
/** Programs that change none of the files that they name. git asks for nothing where it notes a file. */
const looks =
  /^(cat|head|tail|less|more|ls|stat|file|wc|grep|egrep|rg|diff|cmp|jq|test|\[|\[\[|echo|printf|find|tree|du|cd|sha256sum|md5sum|git)$/;

interface Touch {
  readonly cwd: string | undefined;
  readonly place: TripwirePlace;
  readonly writes: boolean;
}

/** Reading credentials and crewmux's state, and writing them or what others take orders from. */
function touching(word: string, { cwd, place, writes }: Touch): string | undefined {
  const paths = pathsOf(word, cwd, place) ?? [word.startsWith('/') ? word : `/${word}`];
  const isInside = paths.every((path) => below(place.root, path) !== undefined);
  if (!isInside && paths.some((path) => credentials.test(path))) return `${shown(word)} is where credentials are kept`;
  const isState = paths.some((path) => isWithin(place.stateHome, path));
  if (isState && !isInside && !isTemporary(paths, place)) return `${shown(word)} is where crewmux keeps its state`;
  if (writes && paths.some((path) => settings.test(path))) return `${shown(word)} is a file of settings`;
  return undefined;
}

const isTemporary = (paths: readonly string[], { temporary }: TripwirePlace): boolean =>
  temporary !== undefined && paths.every((path) => below(temporary, path) !== undefined);

/** The folder itself, or a path below it. */
const isWithin = (folder: string, path: string): boolean => path === folder || below(folder, path) !== undefined;

/** Where a word may lead; undefined where nobody knows. */
function pathsOf(word: string, cwd: string | undefined, place: TripwirePlace): readonly string[] | undefined {
  if (word.includes(unknown) || (cwd === undefined && !/^[/~]/.test(word))) return undefined;
  return meaningsOf(word, { ...place, cwd: cwd ?? '/' });
}

interface Deletion {
  readonly command: SimpleCommand;
  readonly place: TripwirePlace;
  /** The words after the program, where the command runs it. */
  readonly rm: readonly string[] | undefined;
  readonly find: readonly string[] | undefined;
}

function deletion({ command, place, rm, find }: Deletion): string | undefined {
  const isLost = (word: string, { atRoot }: { readonly atRoot: boolean }) =>
    !mayGo(pathsOf(word, command.cwd, place), { place, atRoot });
  if (find !== undefined && (find.includes('-delete') || find.some((word) => /^(.*\/)?rm$/.test(word)))) {
    const lost = startsOf(find).find((word) => isLost(word, { atRoot: true }));
    return lost === undefined ? undefined : `it deletes what it finds in ${shown(lost)}, which is not in the worktree`;
  }
  const isRecursive = rm?.some((word) => /^-[a-z]*[rR]|^--recursive$/.test(word)) || command.words[0] === 'rimraf';
  if (rm === undefined || !isRecursive) return undefined;
  const given = command.words[0] === 'xargs' ? (command.fedBy.at(-1)?.words.slice(1) ?? [unknown]) : [];
  const operands = (words: readonly string[]) => words.filter((word) => !word.startsWith('-'));
  const lost =
    operands(rm).find((word) => isLost(word, { atRoot: false })) ??
    operands(given).find((word) => isLost(word, { atRoot: true }));
  return lost === undefined ? undefined : `it deletes ${shown(lost)}, which is not inside the worktree`;
}

function startsOf(words: readonly string[]): readonly string[] {
  const end = words.findIndex((word) => /^[-(!]/.test(word));
  const starts = end < 0 ? words : words.slice(0, end);
  return starts.length === 0 ? ['.'] : starts;
}

function mayGo(
  paths: readonly string[] | undefined,
  { place, atRoot }: { readonly place: TripwirePlace; readonly atRoot: boolean },
) {
  if (paths === undefined) return false;
  if (isTemporary(paths, place)) return true;
  return paths.every((path) => {
    if (path === place.root) return atRoot;
    const inside = below(place.root, path);
    return inside !== undefined && !/^\.(git(\/|$)|[*?[])/.test(inside);
  });
}

function branchMove(words: readonly string[] | undefined, place: TripwirePlace): string | undefined {
  const [verb, ...args] = words === undefined ? [] : withoutOptions(words);
  const isOwn = (ref = '') => place.branch !== undefined && ref.replace(/^refs\/heads\//, '') === place.branch;
  const operands = args.filter((word) => !word.startsWith('-'));
  const behind = (option: RegExp) => args[args.findIndex((word) => option.test(word)) + 1];
  const has = (option: RegExp) => args.some((word) => option.test(word));
  if (verb === 'checkout' && has(/^-[a-z]*B$/)) return moved(behind(/^-[a-z]*B$/), isOwn);
  if (verb === 'switch' && has(/^(-[a-z]*C|--force-create)$/))
    return moved(behind(/^(-[a-z]*C|--force-create)$/), isOwn);
  if (verb === 'branch' && has(/^(-[a-zA-Z]*[DMC][a-zA-Z]*)$/))
    return moved(
      operands.find((ref) => !isOwn(ref)),
      isOwn,
    );
  if (verb === 'branch' && has(/^(-[a-z]*f[a-z]*|--force)$/)) return moved(operands[0], isOwn);
  if (verb === 'update-ref') return moved(operands.find((ref) => /^(refs\/|HEAD$)/.test(ref)) ?? '--stdin', isOwn);
  if (verb === 'push') return forced(args, operands.slice(1), isOwn);
  return undefined;
}

const moved = (ref: string | undefined, isOwn: (ref: string) => boolean): string | undefined =>
  ref === undefined || isOwn(ref) ? undefined : `it moves the branch ${shown(ref)}, which is not the worker's own`;

function forced(args: readonly string[], refs: readonly string[], isOwn: (ref: string) => boolean): string | undefined {
  const isForced = args.some((word) => /^(--(force|delete|mirror|prune)|-[a-z]*[fd])/.test(word));
  const rewritten = isForced ? refs : refs.filter((ref) => /^[+:]/.test(ref));
  const other = rewritten.find((ref) => !isOwn(ref.replace(/^\+/, '').replace(/^.*:/, '')));
  if (other !== undefined) return `it rewrites or deletes ${shown(other)} on a remote, which is not the worker's own`;
  const isAll = isForced && (refs.length === 0 || args.some((word) => /^--(mirror|prune)/.test(word)));
  return isAll ? 'it pushes by force and does not name the branch' : undefined;
}

/** The words from the verb on. */
function withoutOptions(words: readonly string[]): readonly string[] {
  const at = words.findIndex(
    (word, index) =>
      !word.startsWith('-') && !/^(-[Cc]|--(git-dir|work-tree|namespace|exec-path))$/.test(words[index - 1] ?? ''),
  );
  return at < 0 ? [] : words.slice(at);
}

const interpreters = /^((ba|z|da|k|a|fi)?sh|python[\d.]*|node|perl|ruby|php|eval|source|\.)$/;

function runsDownload(command: SimpleCommand, args: readonly string[] | undefined): string | undefined {
  if (args === undefined) return undefined;
  const isDownload = ({ words }: SimpleCommand) => words.some((word) => /^(.*\/)?(curl|wget)$/.test(word));
  const isFed = args.every((word) => word.startsWith('-')) || args[0] === '-s';
  const runs = command.within.some(isDownload) || (isFed && command.fedBy.some(isDownload));
  return runs ? 'it runs what it downloads' : undefined;
}

/** A word as it is shown to people. */
const shown = (word: string): string => word.replaceAll(unknown, '…').slice(0, 200);
