// Recursive deletion outside the worktree, or of the worktree itself.
import { pathFits } from '../glob.ts';
import { below } from '../place.ts';
import { gitOf } from '../shell/git.ts';
import { type Command, literal, shownText, type Word } from '../shell/script.ts';
import { isInside, meant, moved, nowhere, type Spot } from '../shell/spot.ts';
import { programOf } from '../shell/unwrap.ts';

const programs = /^(rimraf|del|del-cli|trash|trash-cli|trash-put|srm)(@.*)?$/;

/** What would be deleted that cannot be brought back, in words. */
export function deletion(command: Command, spot: Spot): string | undefined {
  const program = programOf(command) ?? '';
  const { words } = command;
  const args = words.slice(1);
  if (program === 'rm' || program === 'grm') return isRecursive(args, spot) ? lost(operands(args), spot) : undefined;
  if (programs.test(program)) return lost(operands(args), spot);
  if (program === 'find' || program === 'gfind') return foundLost(args, spot);
  if (program === 'fd' || program === 'fdfind') return undefined;
  if (program === 'git') return gitLost(words, spot);
  if (program === 'rsync' && args.some((word) => /^--(del|remove-source)/.test(shownText(word)))) {
    const target = operands(args).slice(-1);
    const isRemote = target.some((word) => /^[^/]*:/.test(shownText(word)));
    return isRemote ? 'it deletes on another machine' : lost(target, spot);
  }
  if (program === 'gio' && literal(args[0]) === 'trash') return lost(operands(args.slice(1)), spot);
  return undefined;
}

function isRecursive(args: readonly Word[], { findsInside }: Spot): boolean {
  const end = args.findIndex((word) => literal(word) === '--');
  const options = end < 0 ? args : args.slice(0, end);
  return options.some((word) => {
    const text = literal(word);
    // Unquoted it may be options as well as names.
    if (text === undefined)
      return isFoundName(word)
        ? findsInside !== true
        : word.pieces.some(({ is }) => is === 'unknown') && !/^"/.test(word.source);
    return /^-[a-zA-Z]*[rR]/.test(text) || (text.length > 3 && '--recursive'.startsWith(text));
  });
}

const isFoundName = (word: Word) => word.source === '"$@"';

/** Words that are no options. */
function operands(args: readonly Word[]): readonly Word[] {
  const end = args.findIndex((word) => literal(word) === '--');
  const isOption = (word: Word) => /^-./.test(literal(word) ?? '');
  return end < 0
    ? args.filter((word) => !isOption(word))
    : [...args.slice(0, end).filter((word) => !isOption(word)), ...args.slice(end + 1)];
}

function lost(targets: readonly Word[], spot: Spot): string | undefined {
  for (const word of targets) {
    if (isFoundName(word) && spot.findsInside === true) continue;
    if (!isInside(word, spot)) return `it deletes ${named(word, spot)}`;
    if (holdsHistory(word, spot)) return `it deletes the history of the worktree, ${shownText(word)}`;
  }
  return undefined;
}

const named = (word: Word, spot: Spot): string =>
  isFoundName(word)
    ? 'whatever it is given, and nobody knows what that is'
    : meant(word, spot) === undefined
      ? `${shownText(word)}, and nobody knows which place that is`
      : `${shownText(word)}, which is not inside the worktree`;

function holdsHistory(word: Word, spot: Spot): boolean {
  const found = meant(word, spot);
  return (found?.places ?? []).some(({ every }) =>
    every.some((path) => {
      const within = below(spot.ground.root, path) ?? '';
      if (found?.glob === undefined) return /^\.git(\/|$)/i.test(within);
      // A star in front means no hidden name.
      return (
        within === '' &&
        /^[.[]/.test(found.glob.name) &&
        pathFits(found.glob.name.replaceAll(/\[[^\]]*\]?/g, '?'), '.git')
      );
    }),
  );
}

/** A find that deletes, by itself or by a command that takes what it finds. */
function foundLost(args: readonly Word[], spot: Spot): string | undefined {
  if (!args.some((word) => literal(word) === '-delete')) return undefined;
  return startsInside(args, spot) ? undefined : 'it deletes what it finds outside the worktree';
}

/** Whether all a find can find lies inside the worktree. */
export function startsInside(args: readonly Word[], spot: Spot): boolean {
  if (args.some((word) => /^(-L|-follow|-H|-files0-from)$/.test(shownText(word)))) return false;
  const end = args.findIndex((word) => /^[-(!]/.test(shownText(word)));
  const starts = end < 0 ? args : args.slice(0, end);
  const root = { source: '.', pieces: [{ is: 'plain' as const, text: '.' }] };
  const all = starts.length === 0 ? [root] : starts;
  return all.every((word) => isInside(word, spot) || isRoot(word, spot));
}

const isRoot = (word: Word, spot: Spot): boolean =>
  meant(word, spot)?.places.every(({ every }) => every.every((path) => path === spot.ground.root)) === true;

function gitLost(words: readonly Word[], spot: Spot): string | undefined {
  const call = gitOf(words);
  if (call === undefined || !/^(clean|worktree)$/.test(call.verb)) return undefined;
  const there = call.isElsewhere ? nowhere(spot) : call.folders.reduce<Spot>((at, folder) => moved(at, folder), spot);
  if (call.verb === 'worktree') {
    return literal(call.args[0]) === 'remove' ? lost(operands(call.args.slice(1)), there) : undefined;
  }
  const isHere = there.cwds.every((cwd) => cwd !== undefined && below(spot.ground.root, cwd) !== undefined);
  return isHere ? undefined : 'it cleans a repository outside the worktree';
}

/** Programs written into the line that delete folders; where, their text does not say for certain. */
export const deletesByText = (text: string): boolean =>
  /rmtree|rm_rf|rm_r\b|rmSync|\brm\s*\(|rimraf|remove_tree|remove_dir_all|removeSync|emptyDirSync|RemoveAll|\brm\s+-\w*[rR]/.test(
    text,
  );
