// A Codex that nobody has asked anything yet.
import { describe, expect, test } from 'vitest';
import { eventually } from '../../support/sandbox.ts';
import { cast, crew } from '../company.ts';

describe.concurrent('a Codex worker', () => {
  test('without a prompt is idle once its prompt is in sight, is not typed at over a draft, and takes a message', async () => {
    const worker = await crew.one({ agent_type: 'codex' });
    expect(worker).toMatchObject({ status: 'idle', evidence: { source: 'screen' } });
    expect(worker.agent_session_id).toBeUndefined();
    // There is no queue before the first prompt.
    crew.keys(worker, '-l', 'half a thought');
    await eventually('the draft is drawn', () => crew.screen(worker).includes('half a thought'));
    expect(await crew.message(worker, 'SAY hello')).toMatchObject({ success: false, verdict: 'held' });
    expect(await crew.message(worker, 'SAY hello', { delivery: 'steer' })).toMatchObject({ verdict: 'held' });
    crew.keys(worker, 'C-u');
    await eventually('the draft is gone', () => !crew.screen(worker).includes('half a thought'));
    expect(await crew.message(worker, 'SAY hello', { wait_mode: 'all' })).toMatchObject({ verdict: 'submitted' });
    const now = await crew.look(worker.session_id);
    expect(now.transcript_path).toContain(now.agent_session_id);
    expect(crew.falseIdles(worker)).toEqual([]);
    cast.joins(worker, { agent_type: 'codex' });
    cast.rests(worker);
  });
});
