// How workers come and go: spawn, restart, discover, adopt, close.
import { z } from 'zod';
import { statuses } from '../model/worker.ts';
import { bounds, dispatch } from './dispatch.ts';
import { agentText, argWord, hint, label, list, path, type Shape, sessionIds, shortened, workerRef } from './parts.ts';
import { briefWorker, shared, worker } from './worker.ts';

const branchName = argWord(250);

const workerConfig = z.strictObject({
  project_path: path.default('auto').describe('Repository or folder to work on; "auto" is the current project.'),
  agent_type: dispatch.agent_type.describe(
    'claude, codex, or an agent of the configuration. Tasks and jobs take "any", too: one without a usage limit.',
  ),
  slot: label.exactOptional().describe('A worker that the configuration declares; then no name and no project_path.'),
  name: z.string().min(1).max(64).exactOptional().describe('Name to address it by; leave out for a themed one.'),
  annotation: label
    .exactOptional()
    .describe(
      'Short label for pane title, lists and branch name. Never sent to the worker: the task goes into prompt.',
    ),
  bead: dispatch.bead.describe('Issue-tracker id; the worker is told how to work on it.'),
  badge: label.exactOptional().describe('The older word for annotation.'),
  issue_id: dispatch.bead.describe('The older word for bead.'),
  prompt: agentText
    .exactOptional()
    .describe('The task, in full. Without prompt and bead the worker waits for a message.'),
  skip_permissions: dispatch.skip_permissions.describe(
    'Run without permission checks; only when the user asked for it.',
  ),
  use_worktree: z.boolean().exactOptional().describe('Work in a git worktree of its own (default true).'),
  worktree: z
    .strictObject({
      branch: branchName.exactOptional().describe('Name of the new branch.'),
      base: branchName.exactOptional().describe('Commit, branch or tag to start from; default the current HEAD.'),
    })
    .exactOptional()
    .describe('Details of the worktree.'),
  role: dispatch.role.describe(
    "architect, implementer, tester, reviewer, devops, documenter, generalist or a file's name: its prompt, model and rules.",
  ),
  preset: dispatch.preset.describe('Rules for a purpose, as in set_permissions; before those of its role.'),
  model: dispatch.model.describe('Model for the agent.'),
  permission_mode: dispatch.permission_mode.describe(
    'manual, acceptEdits, plan, auto or dontAsk; codex asks only to leave its sandbox.',
  ),
  resume: argWord(300).exactOptional().describe('Past worker or agent session id whose conversation goes on.'),
  fork: z
    .boolean()
    .exactOptional()
    .describe("With resume: go on in a copy of that conversation, from that worker's commit."),
  copy_files: dispatch.copy_files.describe('Untracked files to copy into the worktree.'),
  symlink_dirs: dispatch.symlink_dirs.describe('Folders to symlink into the worktree.'),
  setup_commands: dispatch.setup_commands.describe('Shell commands to run in the new worktree first.'),
  mcp_config: dispatch.mcp_config.describe('Extra MCP servers, by name.'),
  env: dispatch.env.describe('Environment variables for the worker.'),
  append_system_prompt: dispatch.append_system_prompt.describe("Text added to the agent's system prompt."),
  max_turns: bounds.max_turns.describe('Prompts at most, over restarts; then messages are held until you grant more.'),
  max_cost_usd: bounds.max_cost_usd.describe('Dollars, likewise; refused where the cost cannot be known.'),
  sandbox: dispatch.sandbox.describe("Run its commands in the agent's own sandbox, or not; default: where that works."),
});
export type WorkerRequest = Shape<typeof workerConfig>;

export const spawnInput = z.strictObject({
  workers: z.array(workerConfig).min(1).max(16).describe('One entry for each worker.'),
  layout: z
    .enum(['auto', 'new'])
    .exactOptional()
    .describe('auto = fill the newest window up to four panes; new = a fresh window for this call.'),
});

const spawnFailure = z.object({ name: z.string(), step: z.string(), error: z.string(), hint });
export type SpawnFailure = Shape<typeof spawnFailure>;

export const spawnOutput = z.object({
  sessions: list(briefWorker),
  ...shared,
  layout: z.enum(['auto', 'new']),
  count: z.number(),
  coordinator_guidance: z.string(),
  /** The manager's session is woken when one needs it or all are done. */
  wakes: z.literal(true).exactOptional(),
  failed: list(spawnFailure),
  warnings: list(z.string()),
  ...shortened,
});
export type SpawnResult = Shape<typeof spawnOutput>;

export const restartInput = z.strictObject({ session_ids: sessionIds });

const seconds = z.number().min(0).max(31_536_000);

export const discoverInput = z.strictObject({
  max_age: seconds
    .default(3600)
    .describe('Leave out agents whose conversation has been silent for more than this many seconds.'),
});

const discovered = z.object({
  backend_id: z.string(),
  tmux_pane_id: z.string(),
  tmux_socket: z.string(),
  project_path: z.string(),
  agent_type: z.string(),
  agent_session_id: z.string().nullable(),
  status: z.string(),
  last_assistant_preview: z.string().nullable(),
  already_managed: z.boolean(),
  managed_by: z.string().exactOptional(),
  /** Why adopt_worker would refuse it, and what would help. */
  not_adoptable: z.string().exactOptional(),
});
export type DiscoveredView = Shape<typeof discovered>;

export const discoverOutput = z.object({
  sessions: list(discovered),
  count: z.number(),
  unmanaged_count: z.number(),
  ...shortened,
});
export type DiscoverResult = Shape<typeof discoverOutput>;

export const adoptInput = z.strictObject({
  session_id: workerRef.exactOptional().describe('A worker: id, name or terminal id.'),
  tmux_pane_id: workerRef.exactOptional().describe('A pane, as discover_workers gives it (%12).'),
  agent_session_id: argWord(300).exactOptional().describe("The agent's own conversation id."),
  session_name: z.string().min(1).max(64).exactOptional().describe('Name to give it; a free one otherwise.'),
  force: z.boolean().default(false).describe("Take another live manager's worker."),
  max_age: seconds.exactOptional().describe('Refuse an agent silent for more seconds.'),
});

export const adoptOutput = z.object({ success: z.boolean(), message: z.string(), session: worker, ...shortened });
export type AdoptResult = Shape<typeof adoptOutput>;

export const closeInput = z.strictObject({
  session_ids: sessionIds.exactOptional(),
  role: label.exactOptional().describe('In place of session_ids: all of yours with this role.'),
  status: z
    .enum(statuses)
    .exclude(['closed'])
    .exactOptional()
    .describe('In place of session_ids: all of yours in this status.'),
  force: z
    .boolean()
    .default(false)
    .describe('Close working workers too, and remove worktrees that hold work once it is saved.'),
});

export const closeOutcome = z.object({
  success: z.boolean(),
  worktree: z.enum(['removed', 'kept', 'none']),
  branch: z.string().nullable(),
  salvage: z.string().exactOptional(),
  warning: hint.exactOptional(),
});
export type CloseOutcome = Shape<typeof closeOutcome>;

export const closeOutput = z.object({
  session_ids: list(z.string()),
  results: z.record(z.string(), closeOutcome),
  success_count: z.number(),
  failure_count: z.number(),
  ...shortened,
});
