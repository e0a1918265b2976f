// What failed because of the sandbox that a command ran in, and the setting that opens it.

const settings: readonly { readonly words: RegExp; readonly key: string }[] = [
  { words: /docker daemon|docker\.sock|podman\.sock/i, key: 'sandbox.excluded_commands' },
  { words: /ssh: (?:connect to host|Could not resolve)|kex_exchange_identification/, key: 'sandbox.excluded_commands' },
  { words: /blocked by network allowlist|X-Proxy-Error: blocked/i, key: 'sandbox.allowed_domains' },
  {
    words: /(?:connect\w*|socket)\b.*(?:Operation not permitted|EPERM)|EPERM.*(?:connect|\.sock)/i,
    key: 'sandbox.allow_unix_sockets',
  },
  { words: /Read-only file system|EROFS/, key: 'sandbox.allow_write' },
];

/** The line that tells of it with the key, from what a failed command printed; undefined for any other failure. Pure. */
export function sandboxFailure(printed: string): string | undefined {
  for (const line of printed.split('\n')) {
    const key = settings.find(({ words }) => words.test(line))?.key;
    if (key !== undefined) return `in its sandbox: ${line.trim().slice(0, 200)}; the setting ${key} opens that`;
  }
  return undefined;
}
