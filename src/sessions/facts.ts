// What the lines of one transcript add up to. Pure.
import type { AgentSessions, SessionNews } from '../agents/agent-sessions.ts';
import { oneLine } from '../model/plain-text.ts';

export interface SessionFacts extends SessionNews {
  readonly startedAt: number | undefined;
  /** Lines that are no JSON. */
  readonly unreadLines: number;
}

export const noFacts: SessionFacts = { startedAt: undefined, unreadLines: 0 };

const longestTitle = 120;

/** Lines come in the order of the file; some between them may be left out. */
export function addLines(before: SessionFacts, lines: readonly string[], agent: AgentSessions): SessionFacts {
  let facts = before;
  for (const line of lines) {
    if (line === '') continue;
    const news = agent.newsIn(line);
    facts = news === undefined ? { ...facts, unreadLines: facts.unreadLines + 1 } : add(facts, news);
  }
  return facts;
}

/** Where a session began stays; the rest changes as it goes on. */
const add = (facts: SessionFacts, news: SessionNews): SessionFacts => ({
  unreadLines: facts.unreadLines,
  startedAt: facts.startedAt ?? news.at,
  at: news.at ?? facts.at,
  projectPath: facts.projectPath ?? news.projectPath,
  branch: news.branch ?? facts.branch,
  kind: facts.kind ?? news.kind,
  name: short(news.name) ?? facts.name,
  prompt: facts.prompt ?? short(news.prompt),
  todos: news.todos ?? facts.todos,
  version: news.version ?? facts.version,
});

/** So many lines that have a time are looked at, whatever they say. */
const lastTimes = 4;

/** Of the lines at the end those that can change anything; the others need not be understood. */
export function tellingLines(lines: readonly string[], { tellingWords }: AgentSessions): readonly string[] {
  let left = lastTimes;
  const told = lines.toReversed().filter((line) => {
    const isLate = left > 0 && line.includes('"timestamp"');
    if (isLate) left -= 1;
    return isLate || tellingWords.some((word) => line.includes(word));
  });
  return told.reverse();
}

function short(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const line = oneLine(text.slice(0, longestTitle * 4));
  return line === '' ? undefined : line.slice(0, longestTitle);
}
