import { expect, it } from 'vitest';
import { longestWaitMs } from '../../src/mcp/longest-wait.ts';

it.each([
  ['claude-code', undefined, 10_800],
  ['codex-mcp-client', undefined, 240],
  ['Visual Studio Code - Insiders', undefined, 240],
  ['cursor-vscode', undefined, 240],
  ['inspector-client', undefined, 50],
  ['something new', undefined, 600],
  [undefined, undefined, 600],
  ['claude-code', 30, 30],
])('a client called %s, configured %s, waits %d s', (name, configured, seconds) => {
  expect(longestWaitMs(name, configured)).toBe(seconds * 1000);
});
