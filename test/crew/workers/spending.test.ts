import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { claudeAgent } from '../../../src/agents/claude/claude.ts';
import { readLedger, Spending } from '../../../src/crew/workers/spending.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { spentOf } from '../../../src/usage/ledger.ts';
import { usageOf } from '../../../src/usage/usage.ts';
import { workerRecord } from '../../support/records.ts';
import { eventually } from '../../support/sandbox.ts';

const root = mkdtempSync(join(tmpdir(), 'crewmux-test-'));
const open: Spending[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
  rmSync(root, { recursive: true, force: true });
});

const at = new Date().toISOString();
const said = (id: string, more = {}): string =>
  `${JSON.stringify({
    ...{ type: 'assistant', uuid: id, timestamp: at, sessionId: 'one', ...more },
    message: {
      ...{ id, type: 'message', role: 'assistant', model: 'claude-opus-5-5', content: [{ type: 'text', text: id }] },
      usage: { input_tokens: 1_000, output_tokens: 400, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
    },
  })}\n`;

/** A worker's folder, with the files that its agent would write. */
function workerWith(lines: readonly string[]) {
  const dir = join(root, 'ada', 'launches', '1');
  const transcriptPath = join(root, 'one.jsonl');
  mkdirSync(dir, { recursive: true });
  writeFileSync(transcriptPath, lines.join(''));
  const { launch, ...rest } = workerRecord({ agentType: 'claude', createdAt: 0 });
  const record = { ...rest, launch: { ...launch, dir, transcriptPath } };
  const onTrouble = (error: unknown) => {
    throw error;
  };
  return {
    dir,
    transcriptPath,
    subagent(name: string, text: string) {
      mkdirSync(join(root, 'one', 'subagents'), { recursive: true });
      appendFileSync(join(root, 'one', 'subagents', `${name}.jsonl`), text);
    },
    open(): Spending {
      const spending = new Spending(record, { agent: claudeAgent, clock: systemClock, onTrouble });
      open.push(spending);
      return spending;
    },
  };
}

const used = (spending: Spending) => {
  const { inputTokens = 0, cost } = usageOf(spentOf(spending.ledger), {}) ?? {};
  return [inputTokens, cost];
};
const estimate = (usd: number) => ({ usd, source: 'estimate' });

describe('what a worker has used', () => {
  it('is its transcript and those of its subagents, new bytes only', async () => {
    const worker = workerWith([said('m1')]);
    worker.subagent('agent-a', said('s1', { isSidechain: true }));
    const spending = worker.open();
    await spending.catchUp();
    expect(used(spending)).toEqual([2_000, estimate(0.024)]);
    worker.subagent('agent-a', said('s2', { isSidechain: true }));
    appendFileSync(worker.transcriptPath, said('m2'));
    await spending.catchUp();
    await spending.catchUp();
    expect(used(spending)).toEqual([4_000, estimate(0.048)]);
  });

  it('goes on over a restart of the server and of the worker, whatever is read again', async () => {
    const worker = workerWith([said('m1')]);
    const first = worker.open();
    await first.catchUp();
    await first.keep();
    expect(readLedger({ dir: worker.dir })).toEqual(first.ledger);
    appendFileSync(worker.transcriptPath, said('m2'));
    const next = worker.open();
    const texts = [said('m1'), said('m2')].map((text) => text.trimEnd());
    const offset = said('m1').length + said('m2').length;
    const lines = texts.map((text) => claudeAgent.decodeLine(text));
    next.take(worker.transcriptPath, { lines, texts }, { offset, restarted: false });
    next.take(worker.transcriptPath, { lines, texts }, { offset, restarted: false });
    expect(used(next)).toEqual([2_000, estimate(0.024)]);
  });

  it('costs what the status line tells, which is seen as it is written', async () => {
    const worker = workerWith([said('m1')]);
    const spending = worker.open();
    await spending.catchUp();
    spending.begin(async () => undefined);
    let changes = 0;
    spending.onChange(() => {
      changes += 1;
    });
    const told = { session_id: 'one', cost: { total_cost_usd: 0.5 }, context_window: { remaining_percentage: 70 } };
    writeFileSync(join(worker.dir, 'status.json'), JSON.stringify(told));
    await eventually('the figure is seen', () => changes > 0);
    expect(used(spending)).toEqual([1_000, { usd: 0.5, source: 'agent' }]);
    expect(spending.ledger.contextLeft).toBe(0.7);
  });

  it('is nothing where its ledger is of another shape', async () => {
    const worker = workerWith([]);
    writeFileSync(join(root, 'ada', 'usage.json'), '{"v":7}');
    expect(readLedger({ dir: worker.dir })).toBeUndefined();
    const spending = worker.open();
    await spending.catchUp();
    expect(used(spending)).toEqual([0, undefined]);
  });
});
