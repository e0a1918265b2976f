// The longest time that a call may take, by the name of its client.

interface ClientLimit {
  /** A lower-case prefix of the client's name. */
  readonly name: string;
  readonly ms: number;
}

const hourMs = 3_600_000;

/** Below the time at which the client ends the call. */
const waits: readonly ClientLimit[] = [
  { name: 'claude-code', ms: 3 * hourMs },
  { name: 'codex', ms: 240_000 },
  { name: 'cursor', ms: 240_000 },
  { name: 'visual studio code', ms: 240_000 },
  { name: 'github-copilot', ms: 50_000 },
  { name: 'copilot', ms: 50_000 },
  { name: 'inspector', ms: 50_000 },
  { name: 'mcp-inspector', ms: 50_000 },
];
/** An unknown client gets the default timeout of a wait in full, and no more. */
const unknownWaitMs = 600_000;

/** Below the time at which the client moves a call to the background, or ends it. */
const questions: readonly ClientLimit[] = [
  { name: 'claude-code', ms: 100_000 },
  { name: 'codex', ms: 1_800_000 },
];
const unknownQuestionMs = 50_000;

const limitOf = (client: string | undefined, limits: readonly ClientLimit[]): number | undefined =>
  limits.find(({ name }) => (client ?? '').toLowerCase().startsWith(name))?.ms;

/** Of a manager's call. */
export function longestWaitMs(client: string | undefined, configuredSeconds: number | undefined): number {
  if (configuredSeconds !== undefined) return configuredSeconds * 1000;
  return limitOf(client, waits) ?? unknownWaitMs;
}

/** Of a worker's question to its manager. */
export const longestQuestionMs = (client: string | undefined): number =>
  limitOf(client, questions) ?? unknownQuestionMs;
