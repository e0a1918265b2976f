// list_workers with many workers whose conversations are long.
import { appendFileSync, closeSync, linkSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Row, timed } from './measure.ts';
import { cpuSeconds, residentMegabytes } from './process.ts';
import { openStand, type Stand, spawnCrowd, type Worker } from './stand.ts';

const workers = 50;
const transcriptBytes = 50_000_000;
const rounds = 100;

export async function measureListing(): Promise<Row[]> {
  const stand = await openStand();
  try {
    const crowd = await spawnCrowd(stand, workers);
    const long = join(stand.sandbox.root, 'long.jsonl');
    writeLongTranscript(long);
    for (const { transcript_path: path = '' } of crowd) {
      rmSync(path);
      linkSync(long, path);
    }
    const readMs = await timed(() => untilQuiet(stand.server.pid));
    await mustHaveRead(stand, crowd);
    const samples: number[] = [];
    for (let i = 0; i < rounds; i++) samples.push(await timed(() => stand.server.call('list_workers', {})));
    return [
      {
        what: `list_workers, ${workers} workers over 50 MB transcripts`,
        unit: 'ms',
        samples,
        target: { p50: 20 },
        note: `the server read the ${workers} replaced transcripts once, in ${(readMs / 1000).toFixed(1)} s, and takes ${residentMegabytes(stand.server.pid).toFixed(0)} MB now`,
      },
    ];
  } finally {
    await stand.dispose();
  }
}

const examined = z.object({ conversation_stats: z.object({ total_messages: z.number() }) });

/** The long transcripts count only if they were taken in. */
async function mustHaveRead(stand: Stand, crowd: readonly Worker[]): Promise<void> {
  for (const { session_id } of crowd) {
    const { conversation_stats } = examined.parse(await stand.server.call('examine_worker', { session_id }));
    if (conversation_stats.total_messages < 1_000)
      throw new Error(`${session_id}: ${JSON.stringify(conversation_stats)}`);
  }
}

function writeLongTranscript(path: string): void {
  const file = openSync(path, 'w');
  const text = 'A long answer. '.repeat(2_000);
  for (let size = 0, i = 0; size < transcriptBytes; i++) {
    const common = { uuid: `u${i}`, timestamp: '2030-01-01T00:00:00.000Z' };
    const lines = [
      { ...common, type: 'user', message: { role: 'user', content: `Question ${i}` }, promptSource: 'typed' },
      { ...common, type: 'assistant', message: { id: `m${i}`, role: 'assistant', content: [{ type: 'text', text }] } },
      { ...common, type: 'system', subtype: 'turn_duration', durationMs: 1000 },
    ];
    const chunk = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    appendFileSync(file, chunk);
    size += chunk.length;
  }
  closeSync(file);
}

/** Waits until the process has used next to no processor time for a second. */
async function untilQuiet(pid: number): Promise<void> {
  for (let before = -1; ; ) {
    const now = cpuSeconds(pid);
    if (now - before < 0.05) return;
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}
