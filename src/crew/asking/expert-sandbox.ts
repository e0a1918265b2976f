// The sandbox of an expert: its commands write a temporary folder of its own and nothing else.

import type { SandboxSpec } from '../../agents/agent.ts';
import { realPaths } from '../../system/disk.ts';
import { ownCaches } from '../../worktree/landing/own-caches.ts';
import { reachingVariables, secretPlaces } from '../../worktree/landing/sandbox-places.ts';
import { makeTemp } from '../lifecycle/worker-temp.ts';
import type { CrewContext } from '../workers/crew-context.ts';

interface Place {
  /** Of this run; the folder has its name. */
  readonly id: string;
  readonly project: string;
  readonly repoPath: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Makes the folder, which `forgetTemp` removes. */
export async function expertSandbox(context: CrewContext, { id, project, repoPath, env }: Place): Promise<SandboxSpec> {
  const temp = await makeTemp({ id }, env);
  const secrets = [context.home.root, ...secretPlaces({ ...context.environment.server, ...env }, 'keys')];
  return {
    ...{ root: project, temp, writable: [], writableByCommands: [] },
    unwritable: await realPaths([project, repoPath]),
    unreadable: await realPaths(secrets),
    commandEnv: { set: ownCaches(temp, env), unset: reachingVariables },
    allowedDomains: context.settingsFor(repoPath).settings.sandbox.allowed_domains,
    ...{ excludedCommands: [], allowUnixSockets: [], allowLocalBinding: false, holes: [] },
  };
}
