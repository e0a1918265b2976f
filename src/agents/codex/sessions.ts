// The sessions of Codex as its own files tell of them.
import { basename, join } from 'node:path';
import { type Fields, fieldsIn, fieldsOf, isFields, listOf, parseJson, wordOf } from '../../model/json.ts';
import type { SessionKind } from '../../model/session-words.ts';
import type { AgentSessions, SessionNews, Todo } from '../agent-sessions.ts';
import { momentOf } from '../timestamp.ts';
import { todoOf } from '../todo.ts';
import { codexAgent } from './codex.ts';
import { lock, program, uuid } from './process.ts';
import { codexHome } from './traces.ts';

const rollout = new RegExp(`(?:^|/)rollout-[^/]*-(${uuid})\\.jsonl$`);

export const codexSessions: AgentSessions = {
  type: 'codex',
  tested: codexAgent.tested,
  decodeLine: codexAgent.decodeLine,
  places(env) {
    const home = codexHome(env);
    return {
      transcripts: [join(home, 'sessions'), join(home, 'archived_sessions')],
      names: join(home, 'session_index.jsonl'),
    };
  },
  fileAt(path) {
    const agentSessionId = rollout.exec(path)?.[1];
    return agentSessionId === undefined ? undefined : { agentSessionId };
  },
  isEnding: () => false,
  tellingWords: ['update_plan'],
  newsIn(line) {
    const value = parseJson(line);
    return isFields(value) ? newsOf(value) : undefined;
  },
  usageIn: (line) => (usageWords.some((word) => line.includes(word)) ? codexAgent.decodeLine(line) : {}),
  stateIn: () => undefined,
  todoIn: () => undefined,
  nameIn(line) {
    const { id, thread_name } = fieldsIn(line);
    const [agentSessionId, name] = [wordOf(id), wordOf(thread_name)];
    return agentSessionId === undefined || name === undefined ? undefined : { agentSessionId, name };
  },
  mayHold: ([name = '']) => program.test(basename(name)),
  heldBy: (openFile) => lock.exec(openFile)?.[1],
};

const usageWords = ['"token_usage_record"', '"turn_context"', '"token_count"'];

function newsOf({ timestamp, type, payload: held }: Fields): SessionNews {
  const payload = fieldsOf(held);
  const at = momentOf(timestamp);
  if (type === 'session_meta') {
    const { cwd, git, cli_version, source } = payload;
    return {
      at,
      projectPath: wordOf(cwd),
      branch: wordOf(fieldsOf(git).branch),
      version: wordOf(cli_version),
      kind: kindOf(source),
    };
  }
  return { at, prompt: promptIn(payload), todos: planIn(payload) };
}

function kindOf(source: unknown): SessionKind {
  if (isFields(source) && 'subagent' in source) return 'subagent';
  return source === 'exec' ? 'headless' : 'interactive';
}

function promptIn({ type, item, message }: Fields): string | undefined {
  if (type === 'user_message') return wordOf(message);
  const { type: kind, content } = fieldsOf(item);
  if (type !== 'item_completed' || kind !== 'UserMessage') return undefined;
  return listOf(content).flatMap((part) => wordOf(fieldsOf(part).text) ?? [])[0];
}

function planIn({ type, name, arguments: input }: Fields): readonly Todo[] | undefined {
  if (type !== 'function_call' || name !== 'update_plan') return undefined;
  return listOf(fieldsIn(wordOf(input) ?? '').plan).flatMap((step) => todoOf(fieldsOf(step)) ?? []);
}
