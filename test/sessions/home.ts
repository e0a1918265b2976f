// Folders of both agents with sessions in them, made of lines.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { claudeSessions } from '../../src/agents/claude/sessions.ts';
import { codexSessions } from '../../src/agents/codex/sessions.ts';
import { askSessions, type SessionsContext } from '../../src/sessions/ask.ts';
import { TranscriptIndex } from '../../src/sessions/transcripts.ts';
import { UsageIndex } from '../../src/sessions/usage-index.ts';
import { systemClock } from '../../src/system/clock.ts';
import { processStart } from '../../src/system/process.ts';
import { type SessionsQuery, sessionsInput, sessionsOutput } from '../../src/wire/sessions.ts';
import { makeSandbox } from '../support/sandbox.ts';

export const uuid = (n: number): string => `01a1fc6b-c97c-7571-87c2-${String(n).padStart(12, '0')}`;
export const at = (minute: number): string => new Date(Date.UTC(2030, 0, 1, 0, minute)).toISOString();

export function makeHome() {
  const sandbox = makeSandbox();
  const claude = sandbox.dir('claude-config');
  const codex = sandbox.dir('codex-home');
  const index = new TranscriptIndex();
  const usage = new UsageIndex(systemClock);
  const write = (path: string, text: string): string => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  const base = {
    index,
    usage,
    prices: {},
    agents: [claudeSessions, codexSessions],
    env: { HOME: sandbox.home, CLAUDE_CONFIG_DIR: claude, CODEX_HOME: codex },
    here: '/repo/here',
    workers: [{ id: 'a1b2c3d4', name: 'ada', agentSessionId: 'ours' }],
  };
  return {
    sandbox,
    claude,
    codex,
    index,
    usage,
    write,
    line: (more: object) => `${JSON.stringify({ timestamp: at(0), cwd: '/repo/here', gitBranch: 'main', ...more })}\n`,
    append: (path: string, text: string) => appendFileSync(path, text),
    transcript(id: string, text: string) {
      return write(join(claude, 'projects/-repo-here', `${id}.jsonl`), text);
    },
    rollout(id: string, lines: readonly object[]) {
      const text = lines.map((one) => `${JSON.stringify({ timestamp: at(0), ...one })}\n`).join('');
      return write(join(codex, 'sessions/2030/01/01', `rollout-2030-01-01T00-00-00-${id}.jsonl`), text);
    },
    /** This very process has the session. */
    async lives(id: string, more: object = {}) {
      const procStart = await processStart(process.pid);
      const state = { pid: process.pid, procStart, sessionId: id, cwd: '/repo/here', startedAt: 5, ...more };
      return write(join(claude, 'sessions', `${id}.json`), JSON.stringify({ statusUpdatedAt: 9, ...state }));
    },
    async ask(query: Partial<SessionsQuery> = {}, now = Date.now(), more: Partial<SessionsContext> = {}) {
      const answer = await askSessions(sessionsInput.parse(query), { ...base, now, ...more });
      return sessionsOutput.strict().parse(answer);
    },
  };
}
