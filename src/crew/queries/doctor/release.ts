// Release numbers of other people's programs, read from what `--version` prints, and compared.

export type Release = readonly number[];

/** The first number of two or more parts; undefined where there is none. */
export function readRelease(text: string): Release | undefined {
  const found = /(?<![\d.])\d+(?:\.\d+)+/.exec(text)?.[0];
  return found?.split('.').map(Number);
}

export const releaseText = (release: Release): string => release.join('.');

/** Negative when `a` is the earlier; a part that is missing counts as 0. */
export function compareReleases(a: Release, b: Release): number {
  const length = Math.max(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
