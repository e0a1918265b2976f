import { expect, it } from 'vitest';
import { instructionsFor } from '../../src/mcp/instructions.ts';
import { toolSets } from '../../src/model/tool-set.ts';

const shownByCodex = 247;

it('what Codex shows of the instructions before a search says what the server is for, in whole sentences', () => {
  const said = instructionsFor(toolSets).slice(0, shownByCodex).match(/^.*\./)?.[0];
  expect(said).toMatchInlineSnapshot(
    `"crewmux runs a crew of workers for you: real, interactive Claude Code and Codex sessions in tmux panes and git worktrees, at work in parallel. Use it to start, delegate to, wait for, message, answer, interrupt or close agents, sessions, workers."`,
  );
  expect(said).toMatch(/Use it to/);
});

it('tasks and plans are spoken of only where their tools are', () => {
  expect(instructionsFor(toolSets)).toMatch(/submit_task.*create_plan.*wait_tasks/);
  expect(instructionsFor(['core', 'git'])).not.toMatch(/_task|_plan/);
});
