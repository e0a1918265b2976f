// Work that goes on after the model has said its last word: nobody is idle before that ends too.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { crew } from '../company.ts';
import type { Worker } from '../crew.ts';

const turnsOf = (of: Worker) => crew.home.model.requests.filter((r) => r.cwd === of.project_path && r.kind === 'turn');
const lastEnd = (of: Worker) => Math.max(...turnsOf(of).map((r) => r.end?.at ?? Number.POSITIVE_INFINITY));

/** Waits, and checks that the model's very last answer came before the wait's. */
async function waitsToTheEnd(worker: Worker, notice: RegExp): Promise<void> {
  const answer = await crew.wait([worker.session_id]);
  const at = performance.now();
  expect(answer).toMatchObject({ all_idle: true, timed_out: false });
  expect(turnsOf(worker).some((r) => r.texts.some((text) => notice.test(text)))).toBe(true);
  expect(lastEnd(worker)).toBeLessThan(at);
  const idleBefore = crew.samples(worker).filter((s) => s.status === 'idle' && s.to < lastEnd(worker));
  expect(idleBefore).toEqual([]);
}

describe.concurrent('a worker', () => {
  test('whose own Stop hook sends it back to work is idle only after that', async () => {
    const repo = crew.home.repo('hooked');
    const command = `grep -q '"stop_hook_active":true' && exit 0; printf 'not yet\\nSLEEP 2\\n' >&2; exit 2`;
    mkdirSync(join(repo, '.claude'));
    const settings = { hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } };
    writeFileSync(join(repo, '.claude/settings.json'), JSON.stringify(settings));
    crew.home.sandbox.git(repo, 'add', '.');
    crew.home.sandbox.git(repo, 'commit', '-q', '-m', 'Send the agent back');
    const worker = await crew.one({ project_path: repo, prompt: 'SAY finished?' });
    await waitsToTheEnd(worker, /not yet/);
  });
});
