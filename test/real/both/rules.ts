// Rules set by the manager, as a real Claude Code and a real Codex live under them.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { answer, needOf, resultsOf } from '../asking.ts';
import { cast, crew } from '../company.ts';
import type { Worker } from '../crew.ts';

const isMade = (of: Worker, name: string) => existsSync(join(of.project_path, name));
const rules = (of: Worker, change: Readonly<Record<string, unknown>>) =>
  crew.call('set_permissions', z.looseObject({ changed: z.boolean() }), {
    scope: `worker:${of.session_id}`,
    ...change,
  });

describe.concurrent('a Claude Code worker', () => {
  test('does what a rule allows without anybody being asked, and asks for what only looks like it', async () => {
    const worker = await cast.enter({});
    await rules(worker, { allow: ['Bash(touch *)'] });
    await crew.message(worker, 'BASH touch made\nBASH touch other && mkdir smuggled\nSAY done');
    const need = await needOf(crew, worker);
    expect(need).toMatchObject({ tool: { input: { command: 'touch other && mkdir smuggled' } } });
    expect([isMade(worker, 'made'), isMade(worker, 'other'), isMade(worker, 'smuggled')]).toEqual([true, false, false]);
    await answer(crew, need, { decision: 'deny', message: 'No.' });
    await crew.idle(worker);
    expect(isMade(worker, 'smuggled')).toBe(false);
  });

  test('that may do everything is refused what is forbidden from the moment the call answers', async () => {
    const worker = await cast.enter({ skip_permissions: true });
    await crew.message(worker, 'BASH mkdir before\nSAY done');
    await crew.idle(worker);
    await rules(worker, { deny: ['Bash(mkdir *)', 'Edit(*.lock)'] });
    await crew.message(
      worker,
      'BASH env A=1 mkdir after\nBASH echo x > a.lock\nWRITE b.lock x\nBASH touch free\nSAY done',
    );
    await crew.idle(worker);
    expect(['before', 'after', 'a.lock', 'b.lock', 'free'].map((name) => isMade(worker, name))).toEqual([
      true,
      false,
      false,
      false,
      true,
    ]);
    expect(resultsOf(crew, worker)).toContain('A rule of this crew forbids it.');
  });

  test('with the preset of a reviewer edits nothing, though it may do everything', async () => {
    const worker = await cast.enter({ skip_permissions: true });
    await rules(worker, { preset: 'review' });
    await crew.message(
      worker,
      'BASH ls\nWRITE review.txt x\nBASH echo x > b.txt\nBASH git commit --allow-empty -m x\nSAY done',
    );
    await crew.idle(worker);
    expect([isMade(worker, 'review.txt'), isMade(worker, 'b.txt')]).toEqual([false, false]);
    expect(resultsOf(crew, worker)).toContain('A rule of this crew forbids it.');
  });
});

describe.concurrent('a Codex worker', () => {
  test('that may do everything is refused a forbidden command, and a patch of a forbidden file', async () => {
    const worker = await cast.enter({ agent_type: 'codex', skip_permissions: true });
    await rules(worker, { deny: ['Bash(mkdir *)', 'Edit(secret/**)'] });
    await crew.message(
      worker,
      'BASH mkdir never\nPATCH secret/plan.txt|one line\nPATCH plan.txt|one line\nBASH touch free\nSAY done',
    );
    await crew.idle(worker);
    expect(['never', 'secret/plan.txt', 'plan.txt', 'free'].map((name) => isMade(worker, name))).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });
});
