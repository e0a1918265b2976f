// Judges the graph of a plan: whether it can be done, and in which order.
import { CrewError } from '../../model/errors.ts';
import { nearest } from '../../model/nearest.ts';
import type { Brings } from '../../model/task.ts';
import { problemOfGlob } from '../../model/touch-set.ts';

export interface GraphJob {
  readonly name: string;
  /** Names; those of no job given are left aside. */
  readonly dependsOn: readonly string[];
}

export interface TouchingJob extends GraphJob {
  readonly touchSet: readonly string[];
  readonly brings?: Brings;
}

/** By the place of each job in its list, ascending. */
interface Graph {
  readonly needs: readonly (readonly number[])[];
  readonly neededBy: readonly (readonly number[])[];
}

function graphOf(jobs: readonly GraphJob[]): Graph {
  const places = new Map(jobs.map(({ name }, at) => [name, at]));
  const needs = jobs.map(({ dependsOn }) => [...new Set(dependsOn.flatMap((name) => places.get(name) ?? []))]);
  const neededBy: number[][] = jobs.map(() => []);
  for (const [at, before] of needs.entries()) for (const one of before) neededBy[one]?.push(at);
  return { needs, neededBy };
}

/** Jobs on a circle, and those behind one, are in no wave. */
function wavesIn({ needs, neededBy }: Graph): readonly (readonly number[])[] {
  const open = needs.map(({ length }) => length);
  const waves: number[][] = [];
  let wave = open.flatMap((count, at) => (count === 0 ? [at] : []));
  while (wave.length > 0) {
    waves.push(wave);
    const next: number[] = [];
    for (const one of wave.flatMap((at) => neededBy[at] ?? [])) {
      const left = (open[one] ?? 0) - 1;
      open[one] = left;
      if (left === 0) next.push(one);
    }
    wave = next.sort((a, b) => a - b);
  }
  return waves;
}

const namesAt = (jobs: readonly GraphJob[], places: readonly number[]): readonly string[] =>
  places.flatMap((at) => jobs[at]?.name ?? []);

/** Each wave holds the jobs whose dependencies are all in earlier ones. */
export const wavesOf = (jobs: readonly GraphJob[]): readonly (readonly string[])[] =>
  wavesIn(graphOf(jobs)).map((wave) => namesAt(jobs, wave));

/** The chain of most jobs; of several, the one whose jobs come first. */
export function criticalPath(jobs: readonly GraphJob[]): readonly string[] {
  const graph = graphOf(jobs);
  const lengths = jobs.map(() => 0);
  const longest = (places: readonly number[]) => places.reduce((most, at) => Math.max(most, lengths[at] ?? 0), 0);
  for (const at of wavesIn(graph).toReversed().flat()) lengths[at] = 1 + longest(graph.neededBy[at] ?? []);
  const path: number[] = [];
  let among: readonly number[] = [...jobs.keys()];
  for (let length = longest(among); length > 0; length--) {
    const next = among.find((at) => lengths[at] === length);
    if (next === undefined) break;
    path.push(next);
    among = graph.neededBy[next] ?? [];
  }
  return namesAt(jobs, path);
}

/** From what each id depends on: ids of which each depends on the next, the first again at the end. */
export function cycleIn(edges: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const jobs = [...edges].map(([name, dependsOn]) => ({ name, dependsOn }));
  const free = new Set(wavesOf(jobs).flat());
  const path: string[] = [];
  const seen = new Map<string, number>();
  let id = jobs.find(({ name }) => !free.has(name))?.name;
  while (id !== undefined) {
    const from = seen.get(id);
    if (from !== undefined) return [...path.slice(from), id];
    seen.set(id, path.length);
    path.push(id);
    id = edges.get(id)?.find((next) => edges.has(next) && !free.has(next));
  }
  return undefined;
}

const refuse = (message: string, hint: string): never => {
  throw new CrewError('invalid_argument', message, hint);
};
const show = (text: string): string => JSON.stringify(text.slice(0, 200));

/** `known` are the names of jobs that the plan has already. Throws for the first thing that is wrong. */
export function refuseBadPlan(jobs: readonly TouchingJob[], known: Iterable<string> = []): void {
  const there = [...known];
  refuseBadNames(jobs, there);
  refuseBadDependencies(jobs, [...there, ...jobs.map(({ name }) => name)]);
  for (const { name, touchSet } of jobs) {
    for (const glob of touchSet) {
      const problem = problemOfGlob(glob);
      if (problem === undefined) continue;
      refuse(
        `The job ${show(name)} has ${show(glob)} in its touch_set: ${problem}.`,
        'Give paths from the top of the repository, such as src/api/ or docs/*.md; an empty touch_set covers all paths.',
      );
    }
  }
}

/** Why no branch can be called so; undefined for a good name of a job or plan. */
export function problemOfName(name: string): string | undefined {
  if (name.includes('..')) return 'it holds ".."';
  if (name.endsWith('.')) return 'it ends in "."';
  if (/\.lock$/i.test(name)) return 'it ends in ".lock"';
  return undefined;
}

function refuseBadNames(jobs: readonly GraphJob[], known: readonly string[]): void {
  const taken = new Map(known.map((name) => [name.toLowerCase(), name]));
  for (const { name } of jobs) {
    const problem = problemOfName(name);
    if (problem !== undefined) {
      refuse(`${show(name)} cannot be the name of a job, because git takes no such branch: ${problem}.`, 'Rename it.');
    }
    const other = taken.get(name.toLowerCase());
    if (other !== undefined) {
      refuse(
        other === name
          ? `Two jobs have the name ${show(name)}.`
          : `The names ${show(other)} and ${show(name)} of two jobs differ only in case.`,
        known.includes(other)
          ? `The plan has the job ${show(other)} already. Give the new job another name.`
          : 'Give each job a name of its own.',
      );
    }
    taken.set(name.toLowerCase(), name);
  }
}

function refuseBadDependencies(jobs: readonly GraphJob[], names: readonly string[]): void {
  const all = new Set(names);
  for (const { name, dependsOn } of jobs) {
    const unknown = dependsOn.find((other) => !all.has(other));
    if (unknown !== undefined) {
      const others = names.filter((other) => other !== name);
      const close = nearest(unknown, others);
      refuse(
        `The job ${show(name)} depends on ${show(unknown)}, and no job has that name.`,
        close === undefined ? `Names of the other jobs: ${some(others)}.` : `Did you mean ${show(close)}?`,
      );
    }
    if (dependsOn.includes(name)) {
      refuse(`The job ${show(name)} depends on itself.`, `Take ${show(name)} out of its depends_on.`);
    }
  }
  const cycle = cycleIn(new Map(jobs.map(({ name, dependsOn }) => [name, dependsOn])));
  if (cycle === undefined) return;
  refuse(
    `The jobs depend on each other in a circle: ${cycle.join(' -> ')}.`,
    `Each waits for the next. Take one of these out of the depends_on of the job before it.`,
  );
}

const mostShown = 20;
/** A few of the words, and how many more there are. */
export const some = (words: readonly string[], most = mostShown): string =>
  words.length === 0
    ? 'none'
    : `${words.slice(0, most).join(', ')}${words.length > most ? ` and ${words.length - most} more` : ''}`;

/** Whether two jobs, by their places, may run at the same time: neither depends on the other, directly or not. */
export function mayRunTogether(jobs: readonly GraphJob[]): (a: number, b: number) => boolean {
  const graph = graphOf(jobs);
  // A bit for each job that comes before, 32 to a word.
  const above = jobs.map(() => new Uint32Array(Math.ceil(jobs.length / 32)));
  for (const at of wavesIn(graph).flat()) {
    const mine = above[at] ?? new Uint32Array();
    for (const one of graph.needs[at] ?? []) {
      const theirs = above[one] ?? mine;
      for (let word = 0; word < mine.length; word++) mine[word] = (mine[word] ?? 0) | (theirs[word] ?? 0);
      mine[one >>> 5] = (mine[one >>> 5] ?? 0) | (1 << (one & 31));
    }
  }
  const isAbove = (a: number, b: number) => (((above[b]?.[a >>> 5] ?? 0) >>> (a & 31)) & 1) === 1;
  return (a, b) => a !== b && !isAbove(a, b) && !isAbove(b, a);
}
