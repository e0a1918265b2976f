// An agent that only a configuration describes, with real programs that have no hook and no transcript.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStand, type Server, type Stand } from './crew.ts';

let stand: Stand;
let server: Server;
beforeAll(async () => {
  stand = openStand();
  const config = join(stand.sandbox.root, 'config.json');
  const agents = {
    python: {
      command: 'python3 -q -i',
      prompt: '^>>> ',
      dialog: '^Continue\\? \\[y/n\\]',
      quiet_ms: 400,
      exit: [{ text: 'exit()' }, 'Enter'],
    },
    broken: { command: 'no-such-program-anywhere', prompt: '^> ' },
    never: { command: ['sh', '-c', 'echo up; exec sleep 1000'], prompt: '^ready> ' },
    dies: { command: ['sh', '-c', 'echo no licence >&2; exit 3'], prompt: '^> ' },
  };
  writeFileSync(config, JSON.stringify({ agents }));
  server = await stand.serve({ CREWMUX_CONFIG: config });
});
afterAll(() => stand.dispose());

const python = { agent_type: 'python', skip_permissions: undefined };

describe('a program of which only the screen tells', () => {
  it('becomes ready, takes its first prompt, works, rests, and is closed without a trace', async () => {
    const worker = await server.one({ ...python, prompt: `print('x' * 3)` });
    expect(worker).toMatchObject({ agent_type: 'python', permission_mode: 'unknown', branch: expect.any(String) });
    expect(await server.wait([worker])).toMatchObject({ all_idle: true, attention: [] });
    expect(stand.screen(worker)).toContain("print('x' * 3)\nxxx\n>>>");
    expect(await server.look(worker.session_id)).toMatchObject({
      status: 'idle',
      evidence: { source: 'screen' },
      turn: { ended_at: expect.any(String) },
    });
    expect(await server.close(worker)).toMatchObject({ success: true, worktree: 'removed' });
    expect(existsSync(worker.worktree_path ?? '')).toBe(false);
  });
});

it('an agent that nobody describes is refused with the ones there are, and nothing is made', async () => {
  const { failed, sessions } = await server.spawn({ agent_type: 'gemini', prompt: 'hi' });
  expect(sessions).toEqual([]);
  expect(failed).toMatchObject([
    { step: 'check', error: expect.stringContaining('Known: claude, codex, python, broken, never, dies') },
  ]);
});
