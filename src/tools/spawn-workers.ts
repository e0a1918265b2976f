import { z } from 'zod';
import { agentText, argWord, label, path } from './parameters.ts';
import { spareWorkerFields, spawned } from './shapes.ts';
import { defineTool } from './tool.ts';
import { spawnLines } from './words.ts';

const branchName = argWord(250);
const relativePath = z.string().min(1).max(1_000);

const workerConfig = z.strictObject({
  project_path: path.describe('Repository or folder to work on, or "auto" for the current project.'),
  agent_type: argWord(100)
    .exactOptional()
    .describe('Agent CLI of the worker: claude, codex, or one that the configuration describes; crews may be mixed.'),
  name: z.string().min(1).max(64).exactOptional().describe('Name to address it by; leave out for a themed one.'),
  annotation: label
    .exactOptional()
    .describe(
      'Short label for pane title, lists and branch name. Never sent to the worker: the task goes into prompt.',
    ),
  bead: argWord(200).exactOptional().describe('Issue-tracker id; the worker is told how to work on it.'),
  prompt: agentText
    .exactOptional()
    .describe('The task, in full. Without prompt and bead the worker waits for a message.'),
  skip_permissions: z
    .boolean()
    .exactOptional()
    .describe('Run without permission checks; only when the user asked for it.'),
  use_worktree: z.boolean().exactOptional().describe('Work in a git worktree of its own (default true).'),
  worktree: z
    .strictObject({
      branch: branchName.exactOptional().describe('Name of the new branch.'),
      base: branchName.exactOptional().describe('Commit, branch or tag to start from; default the current HEAD.'),
    })
    .exactOptional()
    .describe('Details of the worktree.'),
  role: argWord(100).exactOptional().describe('A label for lists; it changes nothing else.'),
  model: argWord(200).exactOptional().describe('Model for the agent.'),
  permission_mode: argWord(100)
    .exactOptional()
    .describe('manual, acceptEdits, plan, auto or dontAsk; codex asks only to leave its sandbox.'),
  resume: argWord(300).exactOptional().describe('Past worker or agent session id whose conversation goes on.'),
  fork: z.boolean().exactOptional().describe('With resume: go on in a copy of that conversation.'),
  copy_files: z.array(relativePath).max(200).exactOptional().describe('Untracked files to copy into the worktree.'),
  symlink_dirs: z.array(relativePath).max(200).exactOptional().describe('Folders to symlink into the worktree.'),
  setup_commands: z
    .array(z.string().min(1).max(4_000))
    .max(50)
    .exactOptional()
    .describe('Shell commands to run in the new worktree first.'),
  mcp_config: z.record(z.string(), z.unknown()).exactOptional().describe('Extra MCP servers, by name.'),
  env: z
    .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string().max(32_000))
    .refine((variables) => Object.keys(variables).length <= 200, 'expected at most 200 variables')
    .exactOptional()
    .describe('Environment variables for the worker.'),
  append_system_prompt: agentText.exactOptional().describe("Text added to the agent's system prompt."),
  sandbox: z
    .boolean()
    .exactOptional()
    .describe("Run its commands in the agent's own sandbox, or not; default: where that works."),
});

export const spawnWorkers = defineTool({
  name: 'spawn_workers',
  title: 'Spawn workers',
  description: `Starts workers: real interactive coding agents (Claude Code or Codex), each in its own tmux pane and, by default, in its own git worktree and branch. Use it to delegate tasks to other agents, in parallel or apart from your own checkout. Give every worker its whole task in prompt; it knows nothing of your conversation. annotation is only a label.
Several workers in one call start together. One that fails is listed under failed and leaves nothing behind; the others go on. It returns once each worker runs, is blocked by something it names (trust, login), or 10 s have passed; it does not wait for the work: call wait_idle_workers next, then read_worker_logs. To give an existing worker more to do use message_workers. Workers ask for permissions as usual; set skip_permissions only when the user wants that. The user can watch with the tmux.attach command of each worker.`,
  input: z.strictObject({
    workers: z.array(workerConfig).min(1).max(16).describe('One entry for each worker.'),
    layout: z
      .enum(['auto', 'new'])
      .exactOptional()
      .describe('auto = fill the newest window up to four panes; new = a fresh window for this call.'),
  }),
  output: spawned,
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  alwaysLoad: true,
  shed: spareWorkerFields,
  handler: (crew, args, call) => crew.spawn({ ...args, workers: args.workers.map(withServers) }, call),
  text: spawnLines,
});

/** Takes the servers out of a whole `.mcp.json`, which is what callers tend to have at hand. */
function withServers(config: z.output<typeof workerConfig>): z.output<typeof workerConfig> {
  const wrapped = z.strictObject({ mcpServers: z.record(z.string(), z.unknown()) }).safeParse(config.mcp_config);
  return wrapped.success ? { ...config, mcp_config: wrapped.data.mcpServers } : config;
}
