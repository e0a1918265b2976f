// The project's own tests on a commit that is on no branch yet.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workerEnvironment } from '../agents/environment.ts';
import { run } from '../exec.ts';
import { messageOf } from '../model/errors.ts';
import { newNonce } from '../model/ids.ts';
import type { TestOutcome } from '../model/train.ts';
import { exists } from '../worktree/disk.ts';
import { prepareWorktree } from '../worktree/prepare.ts';
import { withScratch } from '../worktree/scratch.ts';
import { findTestCommand } from '../worktree/test-command.ts';
import type { Landing } from './land.ts';

export interface LandingTests {
  readonly status: TestOutcome;
  readonly command: string | null;
  /** The end of what they printed. */
  readonly output: string;
  /** The whole of it. */
  readonly path?: string;
}

const tailLength = 4_000;
const noTests: LandingTests = { status: 'none', command: null, output: '' };

/** Everything the command started has ended when this resolves. */
export async function runLandingTests(landing: Landing, commit: string): Promise<LandingTests> {
  const { house, repo, request, dir } = landing;
  const { merge } = house.settingsFor(repo.mainRepoPath).settings;
  const asked = request.test_command ?? merge.test_command;
  if (asked?.trim() === '') return noTests;
  return withScratch(repo, { path: join(dir, `scratch-${newNonce()}`), commit }, async ({ path }) => {
    const command = asked ?? (await findTestCommand(path));
    if (command === undefined) return noTests;
    const trouble = await prepare(landing, path);
    if (trouble !== undefined) return kept(landing, { status: 'failed', command }, trouble);
    const timeoutMs = merge.test_timeout_minutes * 60_000;
    const told = await run('/bin/sh', ['-c', 'exec 2>&1; eval "$1"', 'sh', command], {
      cwd: path,
      env: { ...workerEnvironment(house.env), CI: 'true' },
      timeoutMs,
      wholeTree: 'always',
      signal: landing.call.signal,
    });
    const status = told.timedOut ? 'timed_out' : told.exitCode === 0 ? 'passed' : 'failed';
    return kept(landing, { status, command }, told.stdout);
  });
}

/** The scratch worktree is made fit like a worker's; what makes tests run is often not in git. */
async function prepare({ house, repo, call }: Landing, worktreePath: string): Promise<string | undefined> {
  const { copy_files, symlink_dirs, setup_commands } = house.settingsFor(repo.mainRepoPath).settings.worktrees;
  const modules = 'node_modules';
  const hasModules =
    (await exists(join(worktreePath, 'package.json'))) && (await exists(join(repo.mainRepoPath, modules)));
  try {
    await prepareWorktree({
      repo,
      worktreePath,
      copyFiles: copy_files,
      symlinkDirs: hasModules ? [...new Set([...symlink_dirs, modules])] : symlink_dirs,
      setupCommands: setup_commands,
      env: workerEnvironment(house.env),
      signal: call.signal,
    });
    return undefined;
  } catch (thrown) {
    return messageOf(thrown);
  }
}

async function kept(
  { dir }: Landing,
  ran: Pick<LandingTests, 'status' | 'command'>,
  output: string,
): Promise<LandingTests> {
  const logs = join(dir, '..', '..', 'landing-logs');
  await mkdir(logs, { recursive: true, mode: 0o700 });
  const path = join(logs, `${newNonce()}.log`);
  await writeFile(path, output, { mode: 0o600 });
  return { ...ran, output: output.slice(-tailLength), path };
}
