// Which of the manager's variables a worker may see.

/** A user's own surroundings, the same for every program they start. */
const everyday = `
  HOME USER LOGNAME SHELL PATH TMPDIR TZ LANG LANGUAGE COLORTERM NO_COLOR EDITOR VISUAL PAGER
  SSH_AUTH_SOCK GNUPGHOME HOSTNAME WSL_DISTRO_NAME WSL_INTEROP
  JAVA_HOME CARGO_HOME RUSTUP_HOME GOPATH GOROOT NVM_DIR PYENV_ROOT RBENV_ROOT BUN_INSTALL DENO_DIR PNPM_HOME
  HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy https_proxy no_proxy all_proxy
  NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE GIT_SSL_CAINFO
  GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
  GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_CONFIG_NOSYSTEM GIT_SSH GIT_SSH_COMMAND GIT_TERMINAL_PROMPT
`;

/** How an agent is set up, whoever starts it. */
const agentSettings = `
  CLAUDE_CONFIG_DIR CODEX_HOME OPENAI_API_KEY OPENAI_BASE_URL OPENAI_ORGANIZATION IS_SANDBOX
  MAX_THINKING_TOKENS MAX_MCP_OUTPUT_TOKENS MCP_TIMEOUT MCP_TOOL_TIMEOUT API_TIMEOUT_MS USE_BUILTIN_RIPGREP
  BASH_DEFAULT_TIMEOUT_MS BASH_MAX_TIMEOUT_MS BASH_MAX_OUTPUT_LENGTH ENABLE_TOOL_SEARCH ENABLE_PROMPT_CACHING_1H
  CLAUDE_AUTOCOMPACT_PCT_OVERRIDE CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR
  CLOUD_ML_REGION GOOGLE_APPLICATION_CREDENTIALS GOOGLE_CLOUD_PROJECT GCLOUD_PROJECT CLOUDSDK_CONFIG
  CLAUDE_CODE_OAUTH_TOKEN CLAUDE_CODE_EFFORT_LEVEL CLAUDE_CODE_SUBAGENT_MODEL CLAUDE_CODE_SUBAGENT_EFFORT
  CLAUDE_CODE_SHELL CLAUDE_CODE_SHELL_PREFIX CLAUDE_CODE_SANDBOXED CLAUDE_CODE_TMPDIR CLAUDE_CODE_GIT_BASH_PATH
  CLAUDE_CODE_API_KEY_HELPER_TTL_MS CLAUDE_CODE_AUTO_COMPACT_WINDOW CLAUDE_CODE_EXTRA_BODY
  CLAUDE_CODE_FILE_READ_MAX_OUTPUT_TOKENS CLAUDE_CODE_CERT_STORE CLAUDE_CODE_CLIENT_CERT CLAUDE_CODE_CLIENT_KEY
  CLAUDE_CODE_CLIENT_KEY_PASSPHRASE CLAUDE_CODE_SYNTAX_HIGHLIGHT CLAUDE_CODE_STOP_HOOK_BLOCK_CAP
  CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD
`;

/** Families whose every member is a setting of this kind. */
const families = `
  LC_ XDG_ ANTHROPIC_ AWS_ AZURE_ OTEL_ VERTEX_REGION_ DISABLE_
  CLAUDE_CODE_DISABLE_ CLAUDE_CODE_ENABLE_ CLAUDE_CODE_USE_ CLAUDE_CODE_SKIP_ CLAUDE_CODE_MAX_ CLAUDE_CODE_OTEL_
`;

/** Members of a family that say who is running or how to reach it. */
const identities = `
  XDG_SESSION_ID ANTHROPIC_SESSION_ID ANTHROPIC_UNIX_SOCKET ANTHROPIC_WORK_ID ANTHROPIC_WORK_SECRET
  ANTHROPIC_ENVIRONMENT_ID ANTHROPIC_ENVIRONMENT_KEY ANTHROPIC_WEBHOOK_SIGNING_KEY
`;

const words = (list: string): readonly string[] => list.trim().split(/\s+/);
const allowed = new Set([...words(everyday), ...words(agentSettings)]);
const prefixes = words(families);
const refused = new Set(words(identities));

const passes = (name: string): boolean =>
  allowed.has(name) || (prefixes.some((prefix) => name.startsWith(prefix)) && !refused.has(name));

/**
 * The part of the manager's environment that a worker gets: the user's surroundings and the agents' settings.
 * Everything else stays behind, above all who the manager is (`CLAUDE_CODE_SESSION_ID`), how to reach it (sockets and
 * their tokens), and where it stands (`TMUX`, `GIT_DIR`). `TERM` too: the pane's terminal is tmux, which names itself.
 */
export function workerEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) if (value !== undefined && passes(name)) kept[name] = value;
  return kept;
}
