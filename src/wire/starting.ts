// How workers come and go: spawn, restart, discover, adopt, close.
import { z } from 'zod';
import { statuses } from '../model/worker.ts';
import { bounds, dispatch } from './dispatch.ts';
import { agentText, argWord, hint, label, list, path, type Shape, sessionIds, shortened, workerRef } from './parts.ts';
import { briefWorker, shared, worker } from './worker.ts';

const branchName = argWord(250);

const workerConfig = z.strictObject({
  project_path: path.default('auto').describe('Repository or folder; "auto" is the current project.'),
  agent_type: dispatch.agent_type.describe(
    'claude, codex, or a configured one. Tasks and jobs also take "any": one without a usage limit.',
  ),
  slot: label.exactOptional().describe('A configured worker; then no name and no project_path.'),
  name: z.string().min(1).max(64).exactOptional().describe('A themed one unless given.'),
  annotation: label
    .exactOptional()
    .describe('Short label for pane title, lists and branch name; its worker never sees it.'),
  bead: dispatch.bead.describe('Issue-tracker id to work on.'),
  badge: label.exactOptional().describe('Older word for annotation.'),
  issue_id: dispatch.bead.describe('Older word for bead.'),
  prompt: agentText.exactOptional().describe('The whole task. Without prompt and bead it waits for a message.'),
  skip_permissions: dispatch.skip_permissions.describe('Without permission checks; only if the user asked for it.'),
  use_worktree: z.boolean().exactOptional().describe('A git worktree of its own (default true).'),
  worktree: z
    .strictObject({
      branch: branchName.exactOptional().describe('Name of the new branch.'),
      base: branchName.exactOptional().describe('Commit, branch or tag to start from; HEAD unless given.'),
    })
    .exactOptional()
    .describe('Its branch and start.'),
  role: dispatch.role.describe(
    "Prompt, model and rules: architect, implementer, tester, reviewer, devops, documenter, generalist or a file's name.",
  ),
  preset: dispatch.preset.describe('Rules as in set_permissions; before those of its role.'),
  model: dispatch.model.describe('Model for the agent.'),
  permission_mode: dispatch.permission_mode.describe('manual, acceptEdits, plan, auto or dontAsk.'),
  resume: argWord(300).exactOptional().describe('Past worker or agent session id to go on with.'),
  fork: z.boolean().exactOptional().describe("With resume: in a copy, from that worker's commit."),
  fork_changes: z.boolean().exactOptional().describe('With fork: its uncommitted files too, exactly or refused.'),
  copy_files: dispatch.copy_files.describe('Untracked files to copy into the worktree.'),
  symlink_dirs: dispatch.symlink_dirs.describe('Folders to symlink into it.'),
  setup_commands: dispatch.setup_commands.describe('Shell commands to run in it first.'),
  mcp_config: dispatch.mcp_config.describe('Extra MCP servers, by name.'),
  env: dispatch.env.describe('Environment variables.'),
  append_system_prompt: dispatch.append_system_prompt.describe("Text added to the agent's system prompt."),
  max_turns: bounds.max_turns.describe('Prompts at most; then messages are held until you grant more.'),
  max_cost_usd: bounds.max_cost_usd.describe('Dollars at most; refused where cost is unknown.'),
  sandbox: dispatch.sandbox.describe("Commands in the agent's own sandbox; default: where that works."),
});
export type WorkerRequest = Shape<typeof workerConfig>;

export const spawnInput = z.strictObject({
  workers: z.array(workerConfig).min(1).max(16).describe('One entry for each worker.'),
  layout: z.enum(['auto', 'new']).exactOptional().describe('auto: four panes a window. new: a fresh window.'),
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

export const restartInput = z.strictObject({
  session_ids: sessionIds.exactOptional(),
  all: z.literal(true).exactOptional().describe('All dead ones of yours.'),
  role: label.exactOptional().describe('Of all, those with this role.'),
  dry_run: z.boolean().default(false).describe('Only tell who would come back.'),
  fresh: z.boolean().default(false).describe('In a new conversation, with the last prompt.'),
});

const planned = z.object({
  session_id: z.string(),
  name: z.string(),
  action: z.enum(['restart', 'fresh', 'leave']),
  reason: z.string(),
});
const restartPlan = list(planned);
export type RestartPlan = Shape<typeof restartPlan>;

/** With `dry_run` the plan alone, without it all the rest. */
export const restartOutput = z.object({ plan: restartPlan.exactOptional(), ...spawnOutput.exactPartial().shape });

const seconds = z.number().min(0).max(31_536_000);

export const discoverInput = z.strictObject({
  max_age: seconds.default(3600).describe('Leave out agents silent for more seconds.'),
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
  session_id: workerRef.exactOptional().describe('Id, name or tmux:%12.'),
  tmux_pane_id: workerRef.exactOptional().describe('A pane (%12).'),
  agent_session_id: argWord(300).exactOptional().describe("The agent's own conversation id."),
  session_name: z.string().min(1).max(64).exactOptional().describe('Name to give it; a free one otherwise.'),
  force: z.boolean().default(false).describe("Take another live manager's worker."),
  max_age: seconds.exactOptional().describe('Refuse an agent silent for more seconds.'),
});

export const adoptOutput = z.object({ success: z.boolean(), message: z.string(), session: worker, ...shortened });
export type AdoptResult = Shape<typeof adoptOutput>;

export const closeInput = z.strictObject({
  session_ids: sessionIds.exactOptional(),
  role: label.exactOptional().describe('In place of session_ids: all of yours in it.'),
  status: z
    .enum(statuses)
    .exclude(['closed', 'unknown'])
    .exactOptional()
    .describe('In place of session_ids: all of yours in it.'),
  force: z.boolean().default(false).describe('Also working ones, and worktrees with work, once saved.'),
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
