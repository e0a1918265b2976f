// Takes the steps of a landing: looks at git, decides, takes one step, and looks again.
import { advise, call } from '../../model/advice.ts';
import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import { outside as pathsOutside } from '../../model/touch-set.ts';
import { nextStep, type Staged, type TrainEnd, type TrainFacts } from '../../model/train.ts';
import type { LandingResult } from '../../wire/landing.ts';
import { findBranches, repoPlace } from '../../worktree/git/branch.ts';
import { topOf } from '../../worktree/git/draft-index.ts';
import type { FolderFacts } from '../../worktree/git/inspect.ts';
import { type Commits, changesBetween, type PathChange, pathsBetween } from '../../worktree/git/path-changes.ts';
import { tryReadGit } from '../../worktree/git/repo.ts';
import { noLimits } from '../../worktree/git/take.ts';
import { checkoutAt, checkoutsOf } from '../../worktree/landing/checkouts.ts';
import { commitLeftovers, draftFor, findLeftovers, type Leftovers } from '../../worktree/landing/leftovers.ts';
import { moveBranch } from '../../worktree/landing/move.ts';
import { presentWork } from '../../worktree/landing/present.ts';
import { scratchPath } from '../../worktree/landing/scratch.ts';
import { stage, targetKnowing } from '../../worktree/landing/stage.ts';
import { unpublishedPointers } from '../../worktree/landing/submodules.ts';
import { losesMerge } from '../../worktree/landing/sync.ts';
import { refuseMoved } from '../workers/tips.ts';
import { fixWatched } from './fixed-commits.ts';
import type { BranchLanding } from './landing.ts';
import {
  type Blocked,
  blockedCheckouts,
  bringCheckouts,
  checkoutInTheWay,
  takeBackCheckouts,
} from './landing-checkouts.ts';
import { withBaseHooks } from './landing-sandbox.ts';
import { type LandingTests, noTests, runLandingTests, type TargetTests, testTarget } from './landing-tests.ts';
import { commitMessage, endWords, leftoversMessage, mergeLost } from './landing-words.ts';

export interface Landed {
  readonly as: TrainEnd;
  readonly from: string;
  readonly to: string;
  readonly conflicts: readonly string[];
  /** Paths that it changes and must not. */
  readonly outside: readonly string[];
  readonly tests: LandingTests;
  /** They fail on the target without it too. */
  readonly redTarget?: TargetTests;
  readonly leftovers: number;
  /** Paths that landed, or that would. */
  readonly files: readonly string[];
  readonly checkout: LandingResult['checkout'];
  readonly reason?: string;
  readonly source: string;
}

/** The facts that only this process knows. The rest comes from git before each step. */
interface Progress {
  staged?: Staged;
  /** What of the target it changes. */
  changes: readonly PathChange[];
  conflicts: readonly string[];
  tested?: { readonly commit: string; readonly tests: LandingTests };
  onTarget?: TargetTests;
  /** How often something was staged. */
  tries: number;
  moved?: Commits;
  /** The checkouts of the target, as of the last look. */
  checkouts: Checkouts;
  /** The commit of a dry run that holds the leftovers; no branch holds it. */
  aside?: string | undefined;
  /** The number of leftover paths, once crewmux has committed them. */
  leftovers?: number;
}

interface Checkouts {
  readonly folders: readonly FolderFacts[];
  readonly blocked: readonly Blocked[];
}

const noCheckouts: Checkouts = { folders: [], blocked: [] };

/** Wherever a kill ends it, the target holds its old commit or the whole landing. */
export async function takeSteps(landing: BranchLanding): Promise<Landed> {
  const { repo, branch, worktree } = landing;
  const progress: Progress = { changes: [], conflicts: [], tries: 0, checkouts: noCheckouts };
  await fixWatched(landing, async () => Object.values(await tipsOf(landing)));
  // Only once: files that somebody writes during the landing are for the next one.
  const leftovers = worktree === undefined ? undefined : await findLeftovers({ path: worktree, repo, branch });
  const found = leftovers !== undefined && leftovers.paths.length > 0;
  for (;;) {
    if (landing.run.signal.aborted) throw cancelled(landing);
    const facts: TrainFacts = {
      ...(await lookAt(landing, progress)),
      hasLeftovers: found && progress.leftovers === undefined,
    };
    let step = nextStep(facts);
    if (step.do === 'test') {
      landing.run.tell(`testing ${step.commit.slice(0, 12)} on ${landing.target}`);
      const tests = await runLandingTests(landing, step.commit);
      progress.tested = { commit: step.commit, tests };
      if (tests.status !== 'none' || landing.run.signal.aborted) continue;
      // No test ran, so no time has passed and the facts still hold.
      step = nextStep({ ...facts, tested: testedIn(progress) });
    }
    switch (step.do) {
      case 'commit-leftovers':
        await takeLeftovers(landing, progress, leftovers);
        break;
      case 'stage':
        await stageOnce(landing, progress, facts);
        break;
      case 'test-target':
        progress.onTarget = await testTarget(landing, step.commit, progress.tested?.tests.command ?? '');
        break;
      case 'move':
        await move(landing, progress, { ...step, source: facts.source });
        // No later fact takes the landing back.
        if (progress.moved !== undefined) return ended(landing, progress, { as: 'landed', facts });
        break;
      case 'refuse':
        throw checkoutInTheWay(landing.context, landing.target, progress.checkouts.blocked);
      case 'end':
        return ended(landing, progress, { as: step.as, facts });
    }
  }
}

const cancelled = ({ target }: BranchLanding) =>
  new CrewError('invalid_argument', `The merge was cancelled; ${target} is where it was.`, 'Call again when ready.');

async function lookAt(landing: BranchLanding, progress: Progress): Promise<Omit<TrainFacts, 'hasLeftovers'>> {
  const tips = await tipsOf(landing);
  const uses = { [landing.target]: tips.target, [landing.branch]: tips.branch };
  await refuseMoved(landing.context, landing.repo, new Map(Object.entries(uses)));
  progress.checkouts = await lookAtCheckouts(landing, progress, tips.target);
  return {
    target: tips.target,
    source: progress.aside ?? tips.branch,
    staged: progress.staged,
    tested: testedIn(progress),
    whereRed: landing.order.whereRed,
    onTarget: progress.onTarget,
    tries: progress.tries,
    hasMoved: progress.moved !== undefined,
    dryRun: landing.order.dryRun,
    outside: pathsOutside(
      landing.order.touchSet ?? [],
      progress.changes.map(({ path }) => path),
    ),
    isInTheWay: progress.checkouts.blocked.length > 0,
  };
}

const testedIn = ({ tested }: Progress): TrainFacts['tested'] =>
  tested && { commit: tested.commit, outcome: tested.tests.status };

/** Looks before the tests of the staged commit, and again after them. */
async function lookAtCheckouts(
  { repo, target }: BranchLanding,
  { staged, changes }: Progress,
  at: string,
): Promise<Checkouts> {
  if (staged?.commit === undefined || staged.isEmpty || staged.onto !== at) return noCheckouts;
  const paths = await checkoutsOf(repo, target);
  const folders = await Promise.all(paths.map((path) => checkoutAt(repo, path)));
  return { folders, blocked: await blockedCheckouts(folders, changes) };
}

async function tipsOf({ repo, target, branch }: BranchLanding): Promise<{ target: string; branch: string }> {
  const found = await findBranches(repo, [target, branch]);
  const tip = (name: string): string => {
    const sha = found.get(name);
    if (sha !== undefined) return sha;
    throw new CrewError(
      'base_not_found',
      `The branch ${name} is gone from ${repo.mainRepoPath}.`,
      advise`Nothing was landed. ${call('list_worktrees', '`git branch`')} tells the branches there are.`,
    );
  };
  return { target: tip(target), branch: tip(branch) };
}

async function takeLeftovers(landing: BranchLanding, progress: Progress, found: Leftovers | undefined): Promise<void> {
  if (found === undefined) return;
  const { owner, order, notes } = landing;
  progress.leftovers = found.paths.length;
  if (order.dryRun) {
    progress.aside = (await presentWork(topOf(found.folder).path, found.folder, { limits: noLimits }))?.commit;
    return;
  }
  const draft = draftFor(found);
  await notes.note({ leftovers: draft });
  const message = leftoversMessage(owner);
  await withBaseHooks(landing, found.folder, (hooks) => commitLeftovers(found, draft, { message, hooks }));
}

async function stageOnce(landing: BranchLanding, progress: Progress, { target, source }: TrainFacts): Promise<void> {
  const { repo, branch, strategy, dir } = landing;
  await fixWatched(landing, () => [target]);
  const known = await targetKnowing(repo, { target, source }, landing.landed);
  landing.run.tell(`staging ${branch} on ${landing.target}`);
  const message = await commitMessage(landing, { from: known, to: source });
  const request = { repo, target, source, known, strategy, message, scratchPath: scratchPath(dir) };
  const { staged, conflicts } = await stage(request);
  if (
    strategy === 'ff-only' &&
    staged.commit !== undefined &&
    (await losesMerge(repo, { own: source, base: known }, staged.commit))
  )
    throw mergeLost(landing);
  // git writes no object that is there already, so a worker that guessed its id may have been first.
  await fixWatched(landing, () => [source, staged.commit ?? target]);
  const isChange = staged.commit !== undefined && !staged.isEmpty;
  const changes = isChange ? await changesBetween(repoPlace(repo), { from: target, to: staged.commit }) : [];
  await refuseUnpublished(landing, changes);
  progress.staged = staged;
  progress.changes = changes;
  progress.conflicts = conflicts;
  progress.tries += 1;
}

async function refuseUnpublished(
  { repo, worktree, target, owner }: BranchLanding,
  changes: readonly PathChange[],
): Promise<void> {
  if (worktree === undefined) return;
  const [first] = await unpublishedPointers(repo, { worktree, changes });
  if (first === undefined) return;
  throw new CrewError(
    'would_lose_work',
    `The submodule ${first.path} stands at ${first.commit.slice(0, 12)}, which only the worktree of ${owner.name} has, so on ${target} nobody could check it out.`,
    'Nothing was landed. Have the worker push that commit from the submodule, then run again.',
  );
}

async function move(
  landing: BranchLanding,
  progress: Progress,
  { from, to, source }: Commits & { readonly source: string },
): Promise<void> {
  const { repo, target, branch, notes } = landing;
  const { folders: checkouts } = progress.checkouts;
  const paths = checkouts.map((folder) => topOf(folder).path);
  const tests = progress.tested?.tests.status ?? 'none';
  await notes.note({ move: { from, to, source, checkouts: paths, tests } });
  // Files first: a commit made in a checkout before the branch moves then holds the landing, and does not undo it.
  await bringCheckouts(landing, { checkouts, from, to });
  const why = `crewmux: land ${branch}`;
  if (await moveBranch(repo, { branch: target, from, to }, why)) progress.moved = { from, to };
  else await takeBackCheckouts(landing.context, { checkouts, from, to, tip: (await tipsOf(landing)).target });
}

async function ended(
  landing: BranchLanding,
  progress: Progress,
  { as, facts }: { as: TrainEnd; facts: TrainFacts },
): Promise<Landed> {
  const { conflicts, tries, staged, moved, checkouts, leftovers = 0, onTarget } = progress;
  const tests = progress.tested?.tests ?? noTests;
  const redTarget = tests.status === 'failed' && onTarget?.outcome === 'failed' ? onTarget : undefined;
  const wouldBe = as === 'dry_run' ? staged?.commit : undefined;
  const outside = as === 'outside' ? facts.outside : [];
  const { touchSet = [] } = landing.order;
  const reason = endWords(landing, {
    as,
    conflicts: conflicts.length,
    outside,
    touchSet,
    tests: tests.status,
    isRed: redTarget !== undefined,
    tries,
  });
  return {
    as,
    from: moved?.from ?? facts.target,
    to: moved?.to ?? wouldBe ?? facts.target,
    conflicts: as === 'conflict' ? conflicts : [],
    outside,
    tests,
    leftovers,
    files: await landingFiles(landing, progress, facts),
    checkout: moved !== undefined && checkouts.folders.length > 0 ? 'updated' : 'none',
    ...defined({ reason, redTarget }),
    source: facts.source,
  };
}

/** Where the two sides conflict: all paths that the branch changes. */
async function landingFiles(
  { repo }: BranchLanding,
  { staged, changes }: Progress,
  facts: TrainFacts,
): Promise<readonly string[]> {
  if (staged?.commit !== undefined) return changes.map(({ path }) => path);
  const place = repoPlace(repo);
  const shared = await tryReadGit(place, ['merge-base', facts.target, facts.source]);
  return pathsBetween(place, { from: shared.stdout.trim() || facts.target, to: facts.source });
}
