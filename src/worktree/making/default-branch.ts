// The branch that new work of a repository belongs to, as far as git tells. Pure.

export interface Branches {
  /** Of this repository without a prefix, and those fetched, such as `origin/main`. */
  readonly names: readonly string[];
  /** Where the `HEAD` of each remote leads, such as `refs/remotes/origin/main`. */
  readonly remoteHeads: readonly string[];
  readonly current: string | undefined;
}

/** That of a remote, else one with a usual name, else the current one; a branch here is meant before a fetched one. */
export function defaultBranch({ names, remoteHeads, current }: Branches): string | undefined {
  const fetched = remoteHeads.map((ref) => ref.replace(/^refs\/remotes\//, ''));
  const first = fetched.find((name) => name.startsWith('origin/')) ?? fetched[0];
  const here = first?.slice(first.indexOf('/') + 1);
  return [here, first, 'main', 'master', current].find((name) => name !== undefined && names.includes(name));
}
