// How long a client waits for one answer, by the name it gives.

const hourMs = 3_600_000;

/** Names are matched as prefixes, lower-case. Times stay below the client's own limit, which ends the call. */
const known: readonly { readonly name: string; readonly waitMs: number }[] = [
  { name: 'claude-code', waitMs: 3 * hourMs },
  { name: 'codex', waitMs: 240_000 },
  { name: 'cursor', waitMs: 240_000 },
  { name: 'visual studio code', waitMs: 240_000 },
  { name: 'github-copilot', waitMs: 50_000 },
  { name: 'copilot', waitMs: 50_000 },
  { name: 'inspector', waitMs: 50_000 },
  { name: 'mcp-inspector', waitMs: 50_000 },
];

/** A client nobody knows gets the default timeout of a wait in full, and no more. */
const unknownMs = 600_000;

export function patienceOf(client: string | undefined, configuredSeconds: number | undefined): number {
  if (configuredSeconds !== undefined) return configuredSeconds * 1000;
  const name = (client ?? '').toLowerCase();
  return known.find((one) => name.startsWith(one.name))?.waitMs ?? unknownMs;
}
