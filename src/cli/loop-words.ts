// The rows of the table of words that are about the loop of a project.
import { defined } from '../model/defined.ts';
import { plainJson } from '../model/plain-text.ts';
import { inFiles, json, type WordGroup, word } from './word.ts';
import type { CommandWorld } from './world.ts';

const status = (name: string) =>
  word({
    name,
    summary: 'show the loop of this project, with its plans and what it waits for',
    flags: { json },
    async run({ has }, world) {
      const [{ loopText }, { outward }, { runLoopOutput }, { programName }, absence, { systemClock }, crew] =
        await Promise.all([
          import('./loop-text.ts'),
          import('../wire/spoken.ts'),
          import('../wire/loops.ts'),
          import('./program-name.ts'),
          import('./absence.ts'),
          import('../system/clock.ts'),
          world.look(),
        ]);
      const found = outward(runLoopOutput, await crew.jobs.loop().finally(() => crew.dispose()));
      const since = await absence.absentSince(world);
      if (has('json')) return world.write(plainJson({ ...found, ...absence.absenceField(since) }));
      const text = loopText(found, programName(world)).join('\n');
      return world.write(`${text}\n${absence.absenceLine(since, systemClock.now())}`);
    },
  });

const order = (args: Readonly<Record<string, unknown>>, world: CommandWorld) => inFiles('run_loop', args, world);

const iterations = { type: 'string', value: 'number', help: 'plans at most; 10 unless given, 50 at most' } as const;
const cost = { type: 'string', value: 'dollars', help: 'what its workers may cost' } as const;
const test = {
  type: 'string',
  value: 'command',
  help: 'with which each job is tested; the goal counts only then',
} as const;

/** As they are typed: the tool takes a number from a string, and says of any other what it is. */
const bounds = (given: { text(flag: 'max-iterations' | 'max-cost' | 'test'): string | undefined }) =>
  defined({
    max_iterations: given.text('max-iterations'),
    max_cost_usd: given.text('max-cost'),
    test_command: given.text('test'),
  });

export const loopWords: WordGroup = {
  name: 'loop',
  summary: 'show the goal that is worked at plan after plan; start, resume or stop it',
  otherwise: status('loop'),
  words: [
    status('status'),
    word({
      name: 'start',
      summary: 'work at a goal until it is reached, on a branch of its own, while a server lives',
      positionals: ['<goal…>'],
      flags: { test, 'max-iterations': iterations, 'max-cost': cost },
      run: (given, world) => order({ action: 'start', goal: given.positionals.join(' '), ...bounds(given) }, world),
    }),
    word({
      name: 'resume',
      summary: 'let a loop go on that is paused',
      positionals: ['[goal…]'],
      flags: { test, 'max-iterations': iterations, 'max-cost': cost },
      run(given, world) {
        const goal = given.positionals.join(' ');
        return order(
          { action: 'resume', ...defined({ goal: goal === '' ? undefined : goal }), ...bounds(given) },
          world,
        );
      },
    }),
    word({
      name: 'stop',
      summary: 'end a loop once its plan has ended; every branch stays',
      flags: { now: { type: 'boolean', help: 'cancel the plan that runs' } },
      run: ({ has }, world) => order({ action: 'stop', ...(has('now') && { now: true }) }, world),
    }),
  ],
};
