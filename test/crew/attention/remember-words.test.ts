// The proposals of Claude Code are as the real program makes them.
import { describe, expect, it } from 'vitest';
import { claudeAgent } from '../../../src/agents/claude/claude.ts';
import { codexAgent } from '../../../src/agents/codex/codex.ts';
import { choicesOf, suggestionsOf } from '../../../src/crew/attention/remember-words.ts';
import type { AgentRequest } from '../../../src/turn/agent-request.ts';
import { workerRecord } from '../../support/records.ts';

const ada = workerRecord({ projectPath: '/tree', role: 'tester' });
const request = (tool: string, ...suggestions: readonly object[]): AgentRequest => ({
  ...{ at: 1, waitingFor: 'permission', tool, input: {}, requestId: '1a2b3c4d', held: true },
  ...(suggestions.length === 0 ? {} : { suggestions }),
});
const rules = (...contents: readonly string[]) => ({
  type: 'addRules',
  rules: contents.map((ruleContent) => ({ toolName: 'Bash', ruleContent })),
  behavior: 'allow',
  destination: 'localSettings',
});
const mode = { type: 'setMode', mode: 'acceptEdits', destination: 'session' };
const folders = (...directories: readonly string[]) => ({
  type: 'addDirectories',
  directories,
  destination: 'session',
});
const lines = (asked: AgentRequest, record = ada) => suggestionsOf(record, asked, claudeAgent);
const offersEdits = (asked: AgentRequest) => lines(asked).some((line) => line.startsWith('edits: '));

describe('what each choice would remember', () => {
  it('is the rules that the agent proposes', () => {
    expect(lines(request('Bash', rules('touch x *', 'git tag *')))).toEqual([
      'session: Bash(touch x *), Bash(git tag *) are allowed until ada restarts',
      'worker: Bash(touch x *), Bash(git tag *) are allowed for ada, also after a restart',
      'role: Bash(touch x *), Bash(git tag *) are allowed for every worker with the role tester',
    ]);
  });

  it('is the very call where it proposes none, and the accepted edits beside it', () => {
    expect(lines(request('Write', mode), workerRecord({ projectPath: '/tree' }))).toEqual([
      'session: only this very call of Write, its whole input byte by byte, is allowed until ada restarts',
      'worker: only this very call of Write, its whole input byte by byte, is allowed for ada, also after a restart',
      'edits: file edits and common file commands (such as mkdir, touch, cp, mv, rm and sed) in /tree are accepted until ada restarts',
    ]);
  });

  it('is the very call for an agent that proposes nothing', () => {
    expect(suggestionsOf(workerRecord(), request('Bash', mode), codexAgent)).toEqual([
      'session: only this very call of Bash, its whole input byte by byte, is allowed until ada restarts',
      'worker: only this very call of Bash, its whole input byte by byte, is allowed for ada, also after a restart',
    ]);
  });

  it('is the very call where it is denied, and never the accepted edits', () => {
    const proposal = { rules: ['Bash(git tag *)'], edits: 'edits' };
    const choices = choicesOf(workerRecord(), { asked: request('Bash'), proposal, decision: 'deny' });
    expect(choices).toEqual({
      session: 'only this very call of Bash, its whole input byte by byte, is denied until ada restarts',
      worker: 'only this very call of Bash, its whole input byte by byte, is denied for ada, also after a restart',
    });
  });

  it.each([
    ['a question', { waitingFor: 'question' as const }],
    ['a plan', { waitingFor: 'plan_approval' as const }],
    ['what only a person may allow', { personOnly: true as const }],
  ])('is nothing for %s', (_, change) => {
    expect(lines({ ...request('Bash', rules('ls')), ...change })).toEqual([]);
  });
});

it.each([
  ['with the mode alone', [mode], true],
  ['with its own folder beside it', [folders('/tree'), mode], true],
  ['with a folder in its own', [folders('/tree/src'), mode], true],
  ['with a folder that only begins alike', [folders('/tree-two'), mode], false],
  ['with another folder beside it', [mode, folders('/tmp')], false],
  ['with a folder alone', [folders('/tree')], false],
  ['with a rule alone', [rules('git tag *')], false],
  ['with another mode', [{ ...mode, mode: 'bypassPermissions' }], false],
  ['with nothing', [], false],
])('accepted edits are offered or not: a proposal %s', (_, suggestions, isOffered) => {
  expect(offersEdits(request('Write', ...suggestions))).toBe(isOffered);
});
