// What a real Claude Code asks reaches the manager, and what the manager answers reaches Claude Code.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { attention } from '../../src/tools/shapes.ts';
import type { Fields } from '../support/mcp.ts';
import { openRealCrew, type RealCrew, type Worker } from './crew.ts';

let crew: RealCrew;
beforeAll(async () => {
  crew = await openRealCrew();
});
afterAll(() => crew.dispose());

const answered = z.looseObject({ success: z.boolean() });
type Need = z.infer<typeof attention>;

/** What the worker asks, as a wait tells it. */
async function needOf(worker: Worker): Promise<Need> {
  const ended = await crew.wait([worker.session_id]);
  const [need] = ended.attention;
  if (need === undefined) throw new Error(`Nothing is asked: ${JSON.stringify(ended)}`);
  return need;
}

/** Makes the call that the attention gives, with other fields where a test wants them. */
function answer(need: Need, fields: Fields = {}): Promise<Fields> {
  const given = /^answer_worker (\{.*?\})(?:, or |\. Or: )/.exec(need.answer_with)?.[1] ?? '{}';
  return crew.call('answer_worker', answered, {
    ...z.record(z.string(), z.unknown()).parse(JSON.parse(given)),
    ...fields,
  });
}

const results = (of: Worker) =>
  crew.home.model.requests.filter((r) => r.cwd === of.project_path).flatMap((r) => r.results);

describe.concurrent('a worker', () => {
  test('whose permission is allowed by the manager goes on', async () => {
    const worker = await crew.one({ prompt: 'BASH touch made\nSAY made it' });
    const need = await needOf(worker);
    expect(need).toMatchObject({ waiting_for: 'permission', tool: { name: 'Bash', input: { command: 'touch made' } } });
    expect(readFileSync(need.tool?.path ?? '', 'utf8')).toContain('touch made');
    const result = await answer(need);
    expect(result).toMatchObject({ success: true, via: 'hook' });
    await crew.idle(worker);
    expect(existsSync(join(worker.project_path, 'made'))).toBe(true);
    expect(crew.falseIdles(worker)).toEqual([]);
  });

  test('whose permission is denied hears why and goes on', async () => {
    const worker = await crew.one({ prompt: 'BASH touch never\nSAY well then' });
    expect(await answer(await needOf(worker), { decision: 'deny', message: 'Write a test first.' })).toMatchObject({
      success: true,
    });
    const after = await crew.idle(worker);
    expect(after.turn?.ended_by).toBe('completed');
    expect(existsSync(join(worker.project_path, 'never'))).toBe(false);
    expect(results(worker).join()).toContain('Write a test first.');
  });
});
