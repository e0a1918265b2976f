// Rules set by the manager, as a real Claude Code and a real Codex go by them.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { spawnOutput } from '../../../src/wire/starting.ts';
import { eventually } from '../../support/sandbox.ts';
import { answer, needOf, resultsOf } from '../asking.ts';
import { cast, crew } from '../company.ts';
import type { Worker } from '../crew.ts';

const isMade = (of: Worker, name: string) => existsSync(join(of.project_path, name));
const set = z.looseObject({ workers: z.array(z.looseObject({ holds: z.string() })) });
const rules = (scope: string, change: Readonly<Record<string, unknown>>) =>
  crew.call('set_permissions', set, { scope, ...change });

describe.concurrent('a Claude Code worker', () => {
  test('does what a rule allows without anybody being asked, and asks for what only looks like it', async () => {
    await rules('role:toucher', { allow: ['Bash(touch *)'] });
    const worker = await cast.enter({ role: 'toucher' });
    await crew.message(worker, 'BASH touch made\nBASH touch other && mkdir smuggled\nSAY done');
    const need = await needOf(crew, worker);
    expect(need).toMatchObject({ tool: { input: { command: 'touch other && mkdir smuggled' } } });
    expect([isMade(worker, 'made'), isMade(worker, 'other'), isMade(worker, 'smuggled')]).toEqual([true, false, false]);
    await answer(crew, need, { decision: 'deny', message: 'No.' });
    await crew.idle(worker);
    expect(isMade(worker, 'smuggled')).toBe(false);
  });

  test('that may do everything is refused what is forbidden while it runs, until that is taken away', async () => {
    const worker = await cast.enter({ skip_permissions: true });
    const scope = `worker:${worker.session_id}`;
    const makes = async (name: string) => {
      await crew.message(worker, `BASH mkdir ${name}\nSAY done`);
      await crew.idle(worker);
      return isMade(worker, name);
    };
    expect(await makes('before')).toBe(true);
    const held = await rules(scope, { deny: ['Bash(mkdir *)', 'Edit(./*.lock)'] });
    expect(held.workers).toMatchObject([{ holds: 'within_3_seconds' }]);
    let tries = 0;
    await eventually('it is refused', async () => !(await makes(`try-${tries++}`)));
    await crew.message(worker, 'BASH touch x && mkdir after\nWRITE b.lock x\nBASH touch free\nSAY done');
    await crew.idle(worker);
    expect(['x', 'after', 'b.lock', 'free'].map((name) => isMade(worker, name))).toEqual([false, false, false, true]);
    await rules(scope, { remove: ['Bash(mkdir *)', 'Edit(./*.lock)'] });
    await eventually('it is allowed again', () => makes(`again-${tries++}`));
    expect(crew.home.sandbox.git(worker.project_path, 'status', '--porcelain', '.claude')).toBe('');
  });

  test('with the preset of a reviewer edits nothing, though it may do everything', async () => {
    await rules('role:reviewer', { preset: 'review' });
    const worker = await cast.enter({ skip_permissions: true, role: 'reviewer' });
    await crew.message(
      worker,
      'BASH ls\nWRITE review.txt x\nBASH echo x > b.txt\nBASH git commit --allow-empty -m x\nSAY done',
    );
    await crew.idle(worker);
    expect([isMade(worker, 'review.txt'), isMade(worker, 'b.txt')]).toEqual([false, false]);
    expect(crew.home.sandbox.git(worker.project_path, 'log', '-1', '--format=%s')).not.toBe('x');
  });

  test('remembers the rule that it has proposed itself', async () => {
    const worker = await cast.enter({});
    await crew.message(worker, 'BASH git tag one\nBASH git tag two\nSAY done');
    const need = await needOf(crew, worker);
    const words = `Bash(git tag *) is allowed until ${worker.name} restarts`;
    expect(need.suggestions).toContain(`session: ${words}`);
    await expect(answer(crew, need, { decision: 'allow', remember: 'edits' })).rejects.toThrow(
      /"edits" is not offered/,
    );
    expect(await answer(crew, need, { decision: 'allow', remember: 'session' })).toMatchObject({ remembered: words });
    await crew.idle(worker);
    expect(crew.home.sandbox.git(worker.project_path, 'tag').split('\n')).toEqual(['one', 'two']);
  });

  test('whose edits are accepted asks about none until it restarts, and its record says so', async () => {
    const worker = await cast.enter({ permission_mode: 'manual', prompt: 'WRITE one.txt x\nSAY done' });
    const need = await needOf(crew, worker);
    expect(need.suggestions?.at(-1)).toMatch(/^edits: file edits .* are accepted until/);
    expect(await answer(crew, need, { remember: 'edits' })).toMatchObject({ success: true });
    await crew.idle(worker);
    const file = 'touch a && mkdir b && cp a c && mv c d && sed -i s/x/y/ one.txt && rm d';
    await crew.message(
      worker,
      `WRITE two.txt x\nEDIT one.txt x=>z\n${file
        .split(' && ')
        .map((one) => `BASH ${one}`)
        .join('\n')}\nSAY done`,
    );
    const { permission_mode: mode } = await crew.idle(worker);
    expect(['two.txt', 'a', 'b', 'd'].map((name) => isMade(worker, name))).toEqual([true, true, true, false]);
    expect(mode).toBe('acceptEdits');
    await crew.message(worker, 'WRITE /elsewhere/one.txt x\nSAY done');
    const outside = await needOf(crew, worker);
    expect(outside.suggestions?.filter((line) => line.startsWith('edits'))).toEqual([]);
    await answer(crew, outside, { decision: 'deny', message: 'No.' });
    await crew.idle(worker);
    expect(await crew.close(worker)).toMatchObject({ success: true });
    const again = await crew.call('restart_workers', spawnOutput, { session_ids: [worker.session_id] });
    expect(again).toMatchObject({ failed: [] });
    await crew.message(worker, 'WRITE three.txt x\nSAY done');
    expect(await needOf(crew, worker)).toMatchObject({ tool: { name: 'Write' } });
    expect((await crew.look(worker.session_id)).permission_mode).toBe('manual');
  });

  test('that may do everything puts a catastrophic act to a person', async () => {
    const worker = await cast.enter({ skip_permissions: true });
    await crew.message(worker, 'BASH rm -rf build\nBASH rm -rf ../no-such-place\nSAY done');
    const need = await needOf(crew, worker);
    expect(need).toMatchObject({ tool: { input: { command: 'rm -rf ../no-such-place' } } });
    await expect(answer(crew, need, { decision: 'allow' })).rejects.toThrow(/Only a person/);
    await answer(crew, need, { decision: 'deny', message: 'No.' });
    await crew.idle(worker);
  });
});

describe.concurrent('a Codex worker', () => {
  test('that may do everything is refused a forbidden command, and a catastrophic act', async () => {
    await rules('role:codex-coder', { deny: ['Bash(mkdir *)'] });
    const worker = await cast.enter({ agent_type: 'codex', skip_permissions: true, role: 'codex-coder' });
    await crew.message(worker, 'BASH ls && mkdir never\nBASH rm -rf ../no-such-place\nBASH touch free\nSAY done');
    await crew.idle(worker);
    expect([isMade(worker, 'never'), isMade(worker, 'free')]).toEqual([false, true]);
    expect(resultsOf(crew, worker)).toContain('A rule of this crew: Bash(mkdir *)');
    expect(resultsOf(crew, worker)).toContain('Only a person may allow this');
    expect(crew.home.sandbox.git(worker.project_path, 'status', '--porcelain', '.codex')).toBe('');
  });

  test('is asked about what a rule asks about, from its next start', async () => {
    await rules('role:codex-asker', { ask: ['Bash(touch *)'] });
    const worker = await cast.enter({ agent_type: 'codex', role: 'codex-asker' });
    await crew.message(worker, 'BASH touch asked\nSAY done');
    const need = await needOf(crew, worker);
    expect(need.suggestions?.[0]).toMatch(/^session: only this very call of /);
    await expect(answer(crew, need, { remember: 'edits' })).rejects.toThrow(/"edits" is not offered.*codex worker/);
    await answer(crew, need, { decision: 'allow' });
    await crew.idle(worker);
    expect(isMade(worker, 'asked')).toBe(true);
  });
});
