import { describe, expect, it } from 'vitest';
import { readProcess } from '../../../src/agents/codex/process.ts';

const first = '01a1fca3-b185-7c62-bd3d-3b87c19475a2';
const second = '01a1fca4-ed21-7651-b2c4-6775638f450f';
const lock = (id: string, modifiedAt: number) => ({ path: `/h/thread-writer-locks/${id}.lock`, modifiedAt });
const rollout = (id: string) => ({
  path: `/h/sessions/2026/11/21/rollout-2026-11-21T05-45-48-${id}.jsonl`,
  modifiedAt: 9,
});
const vendor = '/x/vendor/x86_64-unknown-linux-musl/bin/codex';

describe('a process', () => {
  it.each([
    ['the program', [vendor]],
    ['the program with flags and their values', ['codex', '-m', 'exec', '-p', 'review', '--no-daemon']],
    ['the program as it is released', ['codex-x86_64-unknown-linux-musl', 'resume', first]],
    ['a prompt that is the word of a subcommand, behind dashes', ['codex', '--', 'exec']],
    ['a prompt', ['codex', 'fix the login of the app-server']],
  ])('is a Codex on the screen: %s', (_, argv) => {
    expect(readProcess({ argv })).toBeDefined();
  });

  it.each([
    ['the script that starts it', ['node', '/usr/bin/codex', '--no-daemon']],
    ['a run without a screen', ['codex', '-m', 'gpt-5.5', 'exec', 'do it']],
    ['its server', ['codex', 'app-server', '--listen', 'unix://']],
    ['its queue', ['codex', 'queue', '--thread', first]],
    ['its version', ['codex', '--version']],
    ['another program', ['vim', 'codex']],
    ['nothing', []],
  ])('is none: %s', (_, argv) => {
    expect(readProcess({ argv })).toBeUndefined();
  });

  it.each([
    [['-a', 'on-request', '-s', 'workspace-write'], { permissionMode: 'manual' }],
    [['--sandbox=workspace-write', '-a=never'], { permissionMode: 'dontAsk' }],
    [['-s', 'read-only', '-m', 'gpt-5.5'], { permissionMode: 'plan', model: 'gpt-5.5' }],
    [['--approve-for-me'], { permissionMode: 'auto' }],
    [['--yolo'], { permissionMode: 'bypassPermissions', skipPermissions: true }],
    [['-a', 'never', '-s', 'danger-full-access'], { permissionMode: 'bypassPermissions', skipPermissions: true }],
    [['--no-daemon'], {}],
  ])('started with %j is started again as %j', (flags, expected) => {
    const { refused: _, ...started } = readProcess({ argv: ['codex', ...flags] }) ?? {};
    expect(started).toEqual(expected);
  });
});

describe('of the files it has open', () => {
  const argv = ['codex', '--no-daemon'];

  it('the lock names the conversation before there is a transcript', () => {
    expect(readProcess({ argv, openFiles: [lock(first, 1)] })).toEqual({ agentSessionId: first });
  });

  it('the lock that was taken last is that of the conversation in sight', () => {
    const openFiles = [lock(first, 5), rollout(second), lock(second, 2), rollout(first)];
    expect(readProcess({ argv, openFiles })).toEqual({
      agentSessionId: first,
      transcriptPath: rollout(first).path,
    });
  });

  it('none is a conversation that has not begun, or one that the shared daemon holds', () => {
    expect(readProcess({ argv, openFiles: [] })).toEqual({});
    expect(readProcess({ argv: ['codex', '-c', 'a=1'], openFiles: [] })).toEqual({});
    expect(readProcess({ argv: ['codex'], openFiles: [] })?.refused?.reason).toContain('shared daemon');
    expect(readProcess({ argv })?.refused?.reason).toContain('cannot be seen');
  });
});
