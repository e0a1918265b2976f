// The answer to a request of a worker that works in its sandbox and asks nobody.
import { dirname, resolve } from 'node:path';
import type { Act } from '../model/act.ts';
import type { RequestAnswer } from '../model/request.ts';

const searchesFolder = /^(Glob|Grep|LS)$/;

/**
 * A file tool runs outside of the sandbox, and its agent asks where it leads out of the worktree: that is refused. All
 * else is allowed. `real` resolves links as far as the path exists.
 */
export function unaskedAnswer(
  { tool, paths, cwd }: Act,
  real: (path: string) => string,
): Pick<RequestAnswer, 'decision' | 'message'> {
  if (paths === undefined) return { decision: 'allow' };
  const path = paths.at(-1) ?? cwd;
  const place = real(resolve(cwd, path));
  const folder = searchesFolder.test(tool) ? place : dirname(place);
  const message = [
    `${tool} of ${path} is refused: it leads out of your worktree, or is a file that your program guards.`,
    'File tools run outside of your sandbox, and nobody is asked with skip_permissions. A command may still do it.',
    `If none can, tell your manager: the user may name ${folder} in the setting sandbox.allow_write.`,
  ].join(' ');
  return { decision: 'deny', message };
}
