// The set-up commands of a worker's worktree: in bubblewrap where the worker has a sandbox, as a landing runs them.
import type { Settings } from '../../settings/settings.ts';
import { realPaths } from '../../system/disk.ts';
import type { FolderFacts } from '../../worktree/git/inspect.ts';
import { findBubblewrap } from '../../worktree/landing/sandbox-probe.ts';
import { prepareWorktree } from '../../worktree/making/prepare.ts';
import { commandEnvironment, portVariable } from '../environments.ts';
import { inBubblewrap } from '../landing/landing-sandbox.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import { allowedFolders } from './allow-write.ts';
import { heldHoles } from './sandbox-holes.ts';
import type { StartOrder } from './start-order.ts';
import type { SandboxChoice } from './worker-sandbox.ts';
import { makeTemp } from './worker-temp.ts';

type Env = Readonly<Record<string, string>>;

interface Ordered {
  readonly settings: Settings;
  readonly order: StartOrder;
}

interface Draft extends Ordered {
  readonly id: string;
  /** Of its agent. */
  readonly env: Env;
  readonly sandbox: SandboxChoice;
}

export const setupCommands = ({ settings, order }: Ordered): readonly string[] => [
  ...settings.worktrees.setup_commands,
  ...(order.setupCommands ?? []),
];

/** The choice, with the hole that set-up commands leave where there is no bubblewrap; throws where it must hold. */
export async function withSetup(
  sandbox: SandboxChoice,
  { env, commands }: { readonly env: Env; readonly commands: readonly string[] },
): Promise<SandboxChoice> {
  if (!sandbox.isOn || commands.length === 0) return sandbox;
  const found = await findBubblewrap(env);
  if ('program' in found) return sandbox;
  const holes = [{ words: `its set-up commands run outside, since ${found.missing}`, isWished: false }];
  return { ...sandbox, holes: heldHoles({ sandbox: { ...sandbox, holes } }, { skipPermissions: false }) };
}

/** Rejects with `setup_failed` where one fails. */
export async function runSetup(
  context: CrewContext,
  draft: Draft,
  { folder: repo, path }: { readonly folder: FolderFacts; readonly path: string },
): Promise<void> {
  const commands = setupCommands(draft);
  if (commands.length === 0) return;
  const request = { repo, worktreePath: path, copyFiles: [], symlinkDirs: [], setupCommands: commands };
  const port = portVariable(context.roster.record(draft.id));
  const found = draft.sandbox.isOn ? await findBubblewrap(draft.env) : { missing: 'the worker has no sandbox' };
  if ('missing' in found) {
    await prepareWorktree({ ...request, env: { ...port, ...draft.env } });
    return;
  }
  const { order, settings } = draft;
  // The keys of its agent stay behind.
  const env = { ...commandEnvironment(context, repo.mainRepoPath), ...port, ...order.env };
  const wish = {
    ...{ context, repo, path, env },
    dir: await context.home.workerDir(draft.id),
    temp: await makeTemp(draft, draft.env),
    writable: await realPaths(allowedFolders(settings.sandbox.allow_write, env)),
  };
  await inBubblewrap(wish, found.program, async (inside) => {
    await prepareWorktree({ ...request, env, inside });
  });
}
