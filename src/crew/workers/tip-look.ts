// One look at the branches that are kept: reads git's files and refs, and tells which moved and what to keep now.
import { defined } from '../../model/defined.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { KnownHead, MovedTip, TipBook } from '../../store/tip-book.ts';
import { findBranches } from '../../worktree/git/branch.ts';
import { branchAt, endOfLog, foreignCheckouts, newEntries } from '../../worktree/git/head-log.ts';
import { branchIn, followHead, type HeadState, judgeTips, passed, type TipStep } from '../../worktree/git/tips.ts';
import type { CrewContext } from './crew-context.ts';

/** A branch that moved since the last look. */
export interface Fresh {
  readonly branch: string;
  readonly from: string;
  readonly to: string;
  readonly workers: readonly string[];
}

interface Looking {
  readonly repo: string;
  readonly commonDir: string;
  readonly before: TipBook | undefined;
  readonly uses?: ReadonlyMap<string, string | undefined>;
  /** All workers of the repository. */
  readonly members: readonly WorkerRecord[];
  /** Those that live and could move a branch. */
  readonly guarded: readonly WorkerRecord[];
  readonly canWriteRefs: (record: WorkerRecord) => boolean;
}

interface Seen {
  readonly book: TipBook;
  readonly fresh: readonly Fresh[];
}

/** Histories are read before the refs: where somebody commits just then, the next look tells what this one could not. */
export async function lookAtTips(context: CrewContext, looking: Looking): Promise<Seen> {
  const { repo, commonDir, before, uses = new Map<string, undefined>() } = looking;
  const { lastSeq: seq } = context.log;
  const lookedAt = context.clock.now();
  const heads = await headsNow(looking);
  const own = before === undefined ? [] : await ownSteps(context, before.seq);
  const theirs = branchesOfWorkers(looking.members);
  const names = [...namesToKeep(looking, heads)].filter((name) => !theirs.has(name));
  const present = await findBranches(
    { mainRepoPath: repo, gitCommonDir: commonDir, env: context.environment.git },
    names,
  );
  const known = new Map(Object.entries(before?.kept ?? {}).filter(([name]) => !theirs.has(name)));
  const told = heads.flatMap(({ steps }) => steps);
  const attached = new Set(heads.flatMap(({ attached: branch }) => branch ?? []));
  const kept = new Map<string, readonly string[]>();
  const moved = new Map<string, MovedTip>();
  const fresh: Fresh[] = [];
  for (const one of judgeTips({ kept: known, present, told, own, attached })) {
    const found = movedNow(looking, one.branch, {
      to: one.movedTo,
      at: lookedAt + moved.size,
      steps: [...told, ...own],
    });
    kept.set(one.branch, found === undefined && one.movedTo !== undefined ? [...one.kept, one.movedTo] : one.kept);
    if (found === undefined) continue;
    moved.set(one.branch, found.tip);
    const { to, workers } = found.tip;
    if (found.isFresh) fresh.push({ branch: one.branch, from: one.kept.at(-1) ?? '', to, workers });
  }
  for (const [name, tip] of present) if (!known.has(name)) kept.set(name, [...new Set([uses.get(name) ?? tip, tip])]);
  const book = { v: 1 as const, repo, seq, lookedAt, kept: fieldsOf(kept), moved: fieldsOf(moved) };
  return { book: { ...book, heads: Object.fromEntries(heads.map(({ gitDir, now }) => [gitDir, now])) }, fresh };
}

/** Mutable copies, as a file holds them. */
const fieldsOf = <T>(map: ReadonlyMap<string, T>) => Object.fromEntries(map);

interface Read {
  readonly gitDir: string;
  readonly now: KnownHead;
  readonly steps: readonly TipStep[];
  /** The branch that it is on for certain. */
  readonly attached: string | undefined;
}

/**
 * Only checkouts that were there before the first such worker count: a worker could forge one. Where an agent opens the
 * whole git folder, only the main checkout's history is out of reach, so the others tell of their own branch alone.
 */
async function headsNow({ repo, commonDir, before }: Looking): Promise<readonly Read[]> {
  if (before !== undefined)
    return Promise.all(Object.entries(before.heads).map(([gitDir, known]) => headNow(gitDir, known)));
  const all = await foreignCheckouts(commonDir);
  // A bare repository is no checkout.
  const there = repo === commonDir ? all.filter((gitDir) => gitDir !== commonDir) : all;
  return Promise.all(
    there.map(async (gitDir) => {
      const branch = await branchAt(gitDir);
      const only = gitDir === commonDir ? undefined : (branch ?? '');
      const now = { ...defined({ branch, only }), ...(await endOfLog(gitDir)) };
      return { gitDir, now, steps: [], attached: branch };
    }),
  );
}

async function headNow(gitDir: string, known: KnownHead): Promise<Read> {
  const branch = await branchAt(gitDir);
  const { entries, bytes, last } = await newEntries(gitDir, known);
  const { steps, now } = followHead(known, entries);
  const isSilent = entries.length === 0 || (now.branch === undefined && now.rebase === undefined);
  const state: HeadState = isSilent && branch !== undefined ? { branch } : now;
  const { only } = known;
  return {
    gitDir,
    now: { ...defined({ branch: state.branch, rebase: state.rebase, only }), bytes, last },
    steps: only === undefined ? steps : steps.filter((step) => step.branch === only),
    attached: state.branch === branch ? branch : undefined,
  };
}

/** Landings of all servers; git's own histories know only those on a branch that the main checkout is on. */
async function ownSteps(context: CrewContext, since: number): Promise<readonly TipStep[]> {
  const events = await context.log.since(since);
  return events.flatMap(({ type, data: { target: branch, from, to } }) =>
    type === 'landed' && typeof branch === 'string' && typeof from === 'string' && typeof to === 'string'
      ? [{ branch, from, to }]
      : [],
  );
}

/** Their own commits move these, and no history that a worker cannot write tells of them. */
const branchesOfWorkers = (members: readonly WorkerRecord[]): ReadonlySet<string> =>
  new Set(
    members.flatMap(({ branch, worktreePath, phase }) =>
      branch === undefined || worktreePath === undefined || phase === 'closed' ? [] : [branch],
    ),
  );

function namesToKeep({ before, uses, guarded }: Looking, heads: readonly Read[]): ReadonlySet<string> {
  const bases = guarded.flatMap(({ base, landed }) => {
    const name = branchIn(base?.ref ?? '');
    // What began from `origin/main` lands on `main`.
    return [name, name.replace(/^[^/]+\//, ''), landed?.target ?? ''];
  });
  const there = heads.flatMap(({ now }) => now.branch ?? []);
  const names = [...Object.keys(before?.kept ?? {}), ...(uses?.keys() ?? []), ...bases, ...there];
  return new Set(names.filter((name) => name !== ''));
}

interface Standing {
  readonly to: string | undefined;
  readonly at: number;
  readonly steps: readonly TipStep[];
}

/** Undefined where the branch stands well, or no worker was there that could have moved it. */
function movedNow(
  { before, members, guarded, canWriteRefs }: Looking,
  branch: string,
  { to, at, steps }: Standing,
): { readonly tip: MovedTip; readonly isFresh: boolean } | undefined {
  if (to === undefined) return undefined;
  const open = new Map(Object.entries(before?.moved ?? {})).get(branch);
  if (open?.to === to) return { tip: open, isFresh: false };
  const since = before?.lookedAt ?? 0;
  const ended = members.filter((one) => canWriteRefs(one) && one.endedAt !== undefined && one.endedAt >= since);
  const could = new Set([...(open?.workers ?? []), ...[...guarded, ...ended].map(({ id }) => id)]);
  if (could.size === 0) return undefined;
  const wasLed =
    open !== undefined &&
    passed(
      open.to,
      steps.filter((step) => step.branch === branch),
    ).at(-1) === to;
  return { tip: { to, at: wasLed ? open.at : at, workers: [...could] }, isFresh: !wasLed };
}
