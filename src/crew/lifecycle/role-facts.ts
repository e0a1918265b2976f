// What the file of a role says of the start of its workers, for whoever starts them later.
import { defined } from '../../model/defined.ts';
import { inspectFolder } from '../../worktree/git/inspect.ts';
import type { Context } from '../context.ts';
import { roleNow } from '../workers/roles.ts';

export interface RoleFacts {
  readonly agentType?: string;
  /** Its tasks at work at the same time, at most. */
  readonly maxParallel?: number;
}

export interface RoleQuery {
  readonly project: string;
  readonly role: string;
}

/** Empty for a role without a file. Never rejects: where git cannot tell, the project alone is looked at. */
export async function roleFacts(
  context: Pick<Context, 'environment'>,
  { project, role }: RoleQuery,
): Promise<RoleFacts> {
  const folder = await inspectFolder({ path: project, env: context.environment.git }).catch(() => undefined);
  const { agent, maxParallel } = roleNow(context, role, [project, folder?.mainRepoPath ?? project])?.role ?? {};
  return defined({ agentType: agent, maxParallel });
}
