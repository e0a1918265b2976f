// Rewriting what others build on: remote branches, and what all worktrees of a repository share.
import { gitOf } from '../shell/git.ts';
import { type Command, literal, shownText, type Word } from '../shell/script.ts';
import { programOf } from '../shell/unwrap.ts';

/** How the history of others would be rewritten, in words. */
export function rewriting(command: Command): string | undefined {
  const program = programOf(command);
  if (program === 'git') return byGit(command.words);
  if (program === 'bfg' || program === 'git-filter-repo') return `it rewrites a whole history with ${program}`;
  if (program === 'gh' || program === 'glab') return byHost(program, command.words.slice(1).map(shownText));
  return undefined;
}

function byGit(words: readonly Word[]): string | undefined {
  const call = gitOf(words);
  if (call === undefined) return undefined;
  const { verb, args } = call;
  const texts = args.map(shownText);
  if (verb === 'push' || verb === 'send-pack') return byPush(args);
  if (/^(filter-branch|filter-repo|update-ref|replace|prune|fast-import)$/.test(verb))
    return `git ${verb} rewrites or drops history`;
  if (verb === 'reflog' && /^(expire|delete)$/.test(texts[0] ?? ''))
    return 'it drops the record by which lost work is found again';
  if (verb === 'gc' && texts.some((text) => text.startsWith('--prune')))
    return 'it drops what no branch holds any more';
  if (verb === 'stash' && /^(clear|drop)$/.test(texts[0] ?? '')) return 'it drops stashes, which all worktrees share';
  if (verb === 'branch' && has(args, /^-[a-zA-Z]*[DMCf]|^--force/)) return 'it moves or drops a branch by force';
  if (verb === 'branch' && has(args, /^-[a-zA-Z]*d|^--delete/) && has(args, /^-[a-zA-Z]*r|^--remotes/))
    return 'it drops a remote branch';
  if (verb === 'tag' && has(args, /^-[a-zA-Z]*[df]|^--(delete|force)/)) return 'it moves or drops a tag';
  if (
    (verb === 'fetch' || verb === 'pull') &&
    args.some((word) => /^\+?[^:]*:./.test(literal(word) ?? '') && !/^\w+:\/\/|@/.test(literal(word) ?? ''))
  ) {
    return 'it moves local branches to what it fetches';
  }
  return undefined;
}

const has = (args: readonly Word[], option: RegExp): boolean => args.some((word) => option.test(literal(word) ?? ''));

function byPush(args: readonly Word[]): string | undefined {
  for (const word of args) {
    const text = literal(word);
    if (text === undefined) return `it pushes ${shownText(word)}, and nobody knows what that is`;
    if (/^--(forc|mir|del|pru)/.test(text) || /^-[a-zA-Z]*[fd]/.test(text)) return `it pushes with ${text}`;
    if (/^[+:]/.test(text)) return `it pushes ${text}, which rewrites or drops a remote branch`;
  }
  return undefined;
}

function byHost(program: string, args: readonly string[]): string | undefined {
  const [noun = '', verb = ''] = args.filter((text) => !text.startsWith('-'));
  if (/^(repo|release|project)$/.test(noun) && /^(delete|archive|delete-asset)$/.test(verb))
    return `it runs ${program} ${noun} ${verb}`;
  const method = args.find((text, at) => /^-X.+|^--method=/i.test(text) || /^(-X|--method)$/.test(args[at - 1] ?? ''));
  if (noun === 'api' && /DELETE$/i.test(method ?? '')) return `it deletes by ${program} api`;
  if (
    noun === 'api' &&
    /(PATCH|PUT|POST)$/i.test(method ?? '') &&
    args.some((text) => /git\/refs|branches\/[^/]+\/protection/.test(text))
  ) {
    return `it changes branches by ${program} api`;
  }
  return undefined;
}
