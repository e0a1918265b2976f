// Where a path leads, in POSIX terms and without touching the disk.

/** The path with `.`, `..` and doubled slashes taken out as text. */
export function normal(path: string): string {
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

export interface Whereabouts {
  /** Where it may really lead: a shell follows links before `..`, most programs the other way round. */
  readonly real: readonly string[];
  /** Those, and the path as it is written. */
  readonly every: readonly string[];
}

export function whereabouts(
  path: string,
  at: { readonly cwd: string; readonly userHome: string; readonly real: (path: string) => string },
): Whereabouts {
  const whole = absolute(path, at);
  const real = [...new Set([at.real(whole), at.real(normal(whole))].map(normal))];
  return { real, every: [...new Set([...real, normal(whole)])] };
}
