// Which files the words of a command look at and change, as far as words tell.
import { patchedPaths } from '../patch.ts';
import { gitOf } from './git.ts';
import { type Command, literal, plainWord, shownText, type Word } from './script.ts';
import { namesIn } from './spot.ts';
import { programOf } from './unwrap.ts';

export interface Touches {
  readonly reads: readonly Word[];
  readonly writes: readonly Word[];
  /** It is there to read or write files: a name nobody knows may be that of any. */
  readonly isAboutFiles: boolean;
  /** What it does is in these names alone. */
  readonly isPatch?: boolean;
}

const readers =
  /^(cat|tac|head|tail|less|more|bat|nl|wc|grep|egrep|fgrep|rg|ag|ack|sort|uniq|cut|g?awk|sed|diff|cmp|comm|xxd|od|hexdump|strings|base64|base32|md5sum|sha\d+sum|shasum|jq|yq|rev|paste|join|column|fold|source|\.|tar|zip|gzip|openssl|split|iconv|cp|mv|rsync|scp|ln|install|dd)$/;
const changesAll =
  /^(rm|rmdir|mv|touch|tee|mkdir|truncate|chmod|chown|chgrp|shred|unlink|patch|sponge|ed|ex|rename|srm|rimraf|trash)$/;
const changesLast = /^(cp|install|ln|rsync|scp|unzip|tar)$/;

export function touches(command: Command): Touches {
  const program = programOf(command) ?? '';
  const args = command.words.slice(1);
  const reads = args.flatMap(namesIn);
  if (program === 'apply_patch' || program === 'applypatch') return patch(command);
  const writes = [...written(program, args), ...named(program, args)];
  return {
    reads,
    writes,
    isAboutFiles: readers.test(program) || changesAll.test(program) || changesLast.test(program),
  };
}

const isOption = (word: Word) => /^-./.test(literal(word) ?? '');

function written(program: string, args: readonly Word[]): readonly Word[] {
  const operands = args.filter((word) => !isOption(word));
  if (changesAll.test(program)) return operands;
  if (changesLast.test(program)) {
    const at = args.findIndex((word) => /^(-t|--target-directory|-d|-C|--directory)$/.test(literal(word) ?? ''));
    const into = args[at + 1];
    return at >= 0 && into !== undefined ? [into, ...operands.slice(-1)] : operands.slice(-1);
  }
  if (/^(g?sed|perl|ruby)$/.test(program) && args.some((word) => /^(-[a-zA-Z]*i|--in-place)/.test(shownText(word))))
    return operands;
  if (program === 'git') return writtenByGit(args);
  return [];
}

function writtenByGit(args: readonly Word[]): readonly Word[] {
  const call = gitOf([plainWord('git'), ...args]);
  if (call === undefined || !/^(checkout|restore|rm|mv|clean)$/.test(call.verb)) return [];
  return call.args.filter((word) => !isOption(word));
}

const into: Readonly<Record<string, RegExp>> = {
  dd: /^of=/,
  curl: /^(-[a-zA-Z]*o|--output)$/,
  wget: /^(-[a-zA-Z]*[OP]|--output-document|--directory-prefix)$/,
  sort: /^(-o|--output)$/,
  gcc: /^-o$/,
  openssl: /^-out$/,
};

/** Files behind an option, or in it. */
function named(program: string, args: readonly Word[]): readonly Word[] {
  const option = Object.hasOwn(into, program) ? into[program] : undefined;
  if (option === undefined) return [];
  return args.flatMap((word, at) => {
    const text = shownText(word);
    const [, tail] = namesIn(word);
    const cut = /=/.test(text) ? tail : undefined;
    if (!option.test(text) && !option.test(text.replace(/=.*$/s, program === 'dd' ? '=' : ''))) return [];
    const next = args[at + 1];
    return cut !== undefined ? [cut] : next === undefined ? [] : [next];
  });
}

/** A patch by itself, or in the text it is given. */
function patch({ words, given }: Command): Touches {
  const texts = [...words.slice(1).map(literal), ...given.map(({ text, isWhole }) => (isWhole ? text : undefined))];
  const known = texts.filter((text) => text !== undefined);
  const writes = known.flatMap(patchedPaths).map(plainWord);
  return { reads: [], writes, isAboutFiles: true, isPatch: known.length === texts.length && writes.length > 0 };
}
