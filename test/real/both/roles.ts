// An agent that a user of Claude Code has already, as the role of a worker of each agent, as its model is told of it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { spawnOutput } from '../../../src/wire/starting.ts';
import { cast, crew } from '../company.ts';
import type { Worker } from '../crew.ts';

/** As people write them: its description is no YAML, and some of its keys are for Claude Code alone. */
const file = (name: string, body: string) => `---
name: ${name}
description: Use this agent when code was written: it reads. <example>user: "Done" assistant: "Let me look"</example>
tools: Read, Grep, Bash
model: inherit
color: purple
---

You are a careful reader of code.

${body}
`;

const told = (of: Worker, since = 0) =>
  cast
    .turns(of)
    .slice(since)
    .map((request) => request.told.join('\n'))
    .join('\n');

describe.concurrent.each(['claude', 'codex'] as const)('%s', (agent_type) => {
  test("in the role of a user's own agent is told its text, and told it again after a restart", async () => {
    const role = `reader-of-${agent_type}`;
    const folder = join(crew.home.sandbox.home, '.claude/agents');
    const path = join(folder, `${role}.md`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, file(role, 'Look at every door.'));
    const made = await crew.spawn({ agent_type, role, append_system_prompt: 'Prefer tabs.', prompt: 'SAY read' });
    const [worker] = made.sessions;
    if (worker === undefined) throw new Error(JSON.stringify(made.failed));
    expect(made.warnings).toContain(`crewmux does not carry over from ${path}: color.`);
    const lacks = made.warnings.filter((words) => words.includes('no words for tools'));
    expect(lacks).toHaveLength(agent_type === 'claude' ? 0 : 1);
    await crew.idle(worker);
    const whole = new RegExp(
      `the ${role} of several[\\s\\S]*careful reader[\\s\\S]*Look at every door\\.\\s+Prefer tabs\\.`,
    );
    expect(told(worker)).toMatch(whole);
    if (agent_type === 'claude') {
      const names = cast.turns(worker)[0]?.tools ?? [];
      expect(names).toEqual(expect.arrayContaining(['Read', 'Grep', 'Bash', 'mcp__crew__submit_report']));
      expect(names).not.toContain('Edit');
    }

    writeFileSync(path, file(role, 'Look at every window.'));
    await crew.close(worker);
    const since = cast.turns(worker).length;
    const back = await crew.call('restart_workers', spawnOutput, { session_ids: [worker.session_id] });
    expect(back.warnings).toContainEqual(expect.stringContaining(`${path} has changed since.`));
    await crew.message(worker, 'SAY read again');
    await crew.idle(worker);
    expect(told(worker, since)).toMatch(whole);
    expect(told(worker, since)).not.toContain('every window');
    await crew.close(worker, true);
  });
});
