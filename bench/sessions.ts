// list_agent_sessions over many transcripts: what a first call costs, and the next ones.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { claudeSessions } from '../src/agents/claude/sessions.ts';
import { codexSessions } from '../src/agents/codex/sessions.ts';
import { askSessions } from '../src/sessions/ask.ts';
import { TranscriptIndex } from '../src/sessions/transcripts.ts';
import { UsageIndex } from '../src/sessions/usage-index.ts';
import { pause, systemClock } from '../src/system/clock.ts';
import { type SessionsQuery, sessionsInput } from '../src/wire/sessions.ts';
import { type Row, timed } from './measure.ts';

const transcripts = 2_000;
const bytesEach = 512 * 1024;
const projects = 40;
const firstCalls = 5;
const laterCalls = 40;

export async function measureSessions(): Promise<Row[]> {
  const root = mkdtempSync(join(tmpdir(), 'crewmux-sessions-'));
  try {
    for (let n = 0; n < transcripts; n += 1) writeTranscript(root, n);
    const agents = [claudeSessions, codexSessions];
    const env = { HOME: root };
    const look = (index: TranscriptIndex, usage: UsageIndex, view: SessionsQuery['view'] = 'sessions') => {
      const query = sessionsInput.parse({ active_only: false, view });
      return askSessions(query, { index, usage, agents, env, now: Date.now(), here: root, workers: [], prices: {} });
    };
    const first: number[] = [];
    for (let n = 0; n < firstCalls; n += 1) {
      const usage = new UsageIndex(systemClock);
      first.push(await timed(() => look(new TranscriptIndex(), usage)));
      usage.stop();
    }
    const [index, usage] = [new TranscriptIndex(), new UsageIndex(systemClock)];
    const found = await look(index, usage);
    if (found.sessions?.length !== 50 || found.warnings !== undefined)
      throw new Error(JSON.stringify(found).slice(0, 2_000));
    const later: number[] = [];
    for (let n = 0; n < laterCalls; n += 1) later.push(await timed(() => look(index, usage)));
    const blocked = monitorEventLoopDelay({ resolution: 1 });
    const { user, system } = process.cpuUsage();
    const whole = await timed(async () => {
      while ((await look(index, usage, 'overview')).warnings !== undefined) {
        blocked.enable();
        await pause(5_000);
        blocked.disable();
      }
    });
    const spent = process.cpuUsage();
    const overview: number[] = [];
    for (let n = 0; n < laterCalls; n += 1) overview.push(await timed(() => look(index, usage, 'overview')));
    const over = `${transcripts} transcripts of 1 GB`;
    const busy = (spent.user + spent.system - user - system) / 1_000;
    return [
      { what: `list_agent_sessions, first call over ${over}`, unit: 'ms', samples: first, target: { p50: 1_500 } },
      { what: `list_agent_sessions, next call over ${over}`, unit: 'ms', samples: later, target: { p50: 50 } },
      { what: `overview with usage_today over ${over}`, unit: 'ms', samples: overview },
      {
        what: `usage of ${over}, read aside`,
        unit: 'ms',
        samples: [whole],
        note: `${busy.toFixed(0)} ms of a processor`,
      },
      {
        what: 'a wait behind that reading',
        unit: 'ms',
        samples: [50, 99, 100].map((n) => blocked.percentile(n) / 1e6),
      },
    ];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Half of them Claude Code's, half Codex's, of lines as long as theirs. */
function writeTranscript(root: string, n: number): void {
  const isClaude = n % 2 === 0;
  const id = `01a1fc6b-c97c-7571-87c2-${String(n).padStart(12, '0')}`;
  const folder = isClaude
    ? join(root, '.claude/projects', `-p-${n % projects}`)
    : join(root, '.codex/sessions/2030/01', String((n % 28) + 1));
  mkdirSync(folder, { recursive: true });
  const lines = isClaude ? claudeLines(id) : codexLines(id);
  const turn = lines.turn
    .map((line) => `${JSON.stringify({ timestamp: '2030-01-01T00:00:00.000Z', ...line })}\n`)
    .join('');
  const head = `${JSON.stringify({ timestamp: '2030-01-01T00:00:00.000Z', ...lines.head })}\n`;
  const name = isClaude ? `${id}.jsonl` : `rollout-2030-01-01T00-00-00-${id}.jsonl`;
  writeFileSync(join(folder, name), head + turn.repeat(Math.ceil((bytesEach - head.length) / turn.length)));
}

const words = 'A sentence of an answer. ';

function claudeLines(sessionId: string) {
  const usage = { input_tokens: 100, output_tokens: 12, cache_creation_input_tokens: 0, cache_read_input_tokens: 900 };
  const common = { sessionId, cwd: '/repo/here', gitBranch: 'main', entrypoint: 'cli', version: '2.1.329' };
  const user = { ...common, type: 'user', message: { role: 'user', content: 'Mend the roof' } };
  const text = { type: 'text', text: words.repeat(100) };
  return {
    head: user,
    turn: [
      user,
      { ...common, type: 'assistant', message: { id: 'm', role: 'assistant', usage, content: [text] } },
      { ...common, type: 'user', message: { content: [{ type: 'tool_result', content: words.repeat(200) }] } },
      { ...common, type: 'system', subtype: 'turn_duration', durationMs: 1 },
      { type: 'last-prompt', lastPrompt: 'Mend the roof', sessionId },
    ],
  };
}

function codexLines(id: string) {
  const item = (type: string, content: object[]) => ({
    type: 'event_msg',
    payload: { type: 'item_completed', item: { type, content } },
  });
  return {
    head: {
      type: 'session_meta',
      payload: { id, cwd: '/repo/here', cli_version: '0.169.0', source: 'cli', base_instructions: words.repeat(800) },
    },
    turn: [
      { type: 'event_msg', payload: { type: 'task_started', turn_id: 't' } },
      item('UserMessage', [{ type: 'text', text: 'Mend the roof' }]),
      { type: 'response_item', payload: { type: 'function_call_output', call_id: 'c', output: words.repeat(200) } },
      { type: 'token_usage_record', payload: { response_id: 'r', usage: { input_tokens: 100, output_tokens: 12 } } },
      item('AgentMessage', [{ type: 'Text', text: words.repeat(100) }]),
      { type: 'event_msg', payload: { type: 'task_complete', turn_id: 't' } },
    ],
  };
}
