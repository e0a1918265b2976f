// The files that a patch of `apply_patch` names.

/** Also the target of a move; too many at worst, never too few. */
export const patchedPaths = (patch: string): readonly string[] => [
  ...new Set(
    [...patch.matchAll(/^\s*\*\*\*\s*(?:(?:Add|Update|Delete) File|Move to):[^\S\n]*(.*?)[^\S\n]*$/gm)].flatMap(
      ([, path]) => path || [],
    ),
  ),
];
