// `crewmux completion`: the script for each shell, which asks this program what may stand next; and what may.
import { quote } from '../model/quote.ts';
import { type Flag, flagsOf, type Leaf, type Word } from './word.ts';
import type { CommandWorld } from './world.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

export const isShell = (text: string): text is Shell => shells.some((shell) => shell === text);

const ask = 'crewmux completion offer';

export const scripts: Readonly<Record<Shell, string>> = {
  bash: `_crewmux() {
  local one
  COMPREPLY=()
  while IFS= read -r one; do COMPREPLY+=("$one"); done < <(${ask} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _crewmux crewmux
`,
  zsh: `(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i -D; }
_crewmux() {
  local -a offered
  offered=(\${(f)"$(${ask} "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  compadd -a offered
}
compdef _crewmux crewmux
`,
  fish: `function __crewmux_offer
    set -l typed (commandline -opc) (commandline -ct)
    ${ask} $typed[2..-1] 2>/dev/null
end
complete -c crewmux -f -a '(__crewmux_offer)'
`,
};

/** What is known only when it is asked for. */
type Kind = 'worker' | 'plan' | 'task' | 'branch' | 'key' | 'word';
const kinds = ['worker', 'plan', 'task', 'branch', 'key', 'word'] as const satisfies readonly Kind[];

interface Offers {
  readonly texts: readonly string[];
  readonly kind?: Kind;
}

/** What may stand in the place of the last of these, which follow the name of the program. Pure. */
export function offersFor(words: readonly Word[], typed: readonly string[], otherwise?: Leaf): Offers {
  const [name = '', ...rest] = typed;
  const found = words.find((one) => one.name === name || one.aliases?.includes(name));
  const isLast = rest.length === 0;
  if (!isLast && found !== undefined)
    return 'words' in found ? offersFor(found.words, rest, found.otherwise) : ofLeaf(found, rest);
  const others = otherwise === undefined ? { texts: [] } : ofLeaf(otherwise, typed);
  return isLast ? { ...others, texts: [...words.map((one) => one.name), ...others.texts] } : others;
}

function ofLeaf(leaf: Leaf, typed: readonly string[]): Offers {
  const flags = flagsOf(leaf);
  const names = Object.keys(flags).map((flag) => `--${flag}`);
  const [before, current = ''] = [typed.slice(0, -1), typed.at(-1)];
  const valued = flagOf(before.at(-1), flags);
  if (valued?.type === 'string') return offersOf(valued.value);
  if (current.startsWith('-')) return { texts: names };
  const given = before.filter((one, at) => !one.startsWith('-') && flagOf(before[at - 1], flags)?.type !== 'string');
  const { positionals = [], choices = [] } = leaf;
  const last = positionals.at(-1);
  const place = positionals[given.length] ?? (last?.includes('…') ? last : undefined);
  if (place === undefined) return { texts: names };
  return { ...offersOf(place), ...(given.length === 0 && choices.length > 0 && { texts: choices }) };
}

const flagOf = (word: string | undefined, flags: Readonly<Record<string, Flag>>): Flag | undefined =>
  word?.startsWith('--') && Object.hasOwn(flags, word.slice(2)) ? flags[word.slice(2)] : undefined;

/** By the name of a place, as the help shows it. */
function offersOf(place = ''): Offers {
  const kind = kinds.find((one) => one === place.replaceAll(/[^a-z]/g, ''));
  return kind === undefined ? { texts: [] } : { texts: [], kind };
}

/** Prints a line for each; nothing that a shell would read as more than a word, since bash types it as it stands. */
export async function offer(words: readonly Word[], typed: readonly string[], world: CommandWorld): Promise<number> {
  const { texts, kind } = offersFor(words, typed);
  const listed = kind === undefined ? [] : await listOf(kind, words, world).catch(() => []);
  const begins = (text: string) => text.startsWith(typed.at(-1) ?? '') && quote(text) === text;
  const fitting = [...texts, ...listed].filter(begins);
  return world.write(fitting.map((text) => `${text}\n`).join(''));
}

async function listOf(kind: Kind, words: readonly Word[], world: CommandWorld): Promise<readonly string[]> {
  switch (kind) {
    case 'word':
      return words.map(({ name }) => name);
    case 'key':
      return (await import('../settings/schema.ts')).leaves.map(({ key }) => key);
    case 'branch':
      return world.branches(world.cwd);
    case 'worker': {
      const { recordsOf, shortest, workersHere } = await import('./roster.ts');
      const [here, all] = await Promise.all([workersHere(world), recordsOf(world)]);
      return here.map((record) => shortest(record, all));
    }
    case 'plan':
    case 'task':
      return jobsHere(kind, world);
  }
}

/** Plans by name where that is one word that only one has, and tasks that have not ended by id. */
async function jobsHere(kind: 'plan' | 'task', world: CommandWorld): Promise<readonly string[]> {
  const [{ plansOf, tasksOf }, crew] = await Promise.all([import('./jobs-begun.ts'), world.look()]);
  try {
    if (kind === 'task') return (await tasksOf(crew.jobs)).flatMap(({ id, isOver }) => (isOver ? [] : [id]));
    const plans = await plansOf(crew.jobs);
    const isWord = (name: string) => quote(name) === name && plans.filter((one) => one.name === name).length === 1;
    return plans.map(({ id, name }) => (isWord(name) ? name : id));
  } finally {
    await crew.dispose();
  }
}
