import { describe, expect, it } from 'vitest';
import { claudeAgent } from '../../../src/agents/claude/claude.ts';
import { attentionOf } from '../../../src/crew/attention/attention.ts';
import { suggestionsOf } from '../../../src/crew/attention/remember-words.ts';
import { needWarnings } from '../../../src/crew/lifecycle/spawn.ts';
import { needDetail } from '../../../src/wire/attention.ts';
import { workerRecord } from '../../support/records.ts';
import { agent, type Loose, launched, line, play, ready } from '../../turn/turn-signals.ts';

const needsIn = (...signals: readonly Loose[]) =>
  attentionOf(workerRecord(), play([launched, line(), ...signals]), {
    attach: 'tmux attach',
    requestPath: (id) => id,
    now: 1e15,
    choiceFor: () => undefined,
    actOf: ({ tool, input }) => claudeAgent.actOf(tool, input, '/repo'),
    changeOf: ({ tool, input }) => claudeAgent.permissionHook?.changeOf(tool, input),
    moved: undefined,
    remembers: (request) => suggestionsOf(workerRecord(), request, claudeAgent),
  });
const asked = { from: 'hook', kind: 'permission', tool: 'Bash', input: { command: 'ls' } } as const;
const permission = { ...asked, waitingFor: 'permission' } as const;
const question = { ...asked, waitingFor: 'question', tool: 'AskUserQuestion' } as const;
const options = [{ label: 'Postgres', description: 'One more server.' }, { label: 'SQLite' }];
const database = { question: 'Which database?', options };
const colour = { question: 'Which colour?', options: [{ label: 'Red' }] };
const asks = (...questions: readonly object[]) => ({ ...question, requestId: '1a2b3c4d', input: { questions } });

describe('a question of the agent', () => {
  it('has its full words, its options and what they mean, and a call for each', () => {
    const suggestions = [{ type: 'addRules' }];
    const [need] = needsIn({ ...asks(database), suggestions });
    expect(need).toMatchObject({
      title: 'ada asks: Which database?',
      detail: expect.stringMatching(
        /^Which database\?\n- Postgres: One more server\.\n- SQLite\nIn words of your own: /,
      ),
      options: ['Postgres', 'SQLite'],
      answer_with: ['Postgres', 'SQLite'].map(
        (option) =>
          `answer_worker {"session_id":"00000000","request_id":"1a2b3c4d","decision":"choose","option":"${option}"}`,
      ),
    });
    expect(need).not.toHaveProperty('suggestions');
  });

  it('among several is answered with the others, by no call that chooses for the manager', () => {
    const [need] = needsIn(asks(database, colour));
    expect(need?.detail).toMatch(/\n\nWhich colour\?\n- Red\nAnswer all at once: /);
    expect(need?.answer_with).toEqual([]);
  });
});

describe('what is said of a request', () => {
  const dialog: Loose = {
    from: 'screen',
    kind: 'dialog',
    dialog: { waitingFor: 'permission', title: 'Bash command', text: 'Do you want to?', options: ['Yes', 'No'] },
  };
  it.each<[string, Loose]>([
    ['a permission', permission],
    ['a permission that a rule asks for', { ...permission, rule: 'ask: Bash' }],
    ['a parked permission', { ...permission, requestId: '1a2b3c4d' }],
    ['a question', asks(database)],
  ])('of %s stays the same whatever else is learned while it is open', (_, request) => {
    const later: readonly (readonly Loose[])[] = [
      [],
      [agent('waiting', 'permission')],
      [dialog],
      [agent('waiting', 'permission'), dialog],
    ];
    const details = later.map((more) => needsIn(ready, request, ...more).map(({ detail }) => detail));
    expect(new Set(details.map((one) => one.join())).size).toBe(1);
    expect(details[0]).toHaveLength(1);
  });

  it.each<[string, Loose, string]>([
    ['the tool, where the title has the command', permission, 'asks for Bash'],
    ['the rule, where the title has the command', { ...permission, rule: 'ask: Bash' }, 'ask: Bash'],
    ['the rows of a command that has several', { ...permission, input: { command: 'ls\n  -la' } }, 'ls\n  -la'],
    ['no call that only a manager makes', asks(database), 'Which database?\n- Postgres: One more server.\n- SQLite'],
    [
      'of a plan, of which the hook has no word, where to read it',
      { ...permission, waitingFor: 'plan_approval', tool: 'ExitPlanMode', input: {} },
      'wants to leave plan mode; the plan stands in its pane and in its log',
    ],
  ])('tells a person %s', (_, request, words) => {
    expect(needsIn(request).map(needDetail)).toEqual([words]);
  });

  it('of several workers that one thing helps is said once', () => {
    const need = { session_id: '1', name: 'ada', waiting_for: 'trust', since: '', detail: 'Trust?' } as const;
    const needs = ['ada', 'ben', 'cleo'].map((name) => ({
      ...need,
      name,
      title: `${name} asks`,
      answer_with: ['attach'],
    }));
    expect(needWarnings(needs)).toEqual(['ada asks: Trust? ben asks: Trust? cleo asks: Trust? attach']);
  });
});

describe('a permission says what remembering it would do', () => {
  const parked = { ...permission, requestId: '1a2b3c4d', input: { command: 'git tag one' } };
  const call = (rest: object) =>
    `answer_worker ${JSON.stringify({ session_id: '00000000', request_id: '1a2b3c4d', ...rest })}`;
  const suggestions = [
    { type: 'addRules', behavior: 'allow', rules: [{ toolName: 'Bash', ruleContent: 'git tag *' }] },
  ];

  it('beside its calls', () => {
    const [need] = needsIn({ ...parked, suggestions });
    expect(need?.suggestions).toEqual([
      'session: Bash(git tag *) is allowed until ada restarts',
      'worker: Bash(git tag *) is allowed for ada, also after a restart',
    ]);
    expect(need?.answer_with).toEqual(['allow', 'deny'].map((decision) => call({ decision })));
  });

  it.each<[string, Loose]>([
    ['on the screen alone', { ...permission, suggestions }],
    ['that only a person may allow', { ...parked, suggestions, personOnly: true }],
  ])('but nothing %s', (_, asks) => {
    const [need] = needsIn(asks);
    expect(need).not.toHaveProperty('suggestions');
    expect(need?.answer_with.at(-1)).toBe('tmux attach');
  });
});
