import { describe, expect, it } from 'vitest';
import type { Agent, PrintedLine, QuestionSpec } from '../../src/agents/agent.ts';
import { claudeAgent } from '../../src/agents/claude/claude.ts';
import { codexAgent } from '../../src/agents/codex/codex.ts';
import { presetFor } from '../../src/permissions/presets.ts';

const sandbox = {
  ...{ root: '/project', temp: '/tmp/crewmux-0badcafe', writable: [], writableByCommands: [] },
  ...{ unwritable: ['/project'], unreadable: ['/state', '/home/me/.ssh'], allowedDomains: [], excludedCommands: [] },
  ...{ allowUnixSockets: [], allowLocalBinding: false, holes: [] },
};
const spec: QuestionSpec = {
  mark: 'expert-0badcafe',
  question: 'Why?\r\nSay it.',
  cwd: '/project/part',
  repoPath: '/project',
  dir: '/state/run',
  command: ['/bin/agent', '--first'],
  agentSessionId: '11111111-2222-4333-8444-555555555555',
  rules: presetFor('explore', 'sandboxed'),
  env: { PATH: '/bin', CLAUDECODE: '1' },
  servers: [],
};
const ask = ({ headless }: Agent, some: Partial<QuestionSpec> = {}) => {
  if (headless === undefined) throw new Error('It answers no questions.');
  return headless.ask({ ...spec, ...some });
};
const settingsOf = (some: Partial<QuestionSpec>): unknown =>
  JSON.parse(ask(claudeAgent, some).files.find(({ path }) => path === '/state/run/settings.json')?.content ?? '{}');

describe('a question to Claude Code', () => {
  it('starts no MCP server, asks nobody, and says which conversation it is', () => {
    const { argv, env } = ask(claudeAgent);
    expect(argv.slice(0, 8).join(' ')).toBe(
      '/bin/agent --first -p --output-format stream-json --verbose --include-partial-messages --session-id',
    );
    expect(argv).toEqual(expect.arrayContaining(['--strict-mcp-config', '--permission-mode', 'dontAsk']));
    expect(argv.slice(-2)).toEqual(['--', 'Why?\nSay it.']);
    expect(env).toEqual({ PATH: '/bin', CREWMUX_WORKER: 'expert-0badcafe' });
    expect(ask(claudeAgent, { resume: 'abc' }).argv.join(' ')).toContain(' --resume abc ');
  });

  it('has no hook of ours, and no tool that writes', () => {
    expect(settingsOf({})).not.toHaveProperty('hooks');
    expect(settingsOf({})).toMatchObject({ permissions: { deny: expect.arrayContaining(['Edit', 'Write']) } });
    expect(ask(claudeAgent, { sandbox }).argv).toContain('--tools=Read,Glob,Grep,WebSearch,Agent,Bash');
    expect(ask(claudeAgent, { sandbox, tools: ['Write', 'Grep'] }).argv).toContain('--tools=Grep');
  });

  it('runs commands only in a sandbox, which keeps them from writing the project', () => {
    expect(ask(claudeAgent).argv).toContain('--tools=Read,Glob,Grep,WebSearch,Agent');
    expect(settingsOf({ sandbox })).toMatchObject({
      sandbox: {
        ...{ enabled: true, failIfUnavailable: true, allowUnsandboxedCommands: false },
        filesystem: { allowWrite: ['/tmp/crewmux-0badcafe'], denyWrite: ['/project'], denyRead: sandbox.unreadable },
      },
    });
  });

  it('leaves out the settings of a project that nobody agreed to, but for their strict rules', () => {
    const leftOut = { sources: ['project'] as const, rules: { allow: [], ask: [], deny: ['Read(./.env)'] } };
    expect(ask(claudeAgent, { leftOut }).argv.join(' ')).toContain(
      ' --setting-sources user,local --add-dir=/project/part ',
    );
    expect(settingsOf({ leftOut })).toMatchObject({
      permissions: { deny: expect.arrayContaining(['Read(./.env)', 'Edit']) },
    });
  });

  it('is refused where Claude Code would take it for a command', () => {
    expect(() => ask(claudeAgent, { question: '/compact now' })).toThrow('its own command "/compact"');
  });
});

describe('a question to Codex', () => {
  const flagsOf = (some: Partial<QuestionSpec> = {}) => ask(codexAgent, some).argv.filter((word) => word.includes('='));

  it('may read, asks nobody, and takes nothing of what the project configures', () => {
    expect(ask(codexAgent).argv.slice(0, 5)).toEqual([
      '/bin/agent',
      '--first',
      'exec',
      '--json',
      '--skip-git-repo-check',
    ]);
    expect(flagsOf()).toEqual(
      expect.arrayContaining([
        'projects={"/project"={"trust_level"="untrusted"},"/project/part"={"trust_level"="untrusted"}}',
        'sandbox_mode="read-only"',
        'approval_policy="never"',
      ]),
    );
    expect(ask(codexAgent).argv.slice(-2)).toEqual(['--', 'Why?\nSay it.']);
    expect(ask(codexAgent, { resume: 'abc' }).argv.slice(-3)).toEqual(['--', 'abc', 'Why?\nSay it.']);
  });

  it('reads in a sandbox what is no secret', () => {
    expect(flagsOf({ sandbox })).not.toContain('sandbox_mode="read-only"');
    expect(flagsOf({ sandbox })).toContain(
      'permissions.crewmux={"extends"=":read-only","filesystem"={"/state"="none","/home/me/.ssh"="none"},"network"={"enabled"=false}}',
    );
  });

  it('switches off each MCP server that it would have, as Codex itself lists them', () => {
    const { servers } = codexAgent.headless ?? {};
    expect(servers?.argv(spec).slice(0, 5)).toEqual(['/bin/agent', '--first', 'mcp', 'list', '--json']);
    expect(servers?.namesIn('[{"name":"a.b","enabled":true},{"name":"c"}]')).toEqual(['a.b', 'c']);
    expect(['', '{}', '[{"id":1}]'].map((text) => servers?.namesIn(text))).toEqual([undefined, undefined, undefined]);
    expect(flagsOf({ servers: ['a.b', 'c'] })).toContain('mcp_servers={"a.b"={"enabled"=false},"c"={"enabled"=false}}');
  });

  it('has the words of its role', () => {
    expect(flagsOf({ standingPrompt: 'You review.' })).toContain('developer_instructions="You review."');
  });
});

const result = { type: 'result', session_id: 'a', parent_tool_use_id: null };
const counts = { inputTokens: 3, outputTokens: 4, cacheReadInputTokens: 5, cacheCreationInputTokens: 6, costUSD: 0.5 };
const tokens = { model: 'opus', inputTokens: 3, outputTokens: 4, cacheTokens: 11, cacheWriteTokens: 6 };
const usage = { of: 'run', tokens: [tokens], usd: 0.5 } as const;
const codexUsage = { input_tokens: 9, cached_input_tokens: 2, output_tokens: 4 };

it.each<[string, Agent, unknown, PrintedLine]>([
  [
    'claude begins',
    claudeAgent,
    { type: 'system', subtype: 'init', session_id: 'a' },
    { is: 'begun', agentSessionId: 'a' },
  ],
  [
    'claude is at a word',
    claudeAgent,
    { type: 'stream_event', event: { delta: { type: 'text_delta', text: 'Be' } } },
    { is: 'piece', text: 'Be' },
  ],
  [
    'claude has said something',
    claudeAgent,
    { type: 'assistant', message: { content: [{ type: 'text', text: 'Because.' }, { type: 'tool_use' }] } },
    { is: 'said', text: 'Because.' },
  ],
  [
    'a subagent of claude talks',
    claudeAgent,
    { type: 'assistant', parent_tool_use_id: 't', message: { content: [{ type: 'text', text: 'Aside.' }] } },
    { is: 'other' },
  ],
  [
    'claude ends with an answer',
    claudeAgent,
    { ...result, is_error: false, result: 'Because.', model_usage_since_last_result: { opus: counts } },
    { is: 'ended', text: 'Because.', usage },
  ],
  [
    'claude ends with an error',
    claudeAgent,
    { ...result, is_error: true, result: 'API Error: 400' },
    { is: 'ended', trouble: 'API Error: 400', usage: { of: 'run', tokens: [], usd: 0 } },
  ],
  ['codex begins', codexAgent, { type: 'thread.started', thread_id: 'a' }, { is: 'begun', agentSessionId: 'a' }],
  [
    'codex has said something',
    codexAgent,
    { type: 'item.completed', item: { type: 'agent_message', text: 'Because.' } },
    { is: 'said', text: 'Because.' },
  ],
  ['codex ran a command', codexAgent, { type: 'item.completed', item: { type: 'command_execution' } }, { is: 'other' }],
  [
    'codex ends',
    codexAgent,
    { type: 'turn.completed', usage: codexUsage },
    { is: 'ended', usage: { of: 'conversation', tokens: [{ inputTokens: 7, outputTokens: 4, cacheTokens: 2 }] } },
  ],
  ['codex fails', codexAgent, { type: 'turn.failed', error: { message: '400' } }, { is: 'ended', trouble: '400' }],
])('%s', (_, { headless }, line, read) => {
  expect(headless?.readLine(JSON.stringify(line))).toEqual(read);
});
