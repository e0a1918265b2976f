import type { StartOrder } from '../crew/api.ts';
import { defined } from '../model/defined.ts';
import { spawnInput, spawnOutput, type WorkerRequest } from '../wire/starting.ts';
import { defineTool } from './tool.ts';
import { spawnLines } from './words.ts';

export const spawnWorkers = defineTool({
  name: 'spawn_workers',
  set: 'core',
  title: 'Spawn workers',
  description: `Starts workers: real interactive coding agents (Claude Code, Codex), each in its own tmux pane and, by default, git worktree. Use it to start a worker for what you delegate. Put the whole task into prompt: a worker knows nothing of your conversation. It does not wait for the work: then call wait_idle_workers. For more work use message_workers.`,
  input: spawnInput,
  output: spawnOutput,
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  alwaysLoad: true,
  handler: (crew, { workers, layout }, call) =>
    crew.start({ workers: workers.map(orderOf), ...defined({ layout, here: call.here, wakes: call.wakes }) }, call),
  text: spawnLines,
});

function orderOf(asked: WorkerRequest): StartOrder {
  const { name, annotation = asked.badge, bead = asked.issue_id, prompt, worktree } = asked;
  const { slot, role, preset, model, resume, fork, env, sandbox } = asked;
  return {
    project: asked.project_path,
    ...defined({ name, annotation, bead, prompt, worktree, slot, role, preset, model, resume, fork, env, sandbox }),
    ...defined({
      agentType: asked.agent_type,
      forkChanges: asked.fork_changes,
      maxTurns: asked.max_turns,
      maxCostUsd: asked.max_cost_usd,
      skipPermissions: asked.skip_permissions,
      useWorktree: asked.use_worktree,
      permissionMode: asked.permission_mode,
      copyFiles: asked.copy_files,
      symlinkDirs: asked.symlink_dirs,
      setupCommands: asked.setup_commands,
      mcpServers: asked.mcp_config,
      appendSystemPrompt: asked.append_system_prompt,
    }),
  };
}
