// Lands a worker's branch: looks, decides, does one step, and looks again.
import { CrewError } from '../../model/errors.ts';
import { nextStep, type Staged, type TrainEnd, type TrainFacts } from '../../model/train.ts';
import type { LandingResult } from '../../wire/landing.ts';
import { findBranches, repoPlace } from '../../worktree/branch.ts';
import { topOf } from '../../worktree/draft-index.ts';
import { checkoutsOf } from '../../worktree/landing/checkouts.ts';
import { pathsBetween } from '../../worktree/landing/in-the-way.ts';
import { commitLeftovers, draftFor, findLeftovers, type Leftovers } from '../../worktree/landing/leftovers.ts';
import { moveBranch } from '../../worktree/landing/move.ts';
import { presentWork } from '../../worktree/landing/present.ts';
import { scratchPath } from '../../worktree/landing/scratch.ts';
import { subjectsOf } from '../../worktree/landing/sides.ts';
import { stage, targetKnowing } from '../../worktree/landing/stage.ts';
import { type Pointer, unpublishedPointers } from '../../worktree/landing/submodules.ts';
import { losesMerge } from '../../worktree/landing/sync.ts';
import { noLimits } from '../../worktree/landing/take.ts';
import { tryReadGit } from '../../worktree/repo.ts';
import type { Landing } from './landing.ts';
import {
  type Blocked,
  blockedCheckouts,
  bringCheckouts,
  checkoutInTheWay,
  takeBackCheckouts,
} from './landing-checkouts.ts';
import { withBaseHooks } from './landing-sandbox.ts';
import { type LandingTests, runLandingTests } from './landing-tests.ts';
import { endWords, landingMessage, leftoversMessage, mergeMessage } from './landing-words.ts';

export interface Landed {
  readonly as: TrainEnd;
  readonly from: string;
  readonly to: string;
  readonly conflicts: readonly string[];
  readonly tests: LandingTests;
  readonly leftovers: number;
  /** Paths that landed, or that would. */
  readonly files: readonly string[];
  readonly checkout: LandingResult['checkout'];
  readonly reason?: string;
  readonly source: string;
}

/** What this run knows by itself; all else is read from git before each step. */
interface Run {
  staged: Staged | undefined;
  conflicts: readonly string[];
  tests: LandingTests | undefined;
  testedCommit: string | undefined;
  tries: number;
  moved: { from: string; to: string; checkouts: readonly string[] } | undefined;
  /** The target's checkouts, as they were last asked whether what is staged could come to them. */
  way: Way | undefined;
  aside: string | undefined;
  leftovers: number;
  /** Once is enough: what is written while it lands is for the next time. */
  tookLeftovers: boolean;
}

/** Runs the train to its end. Whatever kills it on the way leaves the target where it was, or where it was meant to be. */
export async function runTrain(landing: Landing): Promise<Landed> {
  const run: Run = {
    staged: undefined,
    conflicts: [],
    tests: undefined,
    testedCommit: undefined,
    tries: 0,
    moved: undefined,
    way: undefined,
    aside: undefined,
    leftovers: 0,
    tookLeftovers: false,
  };
  for (;;) {
    if (landing.run.signal.aborted) throw cancelled(landing);
    const { facts, leftovers } = await lookAt(landing, run);
    let step = nextStep(facts);
    if (step.do === 'test') {
      await test(landing, run, step.commit);
      if (run.tests?.status !== 'none' || landing.run.signal.aborted) continue;
      // Nothing ran that could have taken its time, so all is as it was just seen.
      step = nextStep({ ...facts, tested: testedIn(run) });
    }
    switch (step.do) {
      case 'commit-leftovers':
        await takeLeftovers(landing, run, leftovers);
        break;
      case 'stage':
        await stageOnce(landing, run, facts);
        break;
      case 'move':
        await move(landing, run, { ...step, source: facts.source });
        // From here on nothing that is looked at could take the landing back.
        if (run.moved !== undefined) return ended(landing, run, { as: 'landed', facts });
        break;
      case 'refuse':
        throw checkoutInTheWay(landing.context, landing.target, run.way?.blocked ?? []);
      case 'end':
        return ended(landing, run, { as: step.as, facts });
    }
  }
}

const cancelled = ({ target }: Landing) =>
  new CrewError('invalid_argument', `The merge was cancelled; ${target} is where it was.`, 'Call again when ready.');

async function lookAt(landing: Landing, run: Run): Promise<{ facts: TrainFacts; leftovers: Leftovers | undefined }> {
  const { repo, branch, worktree, order } = landing;
  const tips = await tipsOf(landing);
  const looks = worktree !== undefined && !run.tookLeftovers;
  const leftovers = looks ? await findLeftovers({ path: worktree, repo, branch }) : undefined;
  const hasLeftovers = (leftovers?.paths.length ?? 0) > 0;
  run.way = await lookInTheWay(landing, run, tips.target);
  const facts: TrainFacts = {
    target: tips.target,
    source: run.aside ?? tips.branch,
    hasLeftovers,
    staged: run.staged,
    tested: testedIn(run),
    tries: run.tries,
    hasMoved: run.moved !== undefined,
    dryRun: order.dryRun,
    isInTheWay: (run.way?.blocked.length ?? 0) > 0,
  };
  return { facts, leftovers };
}

const testedIn = ({ tests, testedCommit }: Run): TrainFacts['tested'] =>
  tests === undefined || testedCommit === undefined ? undefined : { commit: testedCommit, outcome: tests.status };

async function test(landing: Landing, run: Run, commit: string): Promise<void> {
  landing.run.tell(`testing ${commit.slice(0, 12)} on ${landing.target}`);
  run.tests = await runLandingTests(landing, commit);
  run.testedCommit = commit;
}

interface Way {
  readonly checkouts: readonly string[];
  readonly blocked: readonly Blocked[];
}

/** Asked of what is about to land, before its tests and again after they ran. */
async function lookInTheWay({ repo, target }: Landing, { staged }: Run, at: string): Promise<Way | undefined> {
  if (staged?.commit === undefined || staged.isEmpty || staged.onto !== at) return undefined;
  const checkouts = await checkoutsOf(repo, target);
  return { checkouts, blocked: await blockedCheckouts(repo, checkouts, { from: at, to: staged.commit }) };
}

async function tipsOf({ repo, target, branch }: Landing): Promise<{ target: string; branch: string }> {
  const there = await findBranches(repo, [target, branch]);
  const tip = (name: string): string => {
    const sha = there.get(name);
    if (sha !== undefined) return sha;
    throw new CrewError(
      'base_not_found',
      `The branch ${name} is gone from ${repo.mainRepoPath}.`,
      'Nothing was landed. list_worktrees tells the branches there are.',
    );
  };
  return { target: tip(target), branch: tip(branch) };
}

/** A dry run puts them into a commit that is on no branch. */
async function takeLeftovers(landing: Landing, run: Run, found: Leftovers | undefined): Promise<void> {
  if (found === undefined) return;
  const { record, order, notes } = landing;
  run.leftovers = found.paths.length;
  run.tookLeftovers = true;
  if (order.dryRun)
    run.aside = (await presentWork(topOf(found.folder).path, found.folder, { limits: noLimits }))?.commit;
  else {
    const draft = draftFor(found);
    await notes.note({ leftovers: draft });
    const message = leftoversMessage(record);
    await withBaseHooks(landing, found.folder, (hooks) => commitLeftovers(found, draft, { message, hooks }));
  }
}

async function stageOnce(landing: Landing, run: Run, { target, source }: TrainFacts): Promise<void> {
  const { repo, record, strategy, order, dir, worktree } = landing;
  if (worktree !== undefined)
    refuseAlone(landing, await unpublishedPointers(repo, { worktree, from: target, to: source }));
  const known = await targetKnowing(
    repo,
    { target, source },
    record.landed?.target === landing.target ? record.landed : undefined,
  );
  landing.run.tell(`staging ${landing.branch} on ${landing.target}`);
  const made =
    strategy === 'merge'
      ? mergeMessage(landing.branch, landing.target)
      : landingMessage(record, await subjectsOf(repo, known, source));
  const result = await stage({
    repo,
    target,
    source,
    known,
    strategy,
    message: order.message === undefined ? made : `${order.message.trim()}\n`,
    scratchPath: scratchPath(dir),
  });
  const { commit } = result.staged;
  if (strategy === 'ff-only' && commit !== undefined && (await losesMerge(repo, { own: source, base: known }, commit)))
    throw mergeLost(landing);
  run.staged = result.staged;
  run.conflicts = result.conflicts;
  run.tries += 1;
}

const mergeLost = ({ branch }: Landing) =>
  new CrewError(
    'invalid_argument',
    `${branch} has merge commits with changes of their own, which ff-only would drop.`,
    'Nothing was landed. Pass strategy: "squash" or "merge".',
  );

function refuseAlone({ target, record }: Landing, [first]: readonly Pointer[]): void {
  if (first === undefined) return;
  throw new CrewError(
    'would_lose_work',
    `The submodule ${first.path} stands at ${first.commit.slice(0, 12)}, which only the worktree of ${record.name} has, so on ${target} nobody could check it out.`,
    'Nothing was landed. Have the worker push that commit from the submodule, then run again.',
  );
}

async function move(
  landing: Landing,
  run: Run,
  { from, to, source }: { from: string; to: string; source: string },
): Promise<void> {
  const { repo, target, record, notes } = landing;
  const checkouts = run.way?.checkouts ?? [];
  const commits = { from, to };
  await notes.note({ move: { from, to, source, checkouts: [...checkouts], tests: run.tests?.status ?? 'none' } });
  // Files first: whoever commits there before the branch has moved commits what lands, and never its undoing.
  await bringCheckouts(landing, { paths: checkouts, ...commits });
  const why = `crewmux: land ${record.branch ?? record.name}`;
  if (await moveBranch(repo, { branch: target, ...commits }, why)) run.moved = { ...commits, checkouts };
  else await takeBackCheckouts(landing, { paths: checkouts, ...commits, tip: (await tipsOf(landing)).target });
}

async function ended(landing: Landing, run: Run, end: { as: TrainEnd; facts: TrainFacts }): Promise<Landed> {
  const { facts, as } = end;
  const tests = run.tests ?? { status: 'none' as const, command: null, output: '' };
  const wouldBe = as === 'dry_run' ? run.staged?.commit : undefined;
  const reason = endWords(landing, { as, conflicts: run.conflicts.length, tests: tests.status, tries: run.tries });
  return {
    as,
    from: run.moved?.from ?? facts.target,
    to: run.moved?.to ?? wouldBe ?? facts.target,
    conflicts: as === 'conflict' ? run.conflicts : [],
    tests,
    leftovers: run.leftovers,
    files: await landingFiles(landing, run, facts),
    checkout: (run.moved?.checkouts.length ?? 0) > 0 ? 'updated' : 'none',
    ...(reason === undefined ? {} : { reason }),
    source: facts.source,
  };
}

/** What it would be where the two sides do not agree: all that the branch changes. */
async function landingFiles({ repo }: Landing, { staged }: Run, facts: TrainFacts): Promise<readonly string[]> {
  if (staged?.isEmpty === true) return [];
  const place = repoPlace(repo);
  if (staged?.commit !== undefined) return pathsBetween(place, { from: staged.onto, to: staged.commit });
  const shared = await tryReadGit(place, ['merge-base', facts.target, facts.source]);
  return pathsBetween(place, { from: shared.stdout.trim() || facts.target, to: facts.source });
}
