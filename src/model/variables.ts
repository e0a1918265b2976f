// Environment variables that hold no secret, and how to pick some variables of an environment.

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
export interface Group {
  readonly names: readonly string[];
  /** Of these, those that do not count. */
  readonly but?: readonly string[];
}

export const surroundings: Group = { names: everyday, but: ['XDG_SESSION_ID'] };

/** The variables of any of the groups, unchanged; what is unset stays unset. */
export function pickVariables(env: Variables, groups: readonly Group[]): Record<string, string> {
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
