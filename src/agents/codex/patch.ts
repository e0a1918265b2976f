// Patches in the form `*** Begin Patch`, which name their files in the text.

/** Every file a patch names, also as the target of a move; too many at worst, never too few. */
export const patchedPaths = (patch: string): readonly string[] => [
  ...new Set(
    [...patch.matchAll(/^\s*\*\*\*\s*(?:(?:Add|Update|Delete) File|Move to):[^\S\n]*(.*?)[^\S\n]*$/gm)].flatMap(
      ([, path]) => path || [],
    ),
  ),
];
