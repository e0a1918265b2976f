// `crewmux completion`: what a shell needs to complete a line, written from the table of words.
import { flagsOf, type Leaf, type Word } from './word.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

export const isShell = (text: string): text is Shell => shells.some((shell) => shell === text);

/** One shell script. Workers' names are asked for when a line is completed. Pure. */
export const completionFor = (shell: Shell, words: readonly Word[]): string =>
  shell === 'fish' ? fishScript(words) : `${shell === 'zsh' ? zshHead : ''}${bashScript(words)}`;

const zshHead = 'autoload -U +X bashcompinit && bashcompinit\n';
const askWorkers = 'crewmux completion workers 2>/dev/null';

const namesWorker = ({ positionals = [] }: Leaf): boolean => positionals.some((one) => one.includes('worker'));
const leavesOf = (word: Word): readonly Leaf[] =>
  'words' in word
    ? [...(word.otherwise === undefined ? [] : [word.otherwise]), ...word.words.flatMap(leavesOf)]
    : [word];
const flagNames = (word: Word): readonly string[] => [
  ...new Set(leavesOf(word).flatMap((leaf) => Object.keys(flagsOf(leaf)).map((flag) => `--${flag}`))),
];
const fixed = (word: Word): readonly string[] => ('words' in word ? [] : (word.choices ?? []));

function bashScript(words: readonly Word[]): string {
  const cases = words.map((word) => {
    const bare = 'words' in word && word.otherwise !== undefined ? flagNames(word.otherwise) : [];
    const own = 'words' in word ? [...word.words.map(({ name }) => name), ...bare] : [];
    const inner = own.length === 0 ? '' : `[ "$COMP_CWORD" = 2 ] && offered="${own.join(' ')}" || `;
    const workers = leavesOf(word).some(namesWorker)
      ? `; case $cur in -*) ;; *) offered="$offered $(${askWorkers})" ;; esac`
      : '';
    return `    *:${word.name}) ${inner}offered="${[...fixed(word), ...flagNames(word)].join(' ')}"${workers} ;;`;
  });
  return `_crewmux() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" offered=""
  case "$COMP_CWORD:\${COMP_WORDS[1]}" in
    1:*) offered="${words.map(({ name }) => name).join(' ')}" ;;
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$offered" -- "$cur"))
}
complete -F _crewmux crewmux
`;
}

function fishScript(words: readonly Word[]): string {
  const lines = words.flatMap((word) => {
    const after = `-n '__fish_seen_subcommand_from ${word.name}'`;
    const inner =
      'words' in word ? word.words.map(({ name, summary }) => `${after} -a ${name} -d ${inQuotes(summary)}`) : [];
    return [
      `-n __fish_use_subcommand -a ${word.name} -d ${inQuotes(word.summary)}`,
      ...inner,
      ...fixed(word).map((one) => `${after} -a ${one}`),
      ...flagNames(word).map((flag) => `${after} -l ${flag.slice(2)}`),
      ...(leavesOf(word).some(namesWorker) ? [`${after} -a '(${askWorkers})'`] : []),
    ];
  });
  return ['-f', ...lines].map((line) => `complete -c crewmux ${line}\n`).join('');
}

const inQuotes = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
