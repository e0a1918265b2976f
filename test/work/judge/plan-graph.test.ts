import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CrewError } from '../../../src/model/errors.ts';
import { criticalPath, cycleIn, mayRunTogether, refuseBadPlan, wavesOf } from '../../../src/work/judge/plan-graph.ts';

const job = (name: string, dependsOn: readonly string[] = [], touchSet: readonly string[] = []) => ({
  name,
  dependsOn,
  touchSet,
});

/** Of jobs that each depend on some before it, listed in any order. */
const acyclic = fc
  .array(fc.array(fc.nat(11), { maxLength: 4 }), { minLength: 1, maxLength: 12 })
  .map((needs) =>
    needs.map((before, at) =>
      job(
        `j${at}`,
        before.filter((one) => one < at).map((one) => `j${one}`),
      ),
    ),
  )
  .chain((jobs) => fc.shuffledSubarray(jobs, { minLength: jobs.length }));

const anyGraph = fc
  .array(fc.array(fc.nat(7), { maxLength: 3 }), { minLength: 1, maxLength: 8 })
  .map((needs) => new Map(needs.map((before, at) => [`j${at}`, before.map((one) => `j${one}`)])));

type Jobs = readonly ReturnType<typeof job>[];
const needsOf = (jobs: Jobs, name: string): readonly string[] => jobs.find((one) => one.name === name)?.dependsOn ?? [];
const chainsFrom = (jobs: Jobs, name: string): readonly (readonly string[])[] => {
  const next = jobs.filter(({ dependsOn }) => dependsOn.includes(name));
  return next.length === 0
    ? [[name]]
    : next.flatMap((one) => chainsFrom(jobs, one.name).map((rest) => [name, ...rest]));
};
const dependsAtLast = (jobs: Jobs, name: string, on: string): boolean =>
  needsOf(jobs, name).some((one) => one === on || dependsAtLast(jobs, one, on));

describe('refuseBadPlan', () => {
  const refusal = (jobs: Jobs, known: readonly string[] = []) => {
    try {
      refuseBadPlan(jobs, known);
    } catch (error) {
      if (error instanceof CrewError) return `${error.code}: ${error.message} ${error.hint}`;
      throw error;
    }
    return undefined;
  };

  it.each<[Jobs, string]>([
    [[job('api'), job('api')], 'invalid_argument: Two jobs have the name "api". Give each job a name of its own.'],
    [
      [job('api'), job('Api')],
      'invalid_argument: The names "api" and "Api" of two jobs differ only in case. Give each job a name of its own.',
    ],
    [
      [job('old')],
      'invalid_argument: Two jobs have the name "old". The plan has the job "old" already. Give the new job another name.',
    ],
    [
      [job('OLD')],
      'invalid_argument: The names "old" and "OLD" of two jobs differ only in case. The plan has the job "old" already. Give the new job another name.',
    ],
    [
      [job('refs.lock')],
      'invalid_argument: "refs.lock" cannot be the name of a job, because git takes no such branch: it ends in ".lock". Rename it.',
    ],
    [
      [job('a..b')],
      'invalid_argument: "a..b" cannot be the name of a job, because git takes no such branch: it holds "..". Rename it.',
    ],
    [
      [job('v1.')],
      'invalid_argument: "v1." cannot be the name of a job, because git takes no such branch: it ends in ".". Rename it.',
    ],
    [
      [job('server'), job('ui', ['sever'])],
      'invalid_argument: The job "ui" depends on "sever", and no job has that name. Did you mean "server"?',
    ],
    [
      [job('ui', ['something-else'])],
      'invalid_argument: The job "ui" depends on "something-else", and no job has that name. Names of the other jobs: old.',
    ],
    [[job('ui', ['ui'])], 'invalid_argument: The job "ui" depends on itself. Take "ui" out of its depends_on.'],
    [
      [job('x', ['a']), job('a', ['b']), job('b', ['c']), job('c', ['a'])],
      'invalid_argument: The jobs depend on each other in a circle: a -> b -> c -> a. Each waits for the next. Take one of these out of the depends_on of the job before it.',
    ],
    [
      [job('ui', [], ['src/', '../other'])],
      'invalid_argument: The job "ui" has "../other" in its touch_set: it leaves the repository. Give paths from the top of the repository, such as src/api/ or docs/*.md; an empty touch_set covers all paths.',
    ],
  ])('%# says what is wrong and what to do', (jobs, words) => {
    expect(refusal(jobs, ['old'])).toBe(words);
  });

  it('lets a new job depend on one that the plan has already', () => {
    expect(
      refusal([job('ui', ['old', 'old'], ['src/ui/']), job('.lock-free'), job('a.lock.b')], ['old']),
    ).toBeUndefined();
  });

  it('shortens a long list of names', () => {
    const many = Array.from({ length: 30 }, (_, at) => job(`job${at}`));
    expect(refusal([...many, job('z', ['quite-unlike'])])).toMatch(/job19 and 10 more\.$/);
  });

  it('takes every plan without a circle, and refuses the others', () => {
    fc.assert(fc.property(acyclic, (jobs) => refusal(jobs) === undefined));
    fc.assert(
      fc.property(anyGraph, (edges) => {
        const jobs = [...edges].map(([name, dependsOn]) =>
          job(
            name,
            dependsOn.filter((one) => edges.has(one)),
          ),
        );
        const isOnCircle = jobs.some(({ name }) => reaches(edges, name).has(name));
        expect(refusal(jobs) !== undefined).toBe(isOnCircle);
      }),
    );
  });
});

function reaches(edges: ReadonlyMap<string, readonly string[]>, from: string): ReadonlySet<string> {
  const seen = new Set<string>();
  const open = [...(edges.get(from) ?? [])];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (seen.has(one)) continue;
    seen.add(one);
    open.push(...(edges.get(one) ?? []));
  }
  return seen;
}

describe('cycleIn', () => {
  it.each<[Record<string, readonly string[]>, readonly string[] | undefined]>([
    [{}, undefined],
    [{ a: ['b'], b: [] }, undefined],
    [{ a: ['b', 'gone'], b: ['gone'] }, undefined],
    [{ a: ['a'] }, ['a', 'a']],
    [{ a: ['b'], b: ['a'] }, ['a', 'b', 'a']],
    [{ before: ['a'], a: ['free', 'b'], b: ['a'], free: [] }, ['a', 'b', 'a']],
  ])('of %j is %j', (edges, cycle) => {
    expect(cycleIn(new Map(Object.entries(edges)))).toEqual(cycle);
  });

  it('is there when something reaches itself, and each of it depends on the next', () => {
    fc.assert(
      fc.property(anyGraph, (edges) => {
        const cycle = cycleIn(edges);
        expect(cycle !== undefined).toBe([...edges.keys()].some((id) => reaches(edges, id).has(id)));
        expect(cycle?.at(0)).toBe(cycle?.at(-1));
        expect(new Set(cycle).size).toBe(Math.max(0, (cycle?.length ?? 1) - 1));
        for (const [at, id] of cycle?.slice(1).entries() ?? []) expect(edges.get(cycle?.[at] ?? '')).toContain(id);
      }),
    );
  });

  it('is found at the end of a very long chain', () => {
    const last = 20_000;
    const edges = new Map(Array.from({ length: last + 1 }, (_, at) => [`${at}`, [`${Math.min(at + 1, last)}`]]));
    expect(cycleIn(edges)).toEqual([`${last}`, `${last}`]);
  });
});

describe('wavesOf and criticalPath', () => {
  it.each<[string, Jobs, readonly (readonly string[])[], readonly string[]]>([
    ['no jobs', [], [], []],
    ['jobs beside each other', [job('b'), job('a')], [['b', 'a']], ['b']],
    [
      'a diamond in the order it was given',
      [job('end', ['right', 'left']), job('right', ['top']), job('left', ['top']), job('top')],
      [['top'], ['right', 'left'], ['end']],
      ['top', 'right', 'end'],
    ],
    [
      'two chains of one length',
      [job('a'), job('x'), job('y', ['x']), job('b', ['a'])],
      [
        ['a', 'x'],
        ['y', 'b'],
      ],
      ['a', 'b'],
    ],
    ['a dependency that is not there', [job('a', ['landed'])], [['a']], ['a']],
  ])('of %s', (_, jobs, waves, path) => {
    expect([wavesOf(jobs), criticalPath(jobs)]).toEqual([waves, path]);
  });

  it('a wave holds what depends on the wave before, and on none after', () => {
    fc.assert(
      fc.property(acyclic, (jobs) => {
        const waves = wavesOf(jobs);
        const waveOf = new Map(waves.flatMap((names, at) => names.map((name) => [name, at])));
        expect(waves.flat().sort()).toEqual(jobs.map(({ name }) => name).sort());
        for (const { name, dependsOn } of jobs) {
          expect(waveOf.get(name)).toBe(Math.max(-1, ...dependsOn.map((one) => waveOf.get(one) ?? Number.NaN)) + 1);
        }
        const order = jobs.map(({ name }) => name);
        for (const names of waves) expect(names).toEqual(order.filter((name) => names.includes(name)));
      }),
    );
  });

  it('the critical path is the first of the longest chains', () => {
    fc.assert(
      fc.property(acyclic, (jobs) => {
        const chains = jobs.flatMap(({ name }) => chainsFrom(jobs, name));
        const most = Math.max(...chains.map(({ length }) => length));
        const place = (name: string) => String(jobs.findIndex((one) => one.name === name)).padStart(3);
        const first = chains
          .filter(({ length }) => length === most)
          .map((chain) => ({ chain, key: chain.map(place).join() }))
          .sort((a, b) => (a.key < b.key ? -1 : 1))[0];
        expect(criticalPath(jobs)).toEqual(first?.chain);
      }),
    );
  });
});

it('two jobs may run together when neither depends on the other, directly or not', () => {
  fc.assert(
    fc.property(acyclic, (jobs) => {
      const together = mayRunTogether(jobs);
      for (const [a, { name: x }] of jobs.entries()) {
        for (const [b, { name: y }] of jobs.entries()) {
          expect(together(a, b)).toBe(x !== y && !dependsAtLast(jobs, x, y) && !dependsAtLast(jobs, y, x));
        }
      }
    }),
  );
});

it('in a long chain no two jobs run together, and beside it each may', () => {
  const chain = Array.from({ length: 100 }, (_, at) => job(`j${at}`, at === 0 ? [] : [`j${at - 1}`]));
  const together = mayRunTogether([...chain, job('beside')]);
  const pairs = chain.flatMap((_, a) => chain.map((_, b) => together(a, b)));
  expect(pairs).not.toContain(true);
  expect(chain.every((_, at) => together(at, 100) && together(100, at))).toBe(true);
});
