// The one label among a dialog's choices that means a thing.

/** Undefined when none does or several do: then nobody but the asker may choose. */
export function onlyLabel(labels: readonly string[], means: RegExp): string | undefined {
  const [only, ...others] = labels.filter((label) => means.test(label));
  return others.length === 0 ? only : undefined;
}
