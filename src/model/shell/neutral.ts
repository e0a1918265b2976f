// Commands that do nothing by themselves: a line is judged by the others in it.
import { below } from '../place.ts';
import { isHarmless } from './command-text.ts';
import { calculates } from './read-command.ts';
import { type Command, isKnown, literal } from './script.ts';
import { meant, moved, type Spot } from './spot.ts';

const idle =
  /^(:|true|false|pwd|wait|break|continue|exit|return|shift|set|for|case|\[\[|\[|test|echo|cd|sleep|local|read|cat)$/;

export function isNeutral(command: Command, spot: Spot): boolean {
  const { words, assignments } = command;
  if (!assignments.every(isHarmless)) return false;
  const [first, ...args] = words;
  if (first === undefined) return true;
  const program = literal(first);
  if (program === undefined || !idle.test(program)) return false;
  if (program === 'set')
    return args.every((word) => /^([-+][euxof]+|pipefail|errexit|nounset|xtrace)$/.test(literal(word) ?? ''));
  // A text written into the line, as for a message.
  if (program === 'cat') return args.length === 0 && command.given.length > 0;
  if (program === 'cd') return staysInside(command, spot);
  if (program === 'local' || program === 'read')
    return args.every((word) => /^(-r|_?[a-z][a-z0-9_]*)$/.test(literal(word) ?? ''));
  // A test that calculates, or a subscript, may run what a value holds.
  if (/^(\[|test|\[\[)$/.test(program))
    return !calculates(args) && !args.some((word) => /\$\(|`/.test(literal(word) ?? ''));
  return /^(for|case)$/.test(program) || args.every(isKnown);
}

function staysInside(command: Command, spot: Spot): boolean {
  const [, target, ...more] = command.words;
  if (target === undefined || more.length > 0 || meant(target, spot) === undefined) return false;
  return moved(spot, target).cwds.every((cwd) => cwd !== undefined && below(spot.ground.root, cwd) !== undefined);
}
