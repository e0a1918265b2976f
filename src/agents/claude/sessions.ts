// The sessions of Claude Code as its own files tell of them.
import { basename, join } from 'node:path';
import { defined } from '../../model/defined.ts';
import { type Fields, fieldsIn, fieldsOf, isFields, listOf, parseJson, wordOf } from '../../model/json.ts';
import type { SessionKind } from '../../model/session-words.ts';
import type { AgentSessions, SessionNews, SessionState, Todo } from '../agent-sessions.ts';
import { momentOf } from '../timestamp.ts';
import { todoOf } from '../todo.ts';
import { claudeAgent } from './claude.ts';
import { decodeState } from './state-file.ts';
import { configDir } from './traces.ts';
import { subagents } from './transcript.ts';

const ofSession = /^[^/]+\/([^/]+)\.jsonl$/;
const ofSubagent = /^(?:[^/]+\/([^/]+)\/subagents\/(?:.*\/)?|[^/]+\/)agent-([^/]+)\.jsonl$/;

export const claudeSessions: AgentSessions = {
  type: 'claude',
  tested: claudeAgent.tested,
  decodeLine: claudeAgent.decodeLine,
  places(env) {
    const home = configDir(env);
    return { transcripts: [join(home, 'projects')], states: join(home, 'sessions'), todos: join(home, 'tasks') };
  },
  fileAt(path) {
    const [subagent, parent, id] = ofSubagent.exec(path) ?? [];
    if (subagent !== undefined && id !== undefined)
      return {
        agentSessionId: id,
        isSubagent: true,
        ending: path.replace(/jsonl$/, 'meta.json'),
        ...defined({ parent }),
      };
    const agentSessionId = ofSession.exec(path)?.[1];
    return agentSessionId === undefined ? undefined : { agentSessionId };
  },
  isEnding: (text) => fieldsIn(text).finished === true,
  tellingWords: ['custom-title', 'ai-title', 'summary', 'last-prompt', 'TodoWrite'],
  newsIn(line) {
    const value = parseJson(line);
    return isFields(value) ? newsOf(value) : undefined;
  },
  usageIn(line, { isSubagent }) {
    if (!usageWords.some((word) => line.includes(word)) || isCopied(line)) return {};
    return isSubagent === true ? subagents.decodeLine(line) : claudeAgent.decodeLine(line);
  },
  stateIn,
  todoIn: (text) => todoOf(fieldsIn(text)),
  nameIn: () => undefined,
  heldBy: () => undefined,
};

const usageWords = ['"usage"', '"cost-state"'];

/** An answer that a fork has copied names the session that asked for it. */
function isCopied(line: string): boolean {
  const asker = /"requestSessionId":"([^"]+)"/.exec(line)?.[1];
  return asker !== undefined && !line.includes(`"sessionId":"${asker}"`);
}

function newsOf(line: Fields): SessionNews {
  const [name] = [line.customTitle, line.aiTitle, line.summary].flatMap((one) => wordOf(one) ?? []);
  return {
    at: momentOf(line.timestamp),
    projectPath: wordOf(line.cwd),
    branch: wordOf(line.gitBranch),
    version: wordOf(line.version),
    kind: kindOf(line),
    name,
    prompt: line.type === 'last-prompt' ? wordOf(line.lastPrompt) : promptIn(line),
    todos: line.type === 'assistant' ? todosIn(line) : undefined,
  };
}

function kindOf({ isSidechain, agentName, teamName, sessionKind, entrypoint }: Fields): SessionKind | undefined {
  if (isSidechain === true) return 'subagent';
  if (wordOf(teamName) !== undefined && wordOf(agentName) !== undefined) return 'teammate';
  if (sessionKind === 'bg') return 'background';
  const program = wordOf(entrypoint);
  if (program === undefined) return undefined;
  return program.startsWith('sdk') ? 'headless' : 'interactive';
}

/** Claude Code writes its own notices as a user's lines, too; they begin with a tag. */
function promptIn(line: Fields): string | undefined {
  if (line.type !== 'user' || line.isMeta === true || line.isCompactSummary === true) return undefined;
  const { content } = fieldsOf(line.message);
  const [text] = [content, ...listOf(content).map((block) => fieldsOf(block).text)].flatMap((one) => wordOf(one) ?? []);
  return text === undefined || /^\s*</.test(text) ? undefined : text;
}

/** Older releases kept the list in their transcript alone. */
function todosIn(line: Fields): readonly Todo[] | undefined {
  const lists = listOf(fieldsOf(line.message).content).flatMap((block) => {
    const { type, name, input } = fieldsOf(block);
    return type === 'tool_use' && name === 'TodoWrite' ? [listOf(fieldsOf(input).todos)] : [];
  });
  return lists.at(-1)?.flatMap((one) => todoOf(fieldsOf(one)) ?? []);
}

/** A headless run and a teammate have a key alone, which names no session. */
function stateIn(name: string, text: string): SessionState | undefined {
  const file = fieldsIn(text);
  const processStart = wordOf(file.procStart);
  const key = /^(\d+)\.\w+\.key$/.exec(basename(name))?.[1];
  if (key !== undefined) return { pid: Number(key), ...defined({ processStart }) };
  const { pid, sessionId } = file;
  const agentSessionId = wordOf(sessionId);
  if (typeof pid !== 'number' || agentSessionId === undefined) return undefined;
  const kind = file.kind === 'bg' ? 'background' : file.kind === 'interactive' ? 'interactive' : undefined;
  const session = defined({
    agentSessionId,
    projectPath: wordOf(file.cwd),
    startedAt: typeof file.startedAt === 'number' ? file.startedAt : undefined,
    // One that Claude Code derives says nothing.
    name: file.nameSource === 'derived' ? undefined : wordOf(file.name),
    kind,
    signal: decodeState(text)?.signal,
  });
  return { pid, session, ...defined({ processStart }) };
}
