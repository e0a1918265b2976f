import { expect, it } from 'vitest';
import type { Crew } from '../../src/crew/api.ts';
import { adoptWorker } from '../../src/tools/adopt-worker.ts';
import { issueTrackerHelp } from '../../src/tools/issue-tracker-help.ts';
import { listWorktrees } from '../../src/tools/list-worktrees.ts';
import { mergeWorker } from '../../src/tools/merge-worker.ts';
import { openPullRequest } from '../../src/tools/open-pull-request.ts';
import { spawnWorkers } from '../../src/tools/spawn-workers.ts';
import { syncWorker } from '../../src/tools/sync-worker.ts';
import type { Tool } from '../../src/tools/tool.ts';
import type { Fields } from '../support/mcp.ts';
import { stubCrew } from '../support/stub-crew.ts';

const spawning = (config: Fields) => ({ workers: [{ project_path: 'auto', ...config }] });
const calm = { signal: new AbortController().signal, tell: () => undefined, maxWaitMs: 1_000 };
const nobody = (): Promise<Crew> => Promise.reject(new Error('the crew was asked'));

it.each<[string, Tool, Fields]>([
  ['workers[0].agent_type', spawnWorkers, spawning({ agent_type: '--help' })],
  ['workers[0].bead', spawnWorkers, spawning({ bead: '--help' })],
  ['workers[0].role', spawnWorkers, spawning({ role: '--help' })],
  ['workers[0].model', spawnWorkers, spawning({ model: '--help' })],
  ['workers[0].permission_mode', spawnWorkers, spawning({ permission_mode: '--help' })],
  ['workers[0].resume', spawnWorkers, spawning({ resume: '--help' })],
  ['workers[0].worktree.branch', spawnWorkers, spawning({ worktree: { branch: '--help' } })],
  ['workers[0].worktree.base', spawnWorkers, spawning({ worktree: { base: '--help' } })],
  ['agent_session_id', adoptWorker, { agent_session_id: '--help' }],
  ['into', mergeWorker, { session_id: 'ada', into: '--help' }],
  ['from', syncWorker, { session_id: 'ada', from: '--help' }],
  ['base', openPullRequest, { session_id: 'ada', base: '--help' }],
  ['remote', openPullRequest, { session_id: 'ada', remote: '--help' }],
])(
  '%s that a program would take for an option is refused by name, before the crew is asked',
  async (name, tool, args) => {
    await expect(tool.call(nobody, args, calm)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: `${name} is "--help": a program would take it for an option, so it must not begin with "-".`,
    });
    const fine: Fields = JSON.parse(JSON.stringify(args).replace('--help', 'he-lp'));
    await expect(tool.call(nobody, fine, calm)).rejects.toThrow('the crew was asked');
  },
);

it('the servers of a whole .mcp.json are taken out of it, and servers by name stay as they are', async () => {
  const server = { command: 'true' };
  const asked: unknown[] = [];
  const start: Crew['start'] = ({ workers }) => {
    asked.push(...workers.map(({ mcpServers }) => mcpServers));
    return Promise.reject(new Error('nobody starts'));
  };
  const crew = async (): Promise<Crew> => ({ ...stubCrew(() => undefined), start });
  for (const mcp_config of [{ mcpServers: { one: server } }, { one: server }, {}]) {
    await expect(spawnWorkers.call(crew, spawning({ mcp_config }), calm)).rejects.toThrow('nobody starts');
  }
  expect(asked).toEqual([{ one: server }, { one: server }, {}]);
});

/** The folders that the crew is asked about, for calls from /here. */
async function foldersOf(tool: Tool, args: Fields): Promise<readonly unknown[]> {
  const asked: unknown[] = [];
  const crew = async (): Promise<Crew> => ({
    ...stubCrew(() => undefined),
    async place({ project, here }) {
      asked.push(project, here);
      return { project: `/real${project}`, crew: 'crew' };
    },
    async trackerHelp({ project, here }) {
      asked.push(project, here);
      return { tracker: null, cli: null, help: '', quick_commands: {}, worker_tip: '' };
    },
    async start({ workers, here }) {
      asked.push(...workers.map(({ project }) => project), here);
      throw new Error('nobody starts');
    },
    async worktrees({ repoPath }) {
      asked.push(repoPath);
      return { repo_path: repoPath, worktrees: [], total: 0, orphan_count: 0, removed_count: 0 };
    },
  });
  await tool.call(crew, args, { ...calm, here: '/here' }).catch(() => undefined);
  return asked;
}

it.each<[Tool, Fields, readonly unknown[]]>([
  [spawnWorkers, { workers: [{ prompt: 'Go.' }, { project_path: '/other' }] }, ['auto', '/other', '/here']],
  [issueTrackerHelp, {}, ['auto', '/here']],
  [listWorktrees, {}, ['auto', '/here', '/realauto']],
  [listWorktrees, { repo_path: 'auto' }, ['auto', '/here', '/realauto']],
  [listWorktrees, { repo_path: '/a' }, ['/a', '/here', '/real/a']],
  [listWorktrees, { project_path: '/a' }, ['/a', '/here', '/real/a']],
  [listWorktrees, { project_path: '/a', repo_path: '/a' }, ['/a', '/here', '/real/a']],
  [listWorktrees, { project_path: '/a', repo_path: '/b' }, []],
])('a folder that is left out is the current project', async (tool, args, folders) => {
  expect(await foldersOf(tool, args)).toEqual(folders);
});

it('two folders where one is meant are refused by name', async () => {
  const both = listWorktrees.call(async () => stubCrew(() => undefined), { project_path: '/a', repo_path: '/b' }, calm);
  await expect(both).rejects.toMatchObject({
    code: 'invalid_argument',
    message: 'repo_path is "/b" and project_path is "/a": they name one folder.',
  });
});
