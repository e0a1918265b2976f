// How long a worker's question may hold its call, by the name of its client.

/** Below the time at which the client moves a call to the background, or ends it. */
const known: readonly { readonly name: string; readonly waitMs: number }[] = [
  { name: 'claude-code', waitMs: 100_000 },
  { name: 'codex', waitMs: 1_800_000 },
];
const unknownMs = 50_000;

export function askPatience(client = ''): number {
  return known.find(({ name }) => client.toLowerCase().startsWith(name))?.waitMs ?? unknownMs;
}
