import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { claudeAgent } from '../../src/agents/claude/claude.ts';
import { claudeSessions } from '../../src/agents/claude/sessions.ts';
import { codexAgent } from '../../src/agents/codex/codex.ts';
import { codexSessions } from '../../src/agents/codex/sessions.ts';
import { addLines, noFacts } from '../../src/sessions/facts.ts';
import { casesOf } from './recordings.ts';

const lines = (path: string) => readFileSync(path, 'utf8').split('\n');

describe.each([
  ['claude', claudeAgent, claudeSessions],
  ['codex', codexAgent, codexSessions],
] as const)('recordings of %s', (_, agent, sessions) => {
  const recorded = casesOf(agent).flatMap(({ folder, name }) => {
    try {
      return [{ name, facts: addLines(noFacts, lines(join(folder, 'transcript.jsonl')), sessions) }];
    } catch {
      return [];
    }
  });
  const begun = recorded.filter(({ facts }) => facts.at !== undefined);

  test('say where each session works, on which branch, and of which kind it is', () => {
    expect(begun.length).toBeGreaterThan(5);
    const odd = begun.filter(
      ({ facts }) =>
        facts.unreadLines > 0 ||
        facts.projectPath !== '/sandbox/project' ||
        facts.branch !== 'main' ||
        facts.kind !== 'interactive' ||
        facts.version !== sessions.tested?.testedTo ||
        (facts.startedAt ?? 0) > (facts.at ?? 0),
    );
    expect(odd).toEqual([]);
  });

  test('name each session by the words of a person, or by its name', () => {
    expect(Object.fromEntries(begun.map(({ name, facts }) => [name, facts.name ?? facts.prompt]))).toMatchSnapshot();
  });
});

const claudeLine = (more: object) => JSON.stringify({ type: 'user', timestamp: '2030-01-01T00:00:00.000Z', ...more });

describe('claude', () => {
  it.each([
    ['interactive', { entrypoint: 'cli' }],
    ['headless', { entrypoint: 'sdk-cli' }],
    ['background', { entrypoint: 'cli', sessionKind: 'bg' }],
    ['teammate', { entrypoint: 'cli', teamName: 'session-6674b240', agentName: 'mate' }],
    ['subagent', { entrypoint: 'sdk-cli', isSidechain: true, agentId: 'af8b' }],
    [undefined, {}],
  ])('a line of a session that is %s says so', (kind, more) => {
    expect(claudeSessions.newsIn(claudeLine(more))?.kind).toBe(kind);
  });

  it.each([
    ['-a-b/0b92.jsonl', { agentSessionId: '0b92' }],
    ['-a-b/agent-77.jsonl', { agentSessionId: '77', isSubagent: true, ending: '-a-b/agent-77.meta.json' }],
    [
      '-a-b/0b92/subagents/agent-77.jsonl',
      { agentSessionId: '77', isSubagent: true, parent: '0b92', ending: '-a-b/0b92/subagents/agent-77.meta.json' },
    ],
    ['-a-b/0b92/subagents/agent-77.meta.json', undefined],
    ['-a-b/0b92/tool-results/x.jsonl', undefined],
    ['history.jsonl', undefined],
  ])('the file %s is read as what it is', (path, session) => {
    expect(claudeSessions.fileAt(path)).toEqual(session);
  });

  it.each([
    ['its own notices', '<task-notification>done</task-notification>', undefined],
    ['a prompt', 'Mend it', 'Mend it'],
    ['a prompt in blocks', [{ type: 'text', text: 'Mend it' }], 'Mend it'],
    ['a result of a tool', [{ type: 'tool_result', content: 'ok' }], undefined],
  ])('%s: is it the words of a person?', (_, content, prompt) => {
    expect(claudeSessions.newsIn(claudeLine({ message: { role: 'user', content } }))?.prompt).toBe(prompt);
  });

  it('the last list of the older to-do tool counts', () => {
    const todos = [
      { content: 'a', status: 'in_progress', activeForm: 'Doing a' },
      { content: 'b', status: 'odd' },
    ];
    const content = [{ type: 'tool_use', name: 'TodoWrite', input: { todos } }];
    expect(claudeSessions.newsIn(claudeLine({ type: 'assistant', message: { content } }))?.todos).toEqual([
      { subject: 'a', status: 'in_progress', activeForm: 'Doing a', blockedBy: [] },
    ]);
  });

  it('a task file is an item of the list', () => {
    const file =
      '{"id":"1","subject":"Fix it","activeForm":"Fixing it","status":"pending","blocks":[],"blockedBy":["2"]}';
    expect(claudeSessions.todoIn(file)).toEqual({
      subject: 'Fix it',
      activeForm: 'Fixing it',
      status: 'pending',
      blockedBy: ['2'],
    });
    expect(claudeSessions.todoIn('{"subject":')).toBeUndefined();
  });

  it.each([
    [
      '/s/7161.json',
      '{"pid":7161,"sessionId":"u","cwd":"/p","startedAt":5,"procStart":"9","kind":"bg","name":"x","status":"idle","statusUpdatedAt":7}',
      {
        pid: 7161,
        processStart: '9',
        session: {
          agentSessionId: 'u',
          projectPath: '/p',
          startedAt: 5,
          name: 'x',
          kind: 'background',
          signal: { from: 'agent', kind: 'state', at: 7, status: 'idle', detail: 'idle' },
        },
      },
    ],
    ['/s/7161.c870.key', '{"peerToken":"p","procStart":"9"}', { pid: 7161, processStart: '9' }],
    ['/s/7161.json', '{"pid":7161', undefined],
  ])('the state file %s names process and session as far as it can', (name, text, state) => {
    expect(claudeSessions.stateIn(name, text)).toEqual(state);
  });
});

describe('codex', () => {
  const line = (type: string, payload: object) =>
    JSON.stringify({ timestamp: '2030-01-01T00:00:00.000Z', type, payload });

  it.each([
    ['interactive', 'cli'],
    ['interactive', 'vscode'],
    ['headless', 'exec'],
    ['subagent', { subagent: { thread_spawn: { parent_thread_id: 'x' } } }],
  ])('a session is %s that was begun by %o', (kind, source) => {
    expect(codexSessions.newsIn(line('session_meta', { id: 'u', cwd: '/p', source }))?.kind).toBe(kind);
  });

  it('its plan is a list of to-do items', () => {
    const input = JSON.stringify({
      plan: [
        { step: 'Look', status: 'completed' },
        { step: 'Mend', status: 'in_progress' },
      ],
    });
    const call = line('response_item', { type: 'function_call', name: 'update_plan', arguments: input });
    expect(codexSessions.newsIn(call)?.todos).toEqual([
      { subject: 'Look', status: 'completed', blockedBy: [] },
      { subject: 'Mend', status: 'in_progress', blockedBy: [] },
    ]);
  });

  it.each([
    [
      '2030/01/01/rollout-2030-01-01T00-00-00-01a1fc6b-c97c-7571-87c2-f0e8f3ac805a.jsonl',
      '01a1fc6b-c97c-7571-87c2-f0e8f3ac805a',
    ],
    ['2030/01/01/notes.jsonl', undefined],
  ])('the file %s is read as what it is', (path, agentSessionId) => {
    expect(codexSessions.fileAt(path)?.agentSessionId).toBe(agentSessionId);
  });
});
