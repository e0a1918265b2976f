// A program of the user's own that starts Codex, set as the command for it.
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { childrenOf } from '../../src/system/process.ts';
import { spawnOutput } from '../../src/wire/starting.ts';
import { eventually } from '../support/sandbox.ts';
import { makeCodexHome } from './codex-home.ts';
import { openRealCrew, type RealCrew, type Worker } from './crew.ts';
import { agentBinary } from './install.ts';

let crew: RealCrew;
beforeAll(async () => {
  crew = await openRealCrew(async () => {
    const home = await makeCodexHome();
    const script = join(home.sandbox.dir('wrapper'), 'my codex');
    const queue = '[ "$1" = queue ] && { echo no queue today >&2; exit 3; }';
    writeFileSync(script, ['#!/bin/sh', queue, `'${agentBinary('codex')}' "$@"`, 'sleep 600', ''].join('\n'));
    chmodSync(script, 0o755);
    // The path has a blank in it.
    return { ...home, env: { ...home.env, CREWMUX_CODEX_COMMAND: `'${script}'` } };
  });
});
afterAll(() => crew.dispose());

const asked = (of: Worker, words: string) =>
  crew.home.model.waitFor(words, (r) => r.cwd === of.project_path && r.prompt.includes(words));

/** The pid of the program under the wrapper, which is a script of node that starts it. */
async function codexOf(of: Worker): Promise<number> {
  const pane = of.terminal_id?.slice(5) ?? '';
  const [script] = await childrenOf(Number(crew.home.sandbox.tmux('display', '-p', '-t', pane, '#{pane_pid}')));
  const [codex] = await childrenOf(script?.pid ?? 0);
  if (codex === undefined) throw new Error('no Codex under the wrapper');
  return codex.pid;
}

describe.concurrent('a Codex under a wrapper', () => {
  test('works, takes messages and is interrupted', async () => {
    const worker = await crew.one({ agent_type: 'codex', prompt: 'SAY wrapped' });
    await crew.idle(worker);
    expect(await crew.message(worker, 'HOLD wrapped-hold')).toMatchObject({ verdict: 'submitted' });
    await asked(worker, 'wrapped-hold');
    expect(await crew.interrupt(worker)).toBe('interrupted');
    await crew.until(worker.session_id, 'idle');
    expect(crew.falseIdles(worker)).toEqual([]);
  });

  test('that is killed is dead though its wrapper lives, and comes back with its conversation', async () => {
    const worker = await crew.one({ agent_type: 'codex', prompt: 'SAY before the kill' });
    await crew.idle(worker);
    // One that is killed before it was ever seen under its wrapper cannot be missed; a turn later it has been seen.
    expect(await crew.message(worker, 'SAY seen', { wait_mode: 'all' })).toMatchObject({ verdict: 'submitted' });
    process.kill(await codexOf(worker), 'SIGKILL');
    await crew.until(worker.session_id, 'dead');
    const again = await crew.call('restart_workers', spawnOutput, { session_ids: [worker.session_id] });
    expect(again.failed).toEqual([]);
    await crew.until(worker.session_id, 'idle');
    expect(await crew.message(worker, 'SAY alive', { wait_mode: 'all' })).toMatchObject({ verdict: 'submitted' });
    expect((await asked(worker, 'SAY alive')).texts).toContain('SAY before the kill');
  });

  test('whose wrapper has no queue leaves a message held, and nothing of it is ever run', async () => {
    const worker = await crew.one({ agent_type: 'codex', prompt: 'SAY begun' });
    await crew.idle(worker);
    crew.keys(worker, '-l', 'half a thought');
    await eventually('the draft is drawn', () => crew.screen(worker).includes('half a thought'));
    expect(await crew.message(worker, 'SAY hello')).toMatchObject({ success: false, verdict: 'held' });
    expect(await crew.look(worker.session_id)).toMatchObject({ status: 'idle', pending_messages: 0 });
  });
});
