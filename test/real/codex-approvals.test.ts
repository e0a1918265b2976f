// What a Codex that leads asks its user before it uses our tools.
import { afterEach, expect, test } from 'vitest';
import { eventually } from '../support/sandbox.ts';
import { type LeadingCodex, openLeadingCodex } from './leading-codex.ts';

let leading: LeadingCodex | undefined;
afterEach(() => leading?.dispose());

const spawning = { workers: [{ project_path: 'auto', name: 'ada', prompt: 'SAY done' }] };

test('a tool that only looks runs unasked; one that acts opens a dialog that names it', async () => {
  const codex = await openLeadingCodex({ flags: ['-a', 'on-request'] });
  leading = codex;
  const seen = await codex.call('mcp__crewmux/crew_status', {});
  expect(seen.results.join('')).toContain('"counts"');
  const answered = codex.call('mcp__crewmux/spawn_workers', spawning);
  const isAsking = () => /Allow the crewmux MCP server to run tool "spawn_workers"/.test(codex.screen());
  await eventually('the dialog', isAsking);
  expect(codex.home.model.requests.some(({ prompt }) => prompt === 'SAY done')).toBe(false);
  await eventually('the dialog is answered', () => {
    codex.keys('Enter');
    return !isAsking();
  });
  expect((await answered).results.join('')).toContain('"count":1');
  const waited = await codex.call('mcp__crewmux/wait_idle_workers', { session_ids: ['ada'], timeout: 120 });
  expect(waited.results.join('')).toContain('"all_idle":true');
});

test('under approval policy never a tool that acts is refused unless the entry approves it', async () => {
  const codex = await openLeadingCodex({ flags: ['-a', 'never'] });
  leading = codex;
  expect((await codex.call('mcp__crewmux/crew_status', {})).results.join('')).toContain('"counts"');
  const refused = await codex.call('mcp__crewmux/spawn_workers', spawning);
  expect(refused.results.join('')).toContain('approval policy is never');
});
