// Runs the project's tests in a scratch worktree: on a staged commit, or once on the target's own, remembered.
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { defined } from '../../model/defined.ts';
import { messageOf } from '../../model/errors.ts';
import { newNonce } from '../../model/ids.ts';
import { type TestOutcome, targetOutcomes } from '../../model/train.ts';
import { readJson, writeJson } from '../../system/atomic.ts';
import { exists } from '../../system/disk.ts';
import { type RunOptions, type RunResult, run } from '../../system/exec.ts';
import { processStart } from '../../system/process.ts';
import { linkModules, modules, scratchPath, withScratch } from '../../worktree/landing/scratch.ts';
import { couldHaveTests, findTestCommand } from '../../worktree/landing/test-command.ts';
import { prepareWorktree } from '../../worktree/making/prepare.ts';
import { commandEnvironment } from '../environments.ts';
import { type BranchLanding, endTests, markedTests } from './landing.ts';
import { withSandbox } from './landing-sandbox.ts';

export interface LandingTests {
  readonly status: TestOutcome;
  readonly command: string | null;
  /** The last part of their output. */
  readonly output: string;
  /** The file of the whole output. */
  readonly path?: string;
  /** The command was not found, or what it needs could not be made: that it failed says nothing about the commit. */
  readonly isUnrun?: true;
}

const tailLength = 4_000;
export const noTests: LandingTests = { status: 'none', command: null, output: '' };

/** When the promise resolves, every process that the command started has ended. */
export async function runLandingTests(landing: BranchLanding, commit: string): Promise<LandingTests> {
  const { context, repo, order, dir } = landing;
  const { merge } = context.settingsFor(repo.mainRepoPath).settings;
  const asked = order.testCommand ?? merge.test_command;
  if (asked?.trim() === '') return noTests;
  if (asked === undefined && !(await couldHaveTests(repo, commit))) return noTests;
  return withScratch(repo, { path: scratchPath(dir), commit }, async ({ path }) => {
    const command = asked ?? (await findTestCommand(path));
    if (command === undefined) return noTests;
    const timeoutMs = merge.test_timeout_minutes * 60_000;
    return withSandbox({ context, repo, path, dir }, async (inside) => {
      try {
        const { signal } = landing.run;
        const trouble = await prepareScratch({ context, repo, signal, env: testsEnv(landing) }, { path, inside });
        return await (trouble === undefined
          ? runCommand(landing, { command, path, inside, timeoutMs })
          : kept(landing, { status: 'failed', command, isUnrun: true }, trouble));
      } finally {
        await endTests(landing.notes.mark);
      }
    });
  });
}

interface Place {
  readonly path: string;
  /** The words of the sandbox, before the words of a program. */
  readonly inside: readonly string[];
}

/** What a shell says of a program that is missing or cannot be run. */
const notRun: ReadonlySet<number> = new Set([126, 127]);

async function runCommand(
  landing: BranchLanding,
  { command, path, inside, timeoutMs }: Place & { command: string; timeoutMs: number },
): Promise<LandingTests> {
  const ran = await runLine(command, {
    ...{ path, inside, timeoutMs, env: { ...testsEnv(landing), CI: 'true' }, signal: landing.run.signal },
    guard: {
      beforeStart: (pid) => noteLeader(landing, pid),
      afterEnd: () => endTests(landing.notes.mark),
    },
  });
  const status = ran.timedOut ? 'timed_out' : ran.exitCode === 0 ? 'passed' : 'failed';
  const isUnrun = status === 'failed' && (ran.exitCode === undefined || notRun.has(ran.exitCode));
  return kept(landing, { status, command, ...(isUnrun && { isUnrun }) }, ran.stdout);
}

interface LineOptions extends Place, Required<Pick<RunOptions, 'env' | 'timeoutMs' | 'signal' | 'guard'>> {}

/** Runs a line for a shell there, with all that it prints in `stdout`, and ends whatever it started. */
export function runLine(command: string, { path, inside, ...how }: LineOptions): Promise<RunResult> {
  const [program = '', ...words] = [...inside, '/bin/sh', '-c', 'exec 2>&1; eval "$1"', 'sh', command];
  return run(program, words, { cwd: path, wholeTree: 'always', ...how });
}

const testsEnv = ({ context, repo, notes }: BranchLanding) => ({
  ...commandEnvironment(context, repo.mainRepoPath),
  ...markedTests(notes.mark),
});

async function noteLeader({ notes }: BranchLanding, pid: number): Promise<void> {
  const start = await processStart(pid);
  if (start !== undefined) await notes.note({ tests: { pid, processStart: start } });
}

interface Preparing extends Pick<BranchLanding, 'context' | 'repo'> {
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/**
 * Prepares a scratch worktree like a worker's, since tests often need files that git does not hold. Resolves to what
 * went wrong.
 */
export async function prepareScratch(
  { context, repo, env, signal }: Preparing,
  { path, inside }: Place,
): Promise<string | undefined> {
  const { copy_files, symlink_dirs, setup_commands } = context.settingsFor(repo.mainRepoPath).settings.worktrees;
  const hasModules = (await exists(join(path, 'package.json'))) && (await exists(join(repo.mainRepoPath, modules)));
  try {
    if (hasModules && inside.length > 0 && !(await exists(join(path, modules))))
      await linkModules({ from: repo.mainRepoPath, to: path });
    await prepareWorktree({
      repo,
      worktreePath: path,
      copyFiles: copy_files,
      symlinkDirs: hasModules ? [...new Set([...symlink_dirs, modules])] : symlink_dirs,
      setupCommands: setup_commands,
      inside,
      env,
      signal,
    });
    return undefined;
  } catch (thrown) {
    return messageOf(thrown);
  }
}

const unreached =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|Could not resolve|Couldn't resolve|[Nn]ame resolution|[Nn]ame or service not known|nodename nor servname|Network is unreachable|no such host/;

/** Names the setting where tests seem to have failed for lack of the network. Pure. */
export const networkWords = (output: string): string =>
  unreached.test(output)
    ? '\ncrewmux: these tests have no network but loopback, because merge.network is false. Set merge.network to true if they need it.\n'
    : '';

async function kept(
  { context, repo, dir }: BranchLanding,
  ran: Pick<LandingTests, 'status' | 'command' | 'isUnrun'>,
  printed: string,
): Promise<LandingTests> {
  const { merge } = context.settingsFor(repo.mainRepoPath).settings;
  const output = `${printed}${merge.network || ran.status === 'passed' ? '' : networkWords(printed)}`;
  const logs = join(dir, '..', '..', 'landing-logs');
  await mkdir(logs, { recursive: true, mode: 0o700 });
  const path = join(logs, `${newNonce()}.log`);
  await writeFile(path, output, { mode: 0o600 });
  return { ...ran, output: output.slice(-tailLength), path };
}

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

type Remembering = Pick<BranchLanding, 'context' | 'dir'>;

// Beside the folders of the landings: a file in one of these means a landing that was cut short.
const pathOf = (dir: string): string => join(dir, '..', '..', 'target-tests', `${basename(dir)}.json`);

const readKnown = async ({ context, dir }: Remembering): Promise<readonly TargetTests[]> =>
  (await readJson(pathOf(dir), memory, (message) => context.logger.write('warn', message)))?.tests ?? [];

const mostKnown = 200;
const keptLength = 600;

/** The caller holds the landing lock of the repository. What cannot be written is run again. */
export async function rememberTests(
  landing: Remembering,
  { commit, tests: { command, status, isUnrun, output, path } }: { commit: string; tests: LandingTests },
): Promise<TargetTests> {
  const { context, dir } = landing;
  const found: TargetTests = {
    ...{ commit, command: command ?? '', outcome: isUnrun ? 'unknown' : status, at: context.clock.now() },
    ...{ output: output.slice(-keptLength), ...defined({ path }) },
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
export async function testTarget(landing: BranchLanding, commit: string, command: string): Promise<TargetTests> {
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
