// What the lines of one transcript add up to. Pure.
import type { AgentSessions, SessionNews, Todo } from '../agents/agent-sessions.ts';
import { defined } from '../model/defined.ts';
import { oneLine } from '../model/plain-text.ts';
import type { SessionKind } from '../model/session-words.ts';

export interface SessionFacts {
  readonly startedAt?: number;
  readonly at?: number;
  readonly projectPath?: string;
  readonly branch?: string;
  readonly kind?: SessionKind;
  readonly name?: string;
  readonly prompt?: string;
  readonly todos?: readonly Todo[];
  readonly version?: string;
  /** Lines that are no JSON. */
  readonly unreadLines: number;
}

export const noFacts: SessionFacts = { unreadLines: 0 };

const longestTitle = 120;

/** Lines come in the order of the file; some between them may be left out. */
export function addLines(facts: SessionFacts, lines: readonly string[], agent: AgentSessions): SessionFacts {
  return lines.reduce((before, line) => {
    if (line === '') return before;
    const news = agent.newsIn(line);
    return news === undefined ? { ...before, unreadLines: before.unreadLines + 1 } : add(before, news);
  }, facts);
}

/** Where a session began stays; the rest changes as it goes on. */
const add = (facts: SessionFacts, news: SessionNews): SessionFacts => ({
  unreadLines: facts.unreadLines,
  ...defined({
    startedAt: facts.startedAt ?? news.at,
    at: news.at ?? facts.at,
    projectPath: facts.projectPath ?? news.projectPath,
    branch: news.branch ?? facts.branch,
    kind: facts.kind ?? news.kind,
    name: short(news.name) ?? facts.name,
    prompt: facts.prompt ?? short(news.prompt),
    todos: news.todos ?? facts.todos,
    version: news.version ?? facts.version,
  }),
});

function short(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const line = oneLine(text.slice(0, longestTitle * 4));
  return line === '' ? undefined : line.slice(0, longestTitle);
}
