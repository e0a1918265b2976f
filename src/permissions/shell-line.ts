// A shell line as the simple commands in it, as far as its text tells them.
import { type Command, forEachChild, parse, type Redirection, type SyntaxNode, type Word, type WordPart } from 'unbash';
import { type SimpleCommand, unknown } from './tripwire.ts';

export interface ShellContext {
  readonly cwd: string;
  readonly variables: Readonly<Record<string, string>>;
}

interface Reading {
  cwd: string | undefined;
  readonly variables: Map<string, string>;
  readonly depth: number;
}

const deepest = 8;

/** In the order in which they stand; undefined for a line that is no shell line. */
export function readLine(line: string, { cwd, variables }: ShellContext): readonly SimpleCommand[] | undefined {
  return readScript(line, { cwd, variables: new Map(Object.entries(variables)), depth: 0 });
}

function readScript(line: string, reading: Reading): readonly SimpleCommand[] | undefined {
  const script = parse(line);
  return script.errors === undefined && reading.depth <= deepest ? commandsIn(script, reading) : undefined;
}

function commandsIn(node: SyntaxNode, reading: Reading): readonly SimpleCommand[] {
  switch (node.type) {
    case 'Command':
      return simpleCommand(node, reading);
    case 'Pipeline': {
      const found: SimpleCommand[] = [];
      for (const part of node.commands) {
        const fedBy = [...found];
        found.push(...commandsIn(part, { ...reading }).map((one) => ({ ...one, fedBy: [...fedBy, ...one.fedBy] })));
      }
      return found;
    }
    case 'Subshell':
      return childrenOf(node).flatMap((child) => commandsIn(child, { ...reading }));
    default:
      return childrenOf(node).flatMap((child) => commandsIn(child, reading));
  }
}

function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  const children: SyntaxNode[] = [];
  forEachChild(node, (child) => children.push(child));
  return children;
}

function simpleCommand(node: Command, reading: Reading): readonly SimpleCommand[] {
  const args = node.args.filter((one): one is Word => one.type === 'Word');
  const words = [...(node.name === undefined ? [] : [node.name]), ...args].map((word) => textOf(word, reading));
  const within = childrenOf(node).flatMap((child) => commandsIn(child, { ...reading }));
  const command: SimpleCommand = {
    words,
    writes: targets(node.redirects, />/, reading),
    reads: targets(node.redirects, /^<$/, reading),
    cwd: reading.cwd,
    fedBy: [],
    within,
  };
  noteAssignments(node, reading);
  noteFolder(words, reading);
  return [...within, command, ...scriptIn(command, reading)];
}

const targets = (redirects: readonly Redirection[], operator: RegExp, reading: Reading): readonly string[] =>
  redirects.flatMap((one) =>
    one.type === 'Redirect' && one.target !== undefined && operator.test(one.operator)
      ? [textOf(one.target, reading)]
      : [],
  );

function noteAssignments(node: Command, { variables }: Reading): void {
  const given = [...node.prefix, ...node.args].filter((one) => one.type === 'Assignment');
  for (const { name, value } of given) {
    const text = value.type === 'Word' && value.parts === undefined ? value.value : unknown;
    variables.set(name, text);
  }
}

function noteFolder([program, ...args]: readonly string[], reading: Reading): void {
  if (!/^(cd|chdir|pushd|popd)$/.test(program ?? '')) return;
  const to = args.find((text) => !text.startsWith('-')) ?? (args.length === 0 && program === 'cd' ? '~' : unknown);
  const base = reading.variables.get('HOME') ?? unknown;
  const path = to.replace(/^~(?=\/|$)/, base);
  if (path.includes(unknown)) reading.cwd = undefined;
  else if (path.startsWith('/')) reading.cwd = path;
  else reading.cwd = reading.cwd === undefined ? undefined : `${reading.cwd}/${path}`;
}

/** The commands of `bash -c '…'` and of `eval`. */
function scriptIn({ words, cwd }: SimpleCommand, reading: Reading): readonly SimpleCommand[] {
  const shell = words.findIndex((text) => isShell(text) || text === 'eval');
  if (shell < 0) return [];
  const option = words.findIndex((text, at) => at > shell && /^-[a-z]*c$/.test(text));
  const text = words[shell] === 'eval' ? words.slice(shell + 1).join(' ') : option < 0 ? undefined : words[option + 1];
  if (text === undefined || text.includes(unknown)) return [];
  return readScript(text, { ...reading, cwd, depth: reading.depth + 1 }) ?? [];
}

export const isShell = (word: string): boolean => /^(.*\/)?(ba|z|da|k|a|fi)?sh$/.test(word);

function textOf(word: Word, reading: Reading): string {
  const text = word.parts === undefined ? word.value : word.parts.map((part) => partText(part, reading)).join('');
  // The home of another user.
  return /^~[^/]/.test(word.text) ? unknown : text;
}

function partText(part: WordPart, reading: Reading): string {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return part.value;
    case 'Glob':
    case 'ExtendedGlob':
      return part.text;
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.map((one) => partText(one, reading)).join('');
    case 'SimpleExpansion':
      return variableIn(part.text.slice(1), reading);
    case 'ParameterExpansion':
      return part.operation === undefined && part.prefix === undefined && part.index === undefined
        ? variableIn(part.parameter, reading)
        : unknown;
    // The names that it makes may begin anywhere.
    case 'BraceExpansion':
      return /[/~$]|\.\./.test(part.text) ? unknown : part.text;
    default:
      return unknown;
  }
}

const variableIn = (name: string, { variables, cwd }: Reading): string =>
  (name === 'PWD' ? cwd : variables.get(name)) ?? unknown;
