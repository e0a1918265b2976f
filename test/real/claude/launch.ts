// What claudeAgent plans, run by the real CLI in a real pane with nothing of the crew around it.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { LaunchSpec } from '../../../src/agents/agent.ts';
import { claudeAgent } from '../../../src/agents/claude/claude.ts';
import { workerEnvironment } from '../../../src/agents/environment.ts';
import { newUuid } from '../../../src/model/ids.ts';
import { noRules } from '../../../src/model/rule.ts';
import { connectedPathOf } from '../../../src/store/worker-token.ts';
import { eventually } from '../../support/sandbox.ts';
import { crew } from '../company.ts';
import type { ModelRequest } from '../fake/server.ts';

/** Opens a pane born with the plan's own words, as the terminal does. */
function open(repo: string, changes: Partial<LaunchSpec>) {
  const { home } = crew;
  const agentSessionId = newUuid();
  const launchDir = home.sandbox.dir(`launch-${agentSessionId}`);
  const spec: LaunchSpec = {
    workerId: '0a0b0c0d',
    name: 'Ada',
    cwd: repo,
    launchDir,
    signalsPath: join(launchDir, 'signals.jsonl'),
    tripwire: [],
    rules: noRules,
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

test.concurrent('the first request of a worker has its own tools, however slowly their server starts', async () => {
  const slow = `sleep 0.7; exec ${process.execPath} dist/crewmux.mjs worker`;
  const token = join(crew.home.sandbox.dir('slow-tools'), 'badge.json');
  const env = { CREWMUX_WORKER_TOKEN_FILE: token };
  const ownTools = { name: 'crew', command: 'sh', args: ['-c', `cd ${process.cwd()}; ${slow}`], env };
  const { spec } = open(crew.home.repo(crew.home.spareName()), {
    prompt: 'SAY at once',
    ownTools: { ...ownTools, longestCallSeconds: 60, canStart: true, connectedPath: connectedPathOf(token) },
  });
  const isFirst = (r: ModelRequest) => r.kind === 'turn' && r.conversation === spec.agentSessionId;
  const { tools } = await crew.home.model.waitFor(spec.agentSessionId, isFirst);
  expect(tools).toEqual(expect.arrayContaining(['report_progress', 'submit_report', 'ask_manager'].map(ownTool)));
});

const ownTool = (name: string) => `mcp__crew__${name}`;

test.concurrent('a worker launched as claudeAgent plans is asked its prompt byte for byte, and its traces and signals are where they are said to be', async () => {
  const { model } = crew.home;
  const repo = crew.home.repo(crew.home.spareName());
  const prompt = 'SAY hello\n\n  "quoted" $(touch nope) `x` #{pane_id} \\';
  const { spec, traces } = open(repo, { prompt });
  const isFirst = (r: ModelRequest) => r.kind === 'turn' && r.conversation === spec.agentSessionId;
  const asked = await model.waitFor(spec.agentSessionId, isFirst);
  expect(asked.prompt).toBe(prompt);
  expect(asked.cwd).toBe(repo);
  await eventually('the transcript is there', () => existsSync(traces.transcriptPath ?? ''));
  expect(readdirSync(traces.stateDir ?? '')).not.toHaveLength(0);
  expect(existsSync(join(repo, 'nope'))).toBe(false);
  await eventually('Stop is on file', () => {
    if (!existsSync(spec.signalsPath)) return false;
    const lines = readFileSync(spec.signalsPath, 'utf8');
    return ['"SessionStart"', '"UserPromptSubmit"', '"Stop"'].every((name) => lines.includes(name));
  });
});
