// A crew at rest whose repository has a remote on a GitHub of ours, and the calls that a test of pull requests makes.
import { z } from 'zod';
import { openPullRequest } from '../../../src/tools/open-pull-request.ts';
import type { Call } from '../../../src/tools/tool.ts';
import { addGithub, type FakeGh, fakeGh } from '../../e2e/gh.ts';
import { type Caller, type Resting, type RestingCrew, restingCrewIn } from '../../support/resting-crew.ts';
import { makeSandbox } from '../../support/sandbox.ts';

const answered = z.looseObject({
  success: z.boolean(),
  url: z.string().optional(),
  existing: z.boolean(),
  pushed: z.boolean(),
  missing: z.array(z.string()),
  body_path: z.string(),
  reason: z.string().optional(),
  hint: z.string().optional(),
});
type Proposed = z.infer<typeof answered>;

export interface Hub {
  readonly crew: RestingCrew;
  readonly gh: FakeGh;
  /** The repository behind origin's address. */
  readonly bare: string;
  git(cwd: string, ...args: string[]): string;
  /** The commit of a branch there; empty when it has none. */
  tipThere(branch: string): string;
  /** A worker with one commit of its own. */
  author(file: string, more?: { readonly branch: string }): Promise<Resting>;
  /** Everything as it is where nothing is missing. */
  reset(): void;
}

export const propose = (by: Caller, of: Resting, more = {}, context: Partial<Call> = {}): Promise<Proposed> =>
  by.call(openPullRequest, answered, { session_id: of.id, ...more }, context);

export async function openHub(): Promise<Hub> {
  const sandbox = makeSandbox();
  const repo = sandbox.repo('project');
  const gh = fakeGh(sandbox);
  const bare = addGithub(sandbox, repo);
  const crew = await restingCrewIn(sandbox, repo, { PATH: gh.path, GH_REPO: 'somebody/else' });
  const { git } = sandbox;
  return {
    ...{ crew, gh, bare, git },
    tipThere: (branch) => git(bare, 'for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`),
    author: (file, more) => crew.author(file, 'x\n', more),
    reset() {
      gh.calls();
      gh.put('token', 'gho_x\n');
      gh.put('list.json', '[]');
      gh.drop('create.error');
      gh.drop('list.error');
    },
  };
}
