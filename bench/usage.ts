// What it costs to count the usage of a worker with a long transcript: once from the start, then new bytes only.
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claudeAgent } from '../src/agents/claude/claude.ts';
import { Spending } from '../src/crew/workers/spending.ts';
import { systemClock } from '../src/system/clock.ts';
import { workerRecord } from '../test/support/records.ts';
import { type Row, timed } from './measure.ts';

const turns = 10_000;
const laterTurns = 200;

export async function measureUsage(): Promise<Row[]> {
  const root = mkdtempSync(join(tmpdir(), 'crewmux-usage-'));
  try {
    const dir = join(root, 'ada/launches/1');
    const transcriptPath = join(root, 'one.jsonl');
    mkdirSync(dir, { recursive: true });
    writeFileSync(transcriptPath, Array.from({ length: turns }, (_, n) => turn(n)).join(''));
    const { launch, ...rest } = workerRecord({ agentType: 'claude', createdAt: 0 });
    const onTrouble = (error: unknown) => {
      throw error;
    };
    const record = { ...rest, launch: { ...launch, dir, transcriptPath } };
    const spending = new Spending(record, { agent: claudeAgent, clock: systemClock, onTrouble });
    const first = [await timed(() => spending.catchUp())];
    const later: number[] = [];
    for (let n = 0; n < laterTurns; n += 1) {
      appendFileSync(transcriptPath, turn(turns + n));
      later.push(await timed(() => spending.catchUp()));
    }
    const over = `a transcript of ${turns} turns, 50 MB`;
    return [
      { what: `usage of ${over}, from its start`, unit: 'ms', samples: first },
      { what: `usage of ${over}, one more turn`, unit: 'ms', samples: later, target: { p50: 3 } },
    ];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const text = 'A sentence of an answer. '.repeat(200);

function turn(n: number): string {
  const usage = { input_tokens: 100, output_tokens: 12, cache_creation_input_tokens: 0, cache_read_input_tokens: 900 };
  const message = { id: `msg_${n}`, type: 'message', role: 'assistant', model: 'claude-opus-5-5', usage };
  const line = { type: 'assistant', uuid: `${n}`, timestamp: '2030-01-01T00:00:00.000Z', sessionId: 'one' };
  return `${JSON.stringify({ ...line, message: { ...message, content: [{ type: 'text', text }] } })}\n`;
}
