// One question to an agent without a pane, and its answer.
import { z } from 'zod';
import { agentText, argWord, list, path, type Shape } from './parts.ts';
import { usage } from './usage.ts';

export const expertInput = z.strictObject({
  question: agentText.min(1).describe('All it must know: it sees the project, not your conversation.'),
  role: argWord(100).exactOptional().describe('Answer in this role; its rules count.'),
  agent_type: argWord(100).exactOptional().describe('claude or codex.'),
  model: argWord(200).exactOptional().describe('Model for the agent.'),
  project_path: path.default('auto').describe('Folder that it reads.'),
  resume: argWord(100).exactOptional().describe('agent_session_id of an earlier answer.'),
  timeout: z.number().min(1).max(86_400).default(300).describe('Seconds at most.'),
});

export const expertOutput = z.object({
  answer: z.string(),
  truncated: z.boolean().exactOptional(),
  /** The file of the whole answer. */
  path: z.string().exactOptional(),
  agent_session_id: z.string(),
  duration_seconds: z.number(),
  usage: usage.exactOptional(),
  warnings: list(z.string()).exactOptional(),
});
export type ExpertAnswer = Shape<typeof expertOutput>;
