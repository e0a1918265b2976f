// Failures that a command's sandbox caused, and the setting that allows the act.

const settings: readonly { readonly words: RegExp; readonly key: string }[] = [
  { words: /docker daemon|docker\.sock|podman\.sock/i, key: 'sandbox.excluded_commands' },
  { words: /ssh: (?:connect to host|Could not resolve)|kex_exchange_identification/, key: 'sandbox.excluded_commands' },
  { words: /blocked by network allowlist|X-Proxy-Error: blocked/i, key: 'sandbox.allowed_domains' },
  {
    words: /(?:connect\w*|socket)\b.*(?:Operation not permitted|EPERM)|EPERM.*(?:connect|\.sock)/i,
    key: 'sandbox.allow_unix_sockets',
  },
  { words: /Read-only file system|EROFS/, key: 'sandbox.allow_write' },
  // zsh has the system's words in small letters, as prose has them too: they count where zsh puts them alone.
  { words: /^(?:zsh|\S+:\d+): (?:.*: )?read-only file system(?:: .|$)/, key: 'sandbox.allow_write' },
  // The same in a function of one line, which zsh names without a number.
  { words: /^[^\s:]+: read-only file system: \S+$/, key: 'sandbox.allow_write' },
];

/** What bubblewrap says where it could not make the sandbox, so that the command never ran. Pure. */
export const sandboxBroke = (printed: string): string | undefined => /^bwrap: .*$/m.exec(printed)?.[0].slice(0, 200);

/** The line of a failed command's output that shows it, with the setting; undefined for any other failure. Pure. */
export function sandboxFailure(printed: string): string | undefined {
  for (const line of printed.split('\n')) {
    const key = settings.find(({ words }) => words.test(line))?.key;
    if (key !== undefined) return `in its sandbox: ${line.trim().slice(0, 200)}; the setting ${key} opens that`;
  }
  return undefined;
}
