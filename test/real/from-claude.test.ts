// A real Claude Code as the manager: the server comes from .mcp.json, and every step is a tool call of its model.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LeadingClaude, openLeadingClaude } from './leading-claude.ts';

let leading: LeadingClaude;
beforeAll(async () => {
  leading = await openLeadingClaude();
});
afterAll(() => leading.dispose());

test('a manager spawns two workers, waits, reads and closes them by its own tools', async () => {
  const { home, repo, call } = leading;
  const spawned = await call('spawn_workers', {
    workers: [
      { project_path: 'auto', name: 'ada', prompt: 'SAY the cart is done' },
      { project_path: 'auto', name: 'bruno', prompt: 'SAY the login is done' },
    ],
  });
  expect(spawned).toContain('"count":2');
  expect(await call('wait_idle_workers', { session_ids: ['ada', 'bruno'], timeout: 240 })).toContain('"all_idle":true');
  expect(await call('read_worker_logs', { session_id: 'ada' })).toContain('the cart is done');
  expect(await call('close_workers', { session_ids: ['ada', 'bruno'] })).toContain('"success_count":2');
  expect(home.sandbox.git(repo, 'status', '--porcelain')).toBe('');
});
