import { describe, expect, it } from 'vitest';
import { claudeAgent } from '../../../src/agents/claude/claude.ts';
import { attentionOf } from '../../../src/crew/attention/attention.ts';
import { suggestionsOf } from '../../../src/crew/attention/remember-words.ts';
import { answerFor } from '../../../src/crew/attention/request-answer.ts';
import { needWarnings } from '../../../src/crew/lifecycle/spawn.ts';
import { needDetail } from '../../../src/wire/attention.ts';
import { workerRecord } from '../../support/records.ts';
import { agent, type Loose, launched, line, play, ready } from '../../turn/turn-signals.ts';

const needsIn = (...signals: readonly Loose[]) =>
  attentionOf(workerRecord(), play([launched, line(), ...signals]), {
    attach: 'tmux attach',
    requestPath: (id) => id,
    allows: () => undefined,
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
  it('has its full words, its options and what they mean, and a call that chooses none of them', () => {
    const suggestions = [{ type: 'addRules' }];
    const [need] = needsIn({ ...asks(database), suggestions });
    expect(need).toMatchObject({
      detail: 'Which database?\n- Postgres: One more server.\n- SQLite',
      options: ['Postgres', 'SQLite'],
      answer_with:
        'answer_worker {"session_id":"00000000","request_id":"1a2b3c4d","decision":"choose","option":"<one of options>"}, filled in; "text" with a message gives words of your own',
    });
    expect(need).not.toHaveProperty('suggestions');
  });

  it('among several has its own place in the call, and is not answered by what was to be filled in', () => {
    const [need] = needsIn(asks(database, colour));
    expect(need?.detail).toContain('Which colour?\n- Red');
    const answers = { 'Which database?': '<one of options>', 'Which colour?': '<one of options>' };
    expect(need?.answer_with).toContain(JSON.stringify({ decision: 'choose', answers }).slice(1));
    const request = {
      at: 1,
      waitingFor: 'question',
      tool: 'AskUserQuestion',
      input: asks(database, colour).input,
    } as const;
    expect(() => answerFor(request, { decision: 'choose', answers })).toThrow('still to be filled in');
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
    ['the command alone', permission, 'ls'],
    ['the command and the rule', { ...permission, rule: 'ask: Bash' }, 'ls\nask: Bash'],
    ['a call without input by its tool', { ...permission, input: undefined }, 'asks for Bash'],
    [
      'of a plan, of which the hook has no word, where to read it',
      { ...permission, waitingFor: 'plan_approval', tool: 'ExitPlanMode', input: {} },
      'wants to leave plan mode; the plan stands in its pane and in its log',
    ],
  ])('tells a person %s, beside a title that names the tool', (_, request, words) => {
    expect(needsIn(request).map(needDetail)).toEqual([words]);
  });

  it('of several workers that one thing helps is said once', () => {
    const need = { session_id: '1', name: 'ada', waiting_for: 'trust', since: '', detail: 'Trust?' } as const;
    const needs = ['ada', 'ben', 'cleo'].map((name) => ({
      ...need,
      name,
      title: `${name} asks`,
      answer_with: 'attach',
    }));
    expect(needWarnings(needs)).toEqual(['ada asks: Trust?. ben asks: Trust?. cleo asks: Trust?. attach']);
  });
});

describe('a permission says what remembering it would do', () => {
  const parked = { ...permission, requestId: '1a2b3c4d', input: { command: 'git tag one' } };
  const suggestions = [
    { type: 'addRules', behavior: 'allow', rules: [{ toolName: 'Bash', ruleContent: 'git tag *' }] },
  ];

  it('and its call says so', () => {
    const [need] = needsIn({ ...parked, suggestions });
    expect(need?.suggestions).toEqual([
      'session: Bash(git tag *) is allowed until ada restarts',
      'worker: Bash(git tag *) is allowed for ada, also after a restart',
    ]);
    expect(need?.answer_with).toContain('; remember takes a choice of suggestions');
  });

  it.each<[string, Loose]>([
    ['on the screen alone', { ...permission, suggestions }],
    ['that only a person may allow', { ...parked, suggestions, personOnly: true }],
  ])('but nothing %s', (_, asks) => {
    const [need] = needsIn(asks);
    expect(need).not.toHaveProperty('suggestions');
    expect(need?.answer_with).not.toContain('remember');
  });
});
