// A wait that Claude Code has moved to the background wakes the session: this is how a manager learns without asking.
import { afterEach, expect, test } from 'vitest';
import { type LeadingClaude, openLeadingClaude } from './leading-claude.ts';

let leading: LeadingClaude | undefined;
afterEach(() => leading?.dispose());

const toBackgroundMs = 2_000;

test('a need of a worker ends the wait in the background at once and begins a turn of the manager', async () => {
  const claude = await openLeadingClaude({ CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS: String(toBackgroundMs) });
  leading = claude;
  const { home } = claude;
  const prompt = 'HOLD until told\nBASH git tag wanted\nSAY done';
  await claude.call('spawn_workers', { workers: [{ project_path: 'auto', name: 'ada', sandbox: false, prompt }] });
  await home.model.waitFor('the worker is at work', (request) => request.prompt === prompt, 120_000);
  const moved = await claude.call('wait_idle_workers', { session_ids: ['ada'], timeout: 600 });
  expect(moved).toMatch(/moved to the background/);
  const before = home.model.requests.length;
  home.model.release('until told');
  // It comes long before the end of the wait, or not at all. On a slow machine the spawning went to the background too, and its end is news of its own.
  const isNews = (text: string) => /<task-notification>/.test(text) && /wait_idle_workers/.test(text);
  const woken = await claude.turn('the turn by itself', (request) => isNews(request.prompt), before);
  expect(woken.prompt).toMatch(/\\?"waiting_for\\?":\\?"permission/);
  expect(woken.prompt).toContain('git tag wanted');
});
