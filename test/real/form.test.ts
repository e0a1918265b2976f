// A person answers a worker in the window of the real Claude Code that leads.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentCommand } from '../e2e/crew.ts';
import { eventually } from '../support/sandbox.ts';
import { type LeadingClaude, openLeadingClaude } from './leading-claude.ts';

let leading: LeadingClaude;
beforeAll(async () => {
  leading = await openLeadingClaude({ CREWMUX_COMMAND: agentCommand.join(' ') });
  const folder = join(leading.home.sandbox.home, '.config/crewmux');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ attention: { elicit: true } }));
});
afterAll(() => leading.dispose());

test('a permission stands there as a form, and the choice of allow lets the worker go on', async () => {
  const { repo, call, press, screen } = leading;
  const asking = { use_worktree: false, skip_permissions: false, permission_mode: 'manual' };
  const worker = { project_path: 'auto', name: 'ada', ...asking, prompt: 'BASH touch made\nSAY made it' };
  const spawned = call('spawn_workers', { workers: [worker] });
  await eventually('the form', () => /ada wants to run: touch made[\s\S]*Decision/.test(screen()));
  // Claude Code drops a key that comes as soon as it has drawn, and one that comes again while it drops.
  const pressUntil = (key: string, seen: () => boolean) => {
    let pressedAt = Number.NEGATIVE_INFINITY;
    return eventually(`the form after ${key}`, () => {
      if (seen()) return true;
      if (performance.now() - pressedAt < 2_000) return false;
      press(key);
      pressedAt = performance.now();
      return false;
    });
  };
  await pressUntil('Right', () => /❯ ◯ allow/.test(screen()));
  await pressUntil('Enter', () => /✔ Decision: allow/.test(screen()));
  await pressUntil('Down', () => /❯ Accept/.test(screen()));
  await pressUntil('Enter', () => !/requests your input/.test(screen()));
  expect(await spawned).toContain('"count":1');
  await eventually('it is made', () => existsSync(join(repo, 'made')));
  expect(await call('poll_worker_changes', {})).toContain('"by":"person","decision":"allow"');
});
