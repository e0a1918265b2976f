// The environment a worker's Claude Code runs in.
import type { LaunchSpec } from '../agent.ts';
import type { SandboxSpec } from '../sandbox.ts';

/** Another Claude Code's identity and the ways to reach it; inherited, a worker would take itself for that one. */
const identities = new Set([
  'CLAUDECODE',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_CODE_MESSAGING_SOCKET',
  'CLAUDE_CODE_MESSAGING_TOKEN',
  'CLAUDE_CODE_SSE_PORT',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_CHILD_SESSION',
  'CLAUDE_CODE_SESSION_ACCESS_TOKEN',
  'CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS',
  'CLAUDE_CODE_SESSION_KIND',
  'CLAUDE_CODE_SESSION_NAME',
  'CLAUDE_CODE_TMUX_SESSION',
  'CLAUDE_ENV_FILE',
  'CLAUDE_PID',
  'CLAUDE_PROJECT_DIR',
  'CLAUDE_PLUGIN_ROOT',
  'CLAUDE_PLUGIN_DATA',
]);

/** Looks for updates would ask for the network at every other command. */
const noUpdateChecks = {
  NO_UPDATE_NOTIFIER: '1',
  npm_config_update_notifier: 'false',
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
  HOMEBREW_NO_AUTO_UPDATE: '1',
};

/** Temporary files of its own, and a git that does not see what the sandbox lays over the worktree. */
function sandboxEnv({ temp, excludesFile }: SandboxSpec, env: Env): Env {
  const count = Number(env.GIT_CONFIG_COUNT ?? 0);
  return {
    TMPDIR: temp,
    ...noUpdateChecks,
    ...(excludesFile === undefined
      ? {}
      : {
          GIT_CONFIG_COUNT: String(count + 1),
          [`GIT_CONFIG_KEY_${count}`]: 'core.excludesFile',
          [`GIT_CONFIG_VALUE_${count}`]: excludesFile,
        }),
  };
}

type Env = Readonly<Record<string, string>>;

export function paneEnv({ env, workerId, sandbox }: Pick<LaunchSpec, 'env' | 'workerId' | 'sandbox'>): Env {
  const kept = Object.entries(env).filter(([name]) => !identities.has(name));
  return {
    ...Object.fromEntries(kept),
    ...(sandbox === undefined ? {} : sandboxEnv(sandbox, env)),
    // Without it the conversation is drawn on the alternate screen, which keeps no history.
    CLAUDE_CODE_DISABLE_ALTERNATE_SCREEN: '1',
    CREWMUX_WORKER: workerId,
  };
}
