// Where branches were led since the last look, and which of them stand elsewhere. Pure.
import { defined } from '../../model/defined.ts';

/** A line of a checkout's history of HEAD. */
export interface HeadEntry {
  readonly from: string;
  readonly to: string;
  readonly message: string;
}

/** What a checkout's HEAD is on. */
export interface HeadState {
  /** Undefined while a rebase runs. */
  readonly branch?: string;
  /** The rebase that runs: the branch before it, and the commit where it began. */
  readonly rebase?: { readonly branch?: string; readonly from: string };
}

/** Somebody led a branch from one commit to another; from any commit where `from` is undefined. */
export interface TipStep {
  readonly branch: string;
  readonly from?: string | undefined;
  readonly to: string;
}

export interface Followed {
  readonly steps: readonly TipStep[];
  readonly now: HeadState;
}

/** The steps that the entries of a checkout tell. One that only changes to a branch leads it nowhere. */
export function followHead(before: HeadState, entries: readonly HeadEntry[]): Followed {
  const steps: TipStep[] = [];
  let now = before;
  for (const { from, to, message } of entries) {
    const entered =
      /^checkout: moving from .+ to (.+)$/.exec(message)?.[1] ??
      /^Branch: renamed refs\/heads\/.+ to refs\/heads\/(.+)$/.exec(message)?.[1];
    const returned = /: returning to refs\/heads\/(.+)$/.exec(message)?.[1];
    if (entered !== undefined) now = { branch: entered };
    else if (/^[^:]* \(start\): checkout |^rebase: checkout /.test(message))
      now = { rebase: { ...defined({ branch: now.branch }), from } };
    else if (returned !== undefined) {
      steps.push({ branch: returned, from: now.rebase?.branch === returned ? now.rebase.from : undefined, to });
      now = { branch: returned };
    } else if (/^[^:]* \(abort\)/.test(message)) now = defined({ branch: now.rebase?.branch });
    else if (now.branch !== undefined) steps.push({ branch: now.branch, from, to });
  }
  return { steps, now };
}

/** The commits that a branch passed from `tip` on, with the last one where it should stand. Each step leads once. */
export function passed(tip: string, steps: readonly TipStep[]): readonly string[] {
  const left = steps.filter(({ from, to }) => from !== to);
  const way = [tip];
  for (;;) {
    const at = left.findIndex(({ from }) => from === undefined || from === way.at(-1));
    const [step] = at === -1 ? [] : left.splice(at, 1);
    if (step === undefined) return way;
    way.push(step.to);
  }
}

export interface BranchTips {
  /** By branch: the commits at which it was known to stand, the newest last. */
  readonly kept: ReadonlyMap<string, readonly string[]>;
  /** Where the branches stand; one that is gone is left out. */
  readonly present: ReadonlyMap<string, string>;
  /** Told by the histories of HEAD, oldest first. */
  readonly told: readonly TipStep[];
  /** Of crewmux itself; a history may tell the same. */
  readonly own: readonly TipStep[];
  /** Branches that a checkout is on, so that its history ends where they should stand. */
  readonly attached: ReadonlySet<string>;
}

export interface JudgedBranch {
  readonly branch: string;
  /** The commits at which it was known to stand, the newest last. */
  readonly kept: readonly string[];
  /** Where it stands, and nobody who may has led it there. */
  readonly movedTo?: string;
}

const mostKept = 20;

/** What holds of each branch that is kept. */
export const judgeTips = ({ kept, present, told, own, attached }: BranchTips): readonly JudgedBranch[] =>
  [...kept].map(([branch, known]) => {
    const tip = known.at(-1) ?? '';
    const toldOf = told.filter((step) => step.branch === branch);
    const ownOf = own.filter(
      (step) => step.branch === branch && !toldOf.some(({ from, to }) => from === step.from && to === step.to),
    );
    const way = passed(tip, [...toldOf, ...ownOf]);
    const stands = present.get(branch);
    // Commits on a HEAD that is on no branch may look like commits on the one it came from.
    const isThere = stands === undefined || stands === way.at(-1) || (stands === tip && !attached.has(branch));
    const last = isThere && stands === tip ? [] : way.slice(1);
    return {
      branch,
      kept: [...known, ...last].slice(-mostKept),
      ...defined({ movedTo: isThere ? undefined : stands }),
    };
  });

/** The local branch that words for a commit name, such as `main~2` or `refs/heads/main`. */
export const branchIn = (words: string): string =>
  words.replace(/^(refs\/)?heads\//, '').replace(/[\^~:].*$|@\{.*$/s, '');
