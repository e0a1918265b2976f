// Options by which a harmless program runs another one, or writes where it should only look.
import { gitOf } from './git.ts';
import { type Command, literal, shownText, type Word } from './script.ts';
import { programOf } from './unwrap.ts';

const options: Readonly<Record<string, RegExp>> = {
  find: /^-(delete|fprint0?|fprintf|fls)$/,
  sort: /^(-[a-zA-Z]*o|--output|--compress|-T$|--temp|-S$|--files0)/,
  rg: /^--(pre|hostname-bin|search-zip)|^-[a-zA-Z]*z/,
  tree: /^(-o|--output)/,
  file: /^(-C|--compile|-m|--magic)/,
  date: /^(-s|--set)/,
  tar: /^(-I|-F|--(checkpoint-action|to-command|use-compress|rsh|info-script|new-volume|to-stdout)|-[a-zA-Z]*F)/,
  rsync: /^(-[a-zA-Z]*e|--rsh|--rsync-path)/,
  ssh: /^-[a-zA-Z]*[oFiW]/,
  scp: /^-[a-zA-Z]*[oFS]/,
  curl: /^(-[a-zA-Z]*[oOKTJ]|--(output|remote|config|upload|create-dirs|output-dir|trace|dump-header|cookie-jar|unix-socket|netrc))/,
  wget: /^(-[a-zA-Z]*[OPieo]|--(output|directory|input|execute|config|post-file|body-file|use-askpass|append-output))/,
  make: /^(--eval|SHELL=|MAKEFLAGS=|MAKEFILES=)/,
  npm: /^--(prefix|script-shell|globalconfig|userconfig|node-options|ignore-scripts=false)/,
  pnpm: /^(-C|--dir|--prefix|--script-shell|--shell-emulator)/,
  yarn: /^--(cwd|use-yarnrc|script-shell)/,
  cargo: /^(--config|-Z)/,
  go: /^--?(exec|toolexec|overlay|vettool)/,
  vim: /^[-+]/,
  vi: /^[-+]/,
  less: /^(-[oOk]|\+)/,
  man: /^(-P|--pager|-H|--html)/,
  gdb: /^-{1,2}(ex|eval-command|x|command|iex)/,
  zip: /^(-T|-[a-zA-Z]*TT|--unzip-command)/,
  diff: /^(--to-file|--from-file|-l$|--paginate)/,
  jq: /^(-L|--library-path|-f|--from-file|--rawfile|--slurpfile)/,
};

/** What a pattern has to name before it permits the command; undefined where there is nothing of the kind. */
export function hatch(command: Command): string | undefined {
  const program = programOf(command) ?? '';
  const args = command.words.slice(1);
  if (program === 'git') return gitHatch(command);
  if (/^(g|m)?awk$|^nawk$/.test(program)) return scriptHatch(args, /\bsystem\b|\bgetline\b|[|>]|@/);
  if (/^g?sed$/.test(program)) return sedHatch(args);
  if (program === 'uniq' && args.filter((word) => !/^[-+]/.test(shownText(word))).length > 1)
    return shownText(args.at(-1) ?? { source: '', pieces: [] });
  const odd = Object.hasOwn(options, program) ? options[program] : undefined;
  if (odd === undefined) return undefined;
  const found = args.find((word) => odd.test(shownText(word)) || mayBeOption(word));
  return found === undefined ? undefined : shownText(found).replace(/=.*$/s, '');
}

/** A name that begins with what is not known may turn out an option. */
const mayBeOption = ({ pieces: [first] }: Word): boolean => first?.is === 'unknown' || first?.is === 'glob';

const scriptHatch = (args: readonly Word[], odd: RegExp): string | undefined => {
  const found = args.find(
    (word) =>
      literal(word) === undefined ||
      odd.test(literal(word) ?? '') ||
      /^(-f|--file|-[a-zA-Z]*f|-i|-l|-E|--exec|--include|--load)$/.test(literal(word) ?? ''),
  );
  return found === undefined ? undefined : shownText(found);
};

/** Commands that run, read or write files, and the flag that runs what a substitution makes. */
function sedHatch(args: readonly Word[]): string | undefined {
  const found = args.find((word) => {
    const text = literal(word);
    if (text === undefined) return true;
    if (/^(-[a-zA-Z]*[fi]|--(file|in-place))/.test(text)) return true;
    return (
      !text.startsWith('-') &&
      /(^|[;{}\n\d$/!,\s])\s*[erRwW](\s|$)|[/|#,!~@%^][\dgpIiMm]*[ew][\dgpIiMm]*(\s|;|\}|$)/.test(text)
    );
  });
  return found === undefined ? undefined : shownText(found);
}

const gitOptions: Readonly<Record<string, RegExp>> = {
  grep: /^(-O|--open-files)/,
  rebase: /^(-[a-zA-Z]*x|--exec|-s$|--strategy)/,
  fetch: /^(--upload-pack|-u$)/,
  pull: /^(--upload-pack|-u$|-s$|--strategy)/,
  push: /^(--receive-pack|--exec)/,
  clone: /^(-u$|--upload-pack|-c|--config|--template)/,
  'ls-remote': /^(--upload-pack|--exec)/,
  archive: /^(--exec|--remote|-o|--output)/,
  diff: /^(--ext-diff|--output|--textconv|--no-index)/,
  log: /^(--ext-diff|--output|--textconv)/,
  show: /^(--ext-diff|--output|--textconv)/,
  shortlog: /^(--output)/,
  merge: /^(-s$|--strategy$|-s.+|--strategy=)/,
  init: /^--template/,
  difftool: /./,
  mergetool: /./,
  bisect: /^run$/,
  submodule: /^(foreach|add|update)$/,
  config:
    /^(alias|include|filter|credential|protocol|sequence|gpg|pager|browser|difftool|mergetool|interactive|diff\..*\.(command|textconv)|merge\..*\.driver|core\.(pager|editor|sshcommand|hookspath|fsmonitor|gitproxy|askpass|worktree|attributesfile)|remote\..*\.(uploadpack|receivepack|vcs))|^-e$|^--edit/i,
};

function gitHatch({ words }: Command): string | undefined {
  const call = gitOf(words);
  if (call === undefined) return undefined;
  if (call.odd[0] !== undefined) return call.odd[0];
  if (call.isElsewhere)
    return shownText(
      words.find((word) => /^--(git-dir|work-tree)/.test(shownText(word))) ?? { source: '--git-dir', pieces: [] },
    );
  const texts = call.args.map(shownText);
  const remote = texts.find((text) => /^(ext|fd|file)::|^--upload-pack/.test(text));
  if (remote !== undefined) return remote;
  const odd = Object.hasOwn(gitOptions, call.verb) ? gitOptions[call.verb] : undefined;
  if (odd === undefined) return undefined;
  const found = call.args.find((word) => odd.test(shownText(word)) || mayBeOption(word));
  return found === undefined ? undefined : shownText(found).replace(/=.*$/s, '');
}
