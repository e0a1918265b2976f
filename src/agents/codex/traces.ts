// Where Codex writes what it does: in a file that it names only when the first prompt is sent.
import type { Agent } from '../agent.ts';

export const traces: Agent['traces'] = () => ({});
