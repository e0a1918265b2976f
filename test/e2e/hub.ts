// A crew whose repository has a remote on a GitHub of ours, and the calls that a test of pull requests makes.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { openPullRequest } from '../../src/tools/open-pull-request.ts';
import { openStand, type Server, type Stand, type Worker } from './crew.ts';
import { addGithub, type FakeGh, fakeGh } from './gh.ts';

/** A worker at rest, with one commit of its own. */
export interface Author extends Worker {
  readonly branch: string;
  readonly worktree_path: string;
}

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
export type Proposed = z.infer<typeof answered>;

export interface Hub {
  readonly stand: Stand;
  readonly server: Server;
  readonly gh: FakeGh;
  /** The repository behind origin's address. */
  readonly bare: string;
  git(cwd: string, ...args: string[]): string;
  /** The commit of a branch there; empty when it has none. */
  tipThere(branch: string): string;
  author(file: string, more?: Readonly<Record<string, unknown>>): Promise<Author>;
  write(author: Author, file: string, text: string): string;
  /** Everything as it is where nothing is missing. */
  reset(): void;
}

export const propose = (server: Server, of: Worker, more = {}): Promise<Proposed> =>
  server.call(openPullRequest.name, answered, { session_id: of.name, ...more });

export async function openHub(): Promise<Hub> {
  const stand = openStand();
  const gh = fakeGh(stand.sandbox);
  const bare = addGithub(stand.sandbox, stand.repo);
  const server = await stand.serve({ PATH: gh.path, GH_REPO: 'somebody/else' });
  const { git } = stand.sandbox;
  const write: Hub['write'] = ({ worktree_path: at }, file, text) => {
    writeFileSync(join(at, file), text);
    git(at, 'add', '-A');
    git(at, 'commit', '-q', '-m', `Write ${file}`);
    return git(at, 'rev-parse', 'HEAD');
  };
  return {
    ...{ stand, server, gh, bare, git, write },
    tipThere: (branch) => git(bare, 'for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`),
    async author(file, more = {}) {
      const worker = await server.one({ prompt: 'SAY ready', ...more });
      await server.wait([worker]);
      const { branch, worktree_path } = worker;
      if (branch === undefined || worktree_path === undefined) throw new Error('no worktree');
      const author = { ...worker, branch, worktree_path };
      write(author, file, 'x\n');
      return author;
    },
    reset() {
      gh.calls();
      gh.put('token', 'gho_x\n');
      gh.put('list.json', '[]');
      gh.drop('create.error');
      gh.drop('list.error');
    },
  };
}
