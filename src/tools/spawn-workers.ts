import type { StartOrder } from '../crew/api.ts';
import { defined } from '../model/defined.ts';
import { spawnInput, spawnOutput, type WorkerRequest } from '../wire/starting.ts';
import { spareWorkerFields } from '../wire/worker.ts';
import { defineTool } from './tool.ts';
import { spawnLines } from './words.ts';

export const spawnWorkers = defineTool({
  name: 'spawn_workers',
  title: 'Spawn workers',
  description: `Starts workers: real interactive coding agents (Claude Code or Codex), each in its own tmux pane and, by default, in its own git worktree and branch. Use it to delegate tasks to other agents, in parallel or apart from your own checkout. Give every worker its whole task in prompt; it knows nothing of your conversation. annotation is only a label.
Several workers in one call start together. One that fails is listed under failed and leaves nothing behind; the others go on. It returns once each worker runs, is blocked by something it names (trust, login), or 10 s have passed; it does not wait for the work: call wait_idle_workers next, then read_worker_logs. To give an existing worker more to do use message_workers. Workers ask for permissions as usual; set skip_permissions only when the user wants that. The user can watch with the tmux.attach command of each worker.`,
  input: spawnInput,
  output: spawnOutput,
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  alwaysLoad: true,
  shed: spareWorkerFields,
  handler: (crew, { workers, layout }, call) =>
    crew.start({ workers: workers.map(orderOf), ...defined({ layout, here: call.here }) }, call),
  text: spawnLines,
});

function orderOf(asked: WorkerRequest): StartOrder {
  const { name, annotation = asked.badge, bead = asked.issue_id, prompt, worktree } = asked;
  const { role, model, resume, fork, env, sandbox } = asked;
  return {
    project: asked.project_path,
    ...defined({ name, annotation, bead, prompt, worktree, role, model, resume, fork, env, sandbox }),
    ...defined({
      agentType: asked.agent_type,
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
