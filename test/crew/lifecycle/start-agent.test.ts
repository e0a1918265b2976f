import { expect, it } from 'vitest';
import { startHint } from '../../../src/crew/lifecycle/start-agent.ts';

const refusal = '--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons';

it.each([
  ['root', refusal, true, /^crewmux runs as root, .*: leave skip_permissions out, or run crewmux as another user\.$/],
  ['a wrong flag', "error: unknown option '--modle'", true, /^Run the same command/],
  ['a folder', 'no rootfs at /roots', true, /^Run the same command/],
  ['no flag to skip anything', refusal, false, /^Run the same command/],
])('the hint for an agent that ended over %s says what helps', (_, words, skipPermissions, hint) => {
  expect(startHint(words, { skipPermissions })).toMatch(hint);
});
