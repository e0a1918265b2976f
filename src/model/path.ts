// Where a path leads, in POSIX terms and without touching the disk.

/** The path with `.`, `..` and doubled slashes taken out as text. */
function normal(path: string): string {
  const kept: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') kept.pop();
    else if (part !== '' && part !== '.') kept.push(part);
  }
  return `/${kept.join('/')}`;
}

/** An absolute path without `~`. It keeps `..`, which may lead elsewhere after a link. */
export function absolute(path: string, { cwd, userHome }: { readonly cwd: string; readonly userHome: string }): string {
  if (path === '~' || path.startsWith('~/')) return userHome + path.slice(1);
  return path.startsWith('/') ? path : `${cwd}/${path}`;
}

/**
 * Every place that the path may mean: as it is written, and with its links followed. A shell follows links before
 * `..`, most programs after it.
 */
export function meaningsOf(
  path: string,
  at: { readonly cwd: string; readonly userHome: string; readonly real: (path: string) => string },
): readonly string[] {
  const whole = absolute(path, at);
  const written = normal(whole);
  return [...new Set([normal(at.real(whole)), normal(at.real(written)), written])];
}
