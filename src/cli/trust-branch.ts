// `crewmux trust --branch`: a person reads the commits to which a branch was moved, and agrees to them.

import { realpath } from 'node:fs/promises';
import { stateHome } from '../settings/settings.ts';
import { openHome } from '../store/home.ts';
import { readTipBook, tipBookName, writeTipBook } from '../store/tip-book.ts';
import { withLock } from '../system/lock.ts';
import { lockTimeoutMs, nothingAgreed, refuseWorker, shown, type TrustWorld } from './trust.ts';
import type { CommandWorld } from './world.ts';

export interface BranchWorld extends TrustWorld {
  /** What led from one commit to the other in a repository; rejects where one of them is gone. */
  readonly between: CommandWorld['between'];
}

type BetweenCommits = Awaited<ReturnType<CommandWorld['between']>>;

const mostLines = 200;

/** Returns the exit code as `trust` does. Agrees to the commit that it showed, wherever the branch stands by then. */
export async function trustBranch(branch: string, how: 'ask' | 'agree', world: BranchWorld): Promise<number> {
  const refused = refuseWorker(world);
  if (refused !== undefined) return refused;
  const repo = await realpath(world.folders.at(-1) ?? '/');
  const book = await readTipBook(stateHome(world), repo, (message) => void world.complain(`${message}\n`));
  const open = new Map(Object.entries(book?.moved ?? {}));
  const moved = open.get(branch);
  const from = new Map(Object.entries(book?.kept ?? {})).get(branch)?.at(-1);
  if (moved === undefined || from === undefined) return world.write(settled(repo, branch, [...open.keys()]));
  const { to } = moved;
  const facts = await world.between(repo, { from, to });
  world.write(`${words({ repo, branch, from, to }, facts)}\n\n`);
  if (how === 'ask') {
    if (world.ask === undefined) return world.complain(nothingAgreed);
    if (!(await world.ask('Do you agree? [y/N] '))) {
      world.write('Nothing was agreed to.\n');
      return 1;
    }
  }
  return agree(world, { repo, branch, to });
}

const settled = (repo: string, branch: string, others: readonly string[]): string => {
  const rest = others.length === 0 ? '' : ` These do: ${others.map(shown).join(', ')}.`;
  return `The branch ${shown(branch)} of ${shown(repo)} does not wait for you.${rest}\n`;
};

interface Moved {
  readonly repo: string;
  readonly branch: string;
  readonly from: string;
  readonly to: string;
}

function words({ repo, branch, from, to }: Moved, { added, removed, files }: BetweenCommits): string {
  const part = (title: string, lines: readonly string[]): readonly string[] => {
    if (lines.length === 0) return [];
    const left = lines.length - mostLines;
    const more = left > 0 ? [`  and ${left} more`] : [];
    return [`${title}:`, ...lines.slice(0, mostLines).map((line) => `  ${shown(line)}`), ...more];
  };
  return [
    `The branch ${shown(branch)} of ${shown(repo)} was moved from ${from} to ${to}.`,
    ...part('Commits that it gained', added),
    ...part('Commits that it lost', removed),
    ...part('Files', files),
  ].join('\n');
}

async function agree(world: BranchWorld, { repo, branch, to }: Omit<Moved, 'from'>): Promise<number> {
  const home = await openHome(stateHome(world));
  const act = async (): Promise<void> => {
    const book = await readTipBook(home.root, repo, (message) => void world.complain(`${message}\n`));
    if (book === undefined) return;
    const kept = new Map(Object.entries(book.kept));
    const moved = new Map(Object.entries(book.moved));
    kept.set(branch, [...(kept.get(branch) ?? []), to]);
    // Moved once more since: the next look tells of it, from the commit that was agreed to.
    moved.delete(branch);
    await writeTipBook(home.root, { ...book, kept: Object.fromEntries(kept), moved: Object.fromEntries(moved) });
  };
  await withLock(home.lockPath(`tips-${tipBookName(repo)}`), act, { me: world.me, timeoutMs: lockTimeoutMs });
  return world.write(`Agreed: ${shown(branch)} may be used at ${to}.\n`);
}
