// How the tests end at a commit of the target, without what is to land: each is run once, and remembered.
import { mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { defined } from '../../model/defined.ts';
import { messageOf } from '../../model/errors.ts';
import { targetOutcomes } from '../../model/train.ts';
import { readJson, writeJson } from '../../system/atomic.ts';
import type { Landing } from './landing.ts';
import { type LandingTests, runLandingTests } from './landing-tests.ts';

const known = z.object({
  commit: z.string(),
  command: z.string(),
  outcome: z.enum(targetOutcomes),
  /** The last part of their output, and the file of the whole. */
  output: z.string(),
  path: z.string().exactOptional(),
  at: z.number(),
});
export type TargetTests = z.output<typeof known>;
const memory = z.object({ v: z.literal(1), tests: z.array(known) });

type Remembering = Pick<Landing, 'context' | 'dir'>;

// Beside the folders of the landings: a file in one of these means a landing that was cut short.
const pathOf = (dir: string): string => join(dir, '..', '..', 'target-tests', `${basename(dir)}.json`);

const readKnown = async ({ context, dir }: Remembering): Promise<readonly TargetTests[]> =>
  (await readJson(pathOf(dir), memory, (message) => context.logger.write('warn', message)))?.tests ?? [];

const mostKnown = 200;
const tailLength = 600;

/** The caller holds the landing lock of the repository. What cannot be written is run again. */
export async function rememberTests(
  landing: Remembering,
  { commit, tests: { command, status, isUnrun, output, path } }: { commit: string; tests: LandingTests },
): Promise<TargetTests> {
  const { context, dir } = landing;
  const found: TargetTests = {
    ...{ commit, command: command ?? '', outcome: isUnrun ? 'unknown' : status, at: context.clock.now() },
    ...{ output: output.slice(-tailLength), ...defined({ path }) },
  };
  try {
    const others = (await readKnown(landing)).filter((one) => one.commit !== commit || one.command !== found.command);
    await mkdir(dirname(pathOf(dir)), { recursive: true, mode: 0o700 });
    await writeJson(pathOf(dir), { v: 1, tests: [...others, found].slice(-mostKnown) });
  } catch (error) {
    context.logger.write('warn', `the tests at ${commit} are not remembered: ${messageOf(error)}`, error);
  }
  return found;
}

/** Runs them as the tests of the landing ran. Whatever keeps them from an end is unknown, and never a throw. */
export async function testTarget(landing: Landing, commit: string, command: string): Promise<TargetTests> {
  const { context, order, run, target } = landing;
  const isIt = (one: TargetTests) =>
    one.commit === commit && one.command === command && one.at >= (order.testedSince ?? 0);
  try {
    const before = (await readKnown(landing)).find(isIt);
    if (before !== undefined) return before;
    run.tell(`testing ${target} as it is, at ${commit.slice(0, 12)}`);
    const tests = await runLandingTests(landing, commit);
    // What is called off in their midst has shown nothing.
    if (!run.signal.aborted) return await rememberTests(landing, { commit, tests: { ...tests, command } });
  } catch (error) {
    if (!run.signal.aborted)
      context.logger.write('warn', `the tests at ${commit} could not be run: ${messageOf(error)}`, error);
  }
  return { commit, command, outcome: 'unknown', output: '', at: context.clock.now() };
}
