// Which of the manager's variables a worker may see, and how to pick some variables of an environment.
import type { AgentType } from '../model/worker.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

export const words = (list: string): readonly string[] => list.trim().split(/\s+/);

/** The same for every program a user starts. */
const everyday = words(`
  HOME USER LOGNAME SHELL PATH TMPDIR TZ LANG LANGUAGE COLORTERM NO_COLOR EDITOR VISUAL PAGER
  SSH_AUTH_SOCK GNUPGHOME HOSTNAME WSL_DISTRO_NAME WSL_INTEROP
  JAVA_HOME CARGO_HOME RUSTUP_HOME GOPATH GOROOT NVM_DIR PYENV_ROOT RBENV_ROOT BUN_INSTALL DENO_DIR PNPM_HOME
  HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy https_proxy no_proxy all_proxy
  NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE GIT_SSL_CAINFO
  GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
  GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_CONFIG_NOSYSTEM GIT_SSH GIT_SSH_COMMAND GIT_TERMINAL_PROMPT
  LC_* XDG_*
`);

/** Names of variables; one that ends in `*` means each that begins like it. */
export interface VariableGroup {
  readonly names: readonly string[];
  /** Of these, those that do not count. */
  readonly but?: readonly string[];
}

export const surroundings: VariableGroup = { names: everyday, but: ['XDG_SESSION_ID'] };

/** The variables of any of the groups, unchanged; what is unset stays unset. */
export function pickVariables(env: Variables, groups: readonly VariableGroup[]): Record<string, string> {
  const tests = groups.map(({ names, but = [] }) => ({ counts: anyOf(names), isLeftOut: anyOf(but) }));
  const picked: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && tests.some((group) => group.counts(name) && !group.isLeftOut(name)))
      picked[name] = value;
  }
  return picked;
}

function anyOf(names: readonly string[]): (name: string) => boolean {
  const whole = new Set(names);
  const beginnings = names.flatMap((name) => (name.endsWith('*') ? [name.slice(0, -1)] : []));
  return (name) => whole.has(name) || beginnings.some((beginning) => name.startsWith(beginning));
}

/** Settings of the agents, without those of a family that identify a running agent or the way to reach it. */
const agentSettings: VariableGroup = {
  names: words(`
    CLAUDE_CONFIG_DIR CODEX_HOME OPENAI_API_KEY OPENAI_BASE_URL OPENAI_ORGANIZATION IS_SANDBOX
    MAX_THINKING_TOKENS MAX_MCP_OUTPUT_TOKENS MCP_TIMEOUT MCP_TOOL_TIMEOUT API_TIMEOUT_MS USE_BUILTIN_RIPGREP
    BASH_DEFAULT_TIMEOUT_MS BASH_MAX_TIMEOUT_MS BASH_MAX_OUTPUT_LENGTH ENABLE_TOOL_SEARCH ENABLE_PROMPT_CACHING_1H
    CLAUDE_AUTOCOMPACT_PCT_OVERRIDE CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR
    CLAUDE_CODE_OAUTH_TOKEN CLAUDE_CODE_EFFORT_LEVEL CLAUDE_CODE_SUBAGENT_MODEL CLAUDE_CODE_SUBAGENT_EFFORT
    CLAUDE_CODE_SHELL CLAUDE_CODE_SHELL_PREFIX CLAUDE_CODE_SANDBOXED CLAUDE_CODE_TMPDIR CLAUDE_CODE_GIT_BASH_PATH
    CLAUDE_CODE_API_KEY_HELPER_TTL_MS CLAUDE_CODE_AUTO_COMPACT_WINDOW CLAUDE_CODE_EXTRA_BODY
    CLAUDE_CODE_FILE_READ_MAX_OUTPUT_TOKENS CLAUDE_CODE_CERT_STORE CLAUDE_CODE_CLIENT_CERT CLAUDE_CODE_CLIENT_KEY
    CLAUDE_CODE_CLIENT_KEY_PASSPHRASE CLAUDE_CODE_SYNTAX_HIGHLIGHT CLAUDE_CODE_STOP_HOOK_BLOCK_CAP
    CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD
    ANTHROPIC_* OTEL_* VERTEX_REGION_* DISABLE_* CLAUDE_CODE_DISABLE_* CLAUDE_CODE_ENABLE_* CLAUDE_CODE_USE_*
    CLAUDE_CODE_SKIP_* CLAUDE_CODE_MAX_* CLAUDE_CODE_OTEL_*
  `),
  but: words(`
    ANTHROPIC_SESSION_ID ANTHROPIC_UNIX_SOCKET ANTHROPIC_WORK_ID ANTHROPIC_WORK_SECRET
    ANTHROPIC_ENVIRONMENT_ID ANTHROPIC_ENVIRONMENT_KEY ANTHROPIC_WEBHOOK_SIGNING_KEY ANTHROPIC_FOUNDRY_*
  `),
};

interface Cloud extends VariableGroup {
  readonly agentType: AgentType;
  /** Each makes the agent use this cloud. */
  readonly flags: readonly string[];
}

/** Credentials of a user's cloud account; they open much more than the models there. */
const clouds: readonly Cloud[] = [
  {
    agentType: 'claude',
    flags: ['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_MANTLE', 'CLAUDE_CODE_USE_ANTHROPIC_AWS'],
    names: ['AWS_*'],
  },
  {
    agentType: 'claude',
    flags: ['CLAUDE_CODE_USE_VERTEX', 'CLAUDE_CODE_USE_ANTHROPIC_GOOGLE_CLOUD'],
    names: ['GCLOUD_PROJECT', 'GOOGLE_*', 'CLOUD_ML_*', 'CLOUDSDK_*'],
  },
  {
    agentType: 'claude',
    flags: ['CLAUDE_CODE_USE_FOUNDRY'],
    names: ['AZURE_*', 'ANTHROPIC_FOUNDRY_*'],
  },
];

/** As the agents read a switch. */
const isOn = (value: string | undefined): boolean => /^(1|true|yes|on)$/i.test(value?.trim() ?? '');

export interface Worker {
  /** None for a program that is no agent: no cloud is meant for it. */
  readonly agentType?: AgentType;
  /** Names that the user wants passed besides. */
  readonly passes?: readonly string[];
  /** The worker's own, laid over the rest. */
  readonly own?: Readonly<Record<string, string>>;
}

/**
 * The environment of a worker: of the manager's the user's surroundings and the agents' settings, and a cloud's
 * credentials only where its agent is set to use that cloud. Everything else stays behind, above all the manager's
 * identity (`CLAUDE_CODE_SESSION_ID`), the ways to reach it (sockets, tokens) and its place (`TMUX`, `GIT_DIR`).
 * `TERM` too: the pane's terminal is tmux, which names itself.
 */
export function workerEnvironment(env: Variables, worker: Worker = {}): Record<string, string> {
  const { agentType, passes = [], own = {} } = worker;
  const isMeant = (cloud: Cloud) =>
    cloud.agentType === agentType && cloud.flags.some((flag) => isOn({ ...env, ...own }[flag]));
  return { ...pickVariables(env, [surroundings, agentSettings, { names: passes }, ...clouds.filter(isMeant)]), ...own };
}
