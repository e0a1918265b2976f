// What claudeAgent plans, run by the real CLI in a real pane with nothing of the crew around it.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LaunchSpec } from '../../src/agents/agent.ts';
import { claudeAgent } from '../../src/agents/claude/claude.ts';
import { workerEnvironment } from '../../src/agents/environment.ts';
import { newUuid } from '../../src/model/ids.ts';
import { eventually } from '../support/sandbox.ts';
import { type ClaudeHome, makeClaudeHome } from './claude-home.ts';

let home: ClaudeHome;
let repo: string;
beforeAll(async () => {
  home = await makeClaudeHome();
  repo = home.repo('project');
});
afterAll(() => home.dispose());

/** Opens a pane born with the plan's own words, as the terminal does. */
function open(changes: Partial<LaunchSpec>) {
  const agentSessionId = newUuid();
  const launchDir = home.sandbox.dir(`launch-${agentSessionId}`);
  const spec: LaunchSpec = {
    workerId: '0a0b0c0d',
    name: 'Ada',
    cwd: repo,
    launchDir,
    signalsPath: join(launchDir, 'signals.jsonl'),
    command: [home.claude],
    program: [process.execPath, 'dist/crewmux.mjs'],
    agentSessionId,
    skipPermissions: false,
    env: workerEnvironment(home.env),
    ...changes,
  };
  const plan = claudeAgent.launch(spec);
  mkdirSync(launchDir, { recursive: true });
  for (const file of plan.files) writeFileSync(file.path, file.content, { mode: 0o600 });
  const env = Object.entries(plan.env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  home.sandbox.tmux('new-session', '-d', '-x', '220', '-y', '50', '-c', spec.cwd, ...env, '--', ...plan.argv);
  return { spec, traces: claudeAgent.traces({ cwd: repo, agentSessionId, env: plan.env }) };
}

const firstPrompt = (conversation: string) =>
  home.model.waitFor(conversation, (r) => r.kind === 'turn' && r.conversation === conversation);

describe('a worker launched as claudeAgent plans', () => {
  test('is asked its prompt byte for byte, and its traces are where traces() says', async () => {
    const prompt = 'SAY hello\n\n  "quoted" $(touch nope) `x` #{pane_id} \\';
    const { spec, traces } = open({ prompt });
    const asked = await firstPrompt(spec.agentSessionId);
    expect(asked.prompt).toBe(prompt);
    expect(asked.cwd).toBe(repo);
    await eventually('the transcript is there', () => existsSync(traces.transcriptPath ?? ''));
    expect(readdirSync(traces.stateDir ?? '')).not.toHaveLength(0);
    expect(existsSync(join(repo, 'nope'))).toBe(false);
  });

  test('is asked 100 KB from a file byte for byte', async () => {
    const prompt = `SAY long\n${'päragraph with ünicode 🚀\n'.repeat(3_600)}the end`;
    expect(Buffer.byteLength(prompt)).toBeGreaterThan(100_000);
    const { spec } = open({ prompt });
    const asked = await firstPrompt(spec.agentSessionId);
    expect(asked.prompt).toBe(prompt);
  });

  test('tells its signal file when it starts, is prompted and stops', async () => {
    const { spec } = open({ prompt: 'SAY hello' });
    await eventually('Stop is on file', () => {
      if (!existsSync(spec.signalsPath)) return false;
      const lines = readFileSync(spec.signalsPath, 'utf8');
      return ['"SessionStart"', '"UserPromptSubmit"', '"Stop"'].every((name) => lines.includes(name));
    });
  });
});
