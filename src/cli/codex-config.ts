// Adds the server to the text of Codex's `config.toml`, and leaves the rest of the text as it is.

export interface CodexEntry {
  readonly command: readonly string[];
  /** Variables for the server; Codex passes on hardly any by itself. */
  readonly variables: readonly string[];
}

/** The variables that the server, tmux, git and the agents read, also those that a shell sets later. */
const needed = `
  TMUX TMUX_PANE TMUX_TMPDIR TMPDIR CODEX_HOME CLAUDE_CONFIG_DIR
  CREWMUX_HOME CREWMUX_CONFIG CREWMUX_PROJECT_DIR CREWMUX_TMUX_SOCKET CREWMUX_COMMAND CREWMUX_CODEX_COMMAND
  CREWMUX_LOG_LEVEL CREWMUX_WORKER XDG_CONFIG_HOME XDG_STATE_HOME XDG_CACHE_HOME XDG_RUNTIME_DIR SSH_AUTH_SOCK
  ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN ANTHROPIC_BASE_URL CLAUDE_CODE_OAUTH_TOKEN OPENAI_API_KEY OPENAI_BASE_URL
  HTTP_PROXY HTTPS_PROXY NO_PROXY
`;
/** Codex passes these on by itself. */
const passed = new Set(['HOME', 'LANG', 'PATH', 'SHELL', 'TERM']);

export function codexEntry({ command: [program = '', ...args], variables }: CodexEntry): string {
  const names = [...new Set([...needed.trim().split(/\s+/), ...variables])].filter((name) => !passed.has(name));
  return `[mcp_servers.crewmux]
command = ${JSON.stringify(program)}
args = ${JSON.stringify(args).replaceAll('","', '", "')}
startup_timeout_sec = 60
# Each tool that changes something asks first; "approve" runs them unasked, and approval policy "never" needs it.
# default_tools_approval_mode = "approve"
env_vars = [
${rows(names)}
]
`;
}

const rowLength = 110;

function rows(names: readonly string[]): string {
  const lines: string[] = [];
  for (const name of names) {
    const last = lines.at(-1);
    const word = `${JSON.stringify(name)},`;
    if (last === undefined || last.length + word.length >= rowLength) lines.push(`  ${word}`);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join('\n');
}

export type Addition =
  | { readonly is: 'added'; readonly text: string }
  | { readonly is: 'present' }
  /** The servers are one inline table, to which nothing can be appended. */
  | { readonly is: 'inline' };

const name = `["']?crewmux["']?`;
const servers = `["']?mcp_servers["']?`;
const present = [
  new RegExp(`^\\s*\\[\\s*${servers}\\s*\\.\\s*${name}\\s*[\\].]`, 'm'),
  new RegExp(`^\\s*${servers}\\s*\\.\\s*${name}\\s*[.=]`, 'm'),
  new RegExp(`^\\s*\\[\\s*${servers}\\s*\\](?:(?!^\\s*\\[)[^])*?^\\s*${name}\\s*[.=]`, 'm'),
];
const inline = new RegExp(`^\\s*${servers}\\s*=`, 'm');

/** Appends the entry, unless an entry of that name may exist or the servers are one inline table. */
export function withCodexEntry(text: string | undefined, entry: string): Addition {
  const held = text ?? '';
  if (present.some((pattern) => pattern.test(held))) return { is: 'present' };
  if (inline.test(held)) return { is: 'inline' };
  const gap = held === '' ? '' : held.endsWith('\n') ? '\n' : '\n\n';
  return { is: 'added', text: `${held}${gap}${entry}` };
}
