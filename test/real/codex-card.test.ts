// The hook of `crewmux init --hooks --codex` in a real Codex that leads.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/sandbox.ts';
import { type LeadingCodex, openLeadingCodex } from './leading-codex.ts';

let manager: LeadingCodex;
beforeAll(async () => {
  manager = await openLeadingCodex({
    entry: 'default_tools_approval_mode = "approve"',
    // A person agrees once in the dialog that this leaves out.
    flags: ['--dangerously-bypass-hook-trust'],
    prepare: ({ repo, env }) => {
      const line = [join(process.cwd(), 'dist/crewmux.mjs'), 'init', '--hooks', '--codex'];
      execFileSync(process.execPath, line, { cwd: repo, env });
    },
  });
});
afterAll(() => manager.dispose());

test('after a clear Codex has the card of its crew', async () => {
  const jobs = [{ name: 'a', prompt: 'SAY a' }];
  await manager.call('mcp__crewmux/create_plan', { name: 'shop', mode: 'copilot', jobs });
  manager.keys('/clear');
  await eventually('the command stands in the box', () => /› \/clear/.test(manager.screen()));
  manager.keys('Enter');
  await eventually('it is clear', () => !manager.screen().includes('create_plan'));
  const { texts, told } = await manager.call('mcp__crewmux/list_tasks', {});
  expect([...texts, ...told].join('\n')).toMatch(
    /- Plan "shop" has not begun, 0 of 1 job done: "[^"]+"\. approve_plan \{/,
  );
});
