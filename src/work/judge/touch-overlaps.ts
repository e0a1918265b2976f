// Finds jobs of a plan that may run at the same time and change the same files.
import { isPattern } from '../../model/glob.ts';
import { type Reach, reachesMeet, reachOf } from '../../model/touch-set.ts';
import { mayRunTogether, some, type TouchingJob } from './plan-graph.ts';

/** Names of two jobs, and a glob of each that may cover the same path. */
export interface Overlap {
  readonly a: string;
  readonly b: string;
  readonly globs: readonly [string, string];
}

/** The globs of one reach. */
interface Area {
  readonly reach: Reach;
  /** The names before the first pattern: two areas meet only where one's head begins with the other's. */
  readonly head: readonly string[];
  /** The first such glob of each job, and the job's place. */
  readonly globs: { readonly at: number; readonly glob: string }[];
}

function areasOf(jobs: readonly TouchingJob[]): readonly Area[] {
  const areas = new Map<string, Area>();
  for (const [at, { touchSet }] of jobs.entries()) {
    for (const glob of touchSet) {
      const reach = reachOf(glob);
      const names = reach.map(({ name }) => name);
      const pattern = names.findIndex(isPattern);
      const key = names.join('/');
      const area = areas.get(key) ?? { reach, head: pattern === -1 ? names : names.slice(0, pattern), globs: [] };
      areas.set(key, area);
      if (area.globs.at(-1)?.at !== at) area.globs.push({ at, glob });
    }
  }
  return [...areas.values()];
}

/** Each pair of areas that meet, once; an area meets itself. */
function* meetings(areas: readonly Area[]): Generator<readonly [Area, Area]> {
  const byHead = new Map<string, Area[]>();
  for (const area of areas) {
    const key = area.head.join('/');
    const alike = byHead.get(key) ?? [];
    byHead.set(key, alike);
    alike.push(area);
  }
  for (const area of areas) {
    for (let length = 0; length <= area.head.length; length++) {
      for (const other of byHead.get(area.head.slice(0, length).join('/')) ?? []) {
        if (reachesMeet(other.reach, area.reach)) yield [other, area];
        if (other === area) break;
      }
    }
  }
}

/** One for each pair of jobs that may run at the same time and whose touch sets may cover the same path. */
export function overlapsOf(jobs: readonly TouchingJob[]): readonly Overlap[] {
  const together = mayRunTogether(jobs);
  const found = new Map<number, Overlap>();
  for (const [one, other] of meetings(areasOf(jobs))) {
    for (const x of one.globs) {
      for (const y of other.globs) {
        const [first, last] = x.at < y.at ? [x, y] : [y, x];
        const pair = first.at * jobs.length + last.at;
        const [a, b] = [jobs[first.at], jobs[last.at]];
        if (a === undefined || b === undefined || found.has(pair) || !together(first.at, last.at)) continue;
        found.set(pair, { a: a.name, b: b.name, globs: [first.glob, last.glob] });
      }
    }
  }
  return [...found].sort(([a], [b]) => a - b).map(([, overlap]) => overlap);
}

const mostWarnings = 20;

/** What may go wrong with jobs at the same time, in sentences; none where nothing can. */
export function warningsOf(jobs: readonly TouchingJob[]): readonly string[] {
  const overlaps = overlapsOf(jobs);
  const pairs = overlaps
    .slice(0, mostWarnings)
    .map(({ a, b, globs: [x, y] }) =>
      x === y
        ? `${a} and ${b} may run at the same time and change the same files, both by ${x}`
        : `${a} and ${b} may run at the same time and change the same files, ${a} by ${x} and ${b} by ${y}`,
    );
  const more = overlaps.length - pairs.length;
  const rest = more === 0 ? [] : [`${more} more pairs of jobs may run at the same time and change the same files`];
  return [...pairs, ...rest, ...boundless(jobs)];
}

function boundless(jobs: readonly TouchingJob[]): readonly string[] {
  const together = mayRunTogether(jobs);
  // A report changes no file.
  const changes = (job: TouchingJob) => job.brings !== 'report';
  const meets = (at: number) => jobs.some((job, other) => changes(job) && together(at, other));
  const without = jobs
    .filter((job, at) => changes(job) && job.touchSet.length === 0 && meets(at))
    .map(({ name }) => name);
  if (without.length === 0) return [];
  const [jobsHave, files] =
    without.length === 1 ? ['1 job has', 'it may'] : [`${without.length} jobs have`, 'each may'];
  return [`${jobsHave} no touch_set, so ${files} change any file while other jobs run: ${some(without)}`];
}
