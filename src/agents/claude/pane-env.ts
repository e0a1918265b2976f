// The environment a worker's Claude Code runs in.

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

export function paneEnv(env: Readonly<Record<string, string>>, workerId: string): Record<string, string> {
  const kept = Object.entries(env).filter(([name]) => !identities.has(name));
  return {
    ...Object.fromEntries(kept),
    // Without it the conversation is drawn on the alternate screen, which keeps no history.
    CLAUDE_CODE_DISABLE_ALTERNATE_SCREEN: '1',
    CREWMUX_WORKER: workerId,
  };
}
