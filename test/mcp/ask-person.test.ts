// Forms for the person at the client: what they show, what they mean, and when they come and go.
import { describe, expect, it } from 'vitest';
import type { AnswerOrder, UnansweredRequest } from '../../src/crew/api.ts';
import { askedByPlans, askedByWorkers, askPerson } from '../../src/mcp/ask-person.ts';
import { checkpointForm, decisionOf } from '../../src/mcp/checkpoint-form.ts';
import { type Form, formOf, orderOf } from '../../src/mcp/person-form.ts';
import type { FilledIn } from '../../src/mcp/profile.ts';
import type { CheckpointView } from '../../src/wire/tasks.ts';
import { eventually } from '../support/sandbox.ts';

const permission = (requestId = 'e0000001'): UnansweredRequest => ({
  worker: 'aaaa0001',
  name: 'ada',
  requestId,
  title: `ada asks permission for Bash ${requestId}`,
  detail: 'touch made',
  questions: [],
});
const database = { text: 'Which database?', labels: ['Postgres', 'SQLite'] };
const port = { text: 'Which port?', labels: [] };
const question = (...questions: UnansweredRequest['questions']): UnansweredRequest => ({ ...permission(), questions });
const order = { worker: 'aaaa0001', requestId: 'e0000001' };

describe('a form', () => {
  it('quotes the words of the worker line by line, without what moves a cursor', () => {
    const { message } = formOf({ ...permission(), detail: 'rm -rf x\r\n\u001b[2Jcrewmux: all is well\u202e' });
    expect(message.split('\n').slice(0, 3)).toEqual([
      'ada asks permission for Bash e0000001',
      '> rm -rf x',
      '> [2Jcrewmux: all is well',
    ]);
    expect(message).toContain('come from the worker ada');
  });

  it('lists an option beside its field only where it says what the option means', () => {
    const { message } = formOf({ ...question(database), detail: 'Which?\n- Postgres: One more server.\n- SQLite' });
    expect(message.split('\n').slice(1, -1)).toEqual(['> Which?', '> - Postgres: One more server.']);
  });

  it('stays short, whatever is asked, and says what is left out', () => {
    const long = 'x'.repeat(100_000);
    const { message, requestedSchema } = formOf({
      ...question({ text: long, labels: [long] }),
      title: long,
      detail: `${'\n'.repeat(1_000)}${long}`,
    });
    expect(message).toContain('lines in all]');
    expect(message.length + JSON.stringify(requestedSchema).length).toBeLessThan(5_000);
  });
});

it.each<[string, UnansweredRequest, object, Partial<AnswerOrder> | undefined]>([
  ['allow', permission(), { decision: 'allow', words: 'never mind' }, { decision: 'allow' }],
  ['deny with words', permission(), { decision: 'deny', words: 'Use npm.' }, { decision: 'deny', message: 'Use npm.' }],
  ['no decision', permission(), { decision: 'maybe' }, undefined],
  ['an option', question(database), { answer_1: 'SQLite' }, { decision: 'choose', option: 'SQLite' }],
  ['no option of it', question(database), { answer_1: 'Oracle' }, undefined],
  ['own words', question(database), { answer_1: '', words: 'DuckDB' }, { decision: 'text', message: 'DuckDB' }],
  ['a text', question(port), { answer_1: '8080' }, { decision: 'text', message: '8080' }],
  ['half of the answers', question(database, port), { answer_1: 'SQLite' }, undefined],
  [
    'all answers',
    question(database, port),
    { answer_1: 'SQLite', answer_2: '8080' },
    { decision: 'choose', answers: { 'Which database?': 'SQLite', 'Which port?': '8080' } },
  ],
])('a form filled in with %s means just that', (_, asked, content, meant) => {
  expect(orderOf(asked, content)).toEqual(meant && { ...order, ...meant });
});

interface Shown {
  readonly form: Form;
  readonly signal: AbortSignal;
  readonly fill: (filled: FilledIn) => void;
}

/** A client whose person fills in what is shown, and a crew that notes the answers. */
function stage({ mayAsk = true } = {}) {
  const shown: Shown[] = [];
  const answers: AnswerOrder[] = [];
  let listen: (asked: readonly UnansweredRequest[]) => void = () => undefined;
  const client = new AbortController();
  const door = { signal: client.signal, log: { path: '', write: () => undefined } };
  let checkpoints: readonly CheckpointView[] = [];
  let changed: () => void = () => undefined;
  const decided: object[] = [];
  const decide = (given: object) => {
    decided.push(given);
    return Promise.reject(new Error('somebody was quicker'));
  };
  const workers = askedByWorkers(
    {
      onAsked(call) {
        listen = call;
        return () => undefined;
      },
      answer(given) {
        answers.push(given);
        return Promise.reject(new Error('somebody was quicker'));
      },
    },
    door,
  );
  const plans = askedByPlans(
    {
      jobsSummary: async () => ({ plans: [], tasks: [], running: 0, limit: 8, checkpoints }),
      onChange(call) {
        changed = call;
        return () => undefined;
      },
      approve: decide,
      cancel: decide,
    },
    { ...door, mayAsk: async () => mayAsk },
  );
  askPerson([workers, plans], {
    ...door,
    elicit: (form, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        shown.push({ form, signal, fill: resolve });
      }),
  });
  const waits = (...points: readonly CheckpointView[]) => {
    checkpoints = points;
    changed();
  };
  const upTo = (count: number) => eventually(`form ${count}`, () => shown.length === count && shown[count - 1]);
  const ask = (...asked: readonly UnansweredRequest[]) => listen(asked);
  return { shown, answers, decided, waits, client, ask, upTo };
}
const allow: FilledIn = { action: 'accept', content: { decision: 'allow' } };
const [one, two, three] = [permission('e0000001'), permission('e0000002'), permission('e0000003')];

describe('forms', () => {
  it('come one at a time, in order, and not for what is gone before its turn', async () => {
    const { shown, answers, ask, upTo } = stage();
    ask(one, two, three);
    const first = await upTo(1);
    ask(one, three);
    first.fill(allow);
    const second = await upTo(2);
    expect(second.form.message).toContain(three.title);
    second.fill(allow);
    await eventually('both are answered', () => answers.length === 2);
    expect(answers).toEqual([one, three].map(({ requestId }) => ({ ...order, requestId, decision: 'allow' })));
    expect(shown).toHaveLength(2);
  });

  it('go when somebody else has answered, and the next one comes', async () => {
    const { answers, ask, upTo } = stage();
    ask(one, two);
    const first = await upTo(1);
    ask(two);
    expect(first.signal.aborted).toBe(true);
    const second = await upTo(2);
    expect(second.signal.aborted).toBe(false);
    ask(two, one);
    second.fill({ action: 'decline' });
    await upTo(3);
    expect(answers).toEqual([]);
  });

  it.each<FilledIn>([{ action: 'decline' }, { action: 'cancel' }, { action: 'accept', content: {} }, allow])(
    'do not come again after $action, whatever became of it',
    async (filled) => {
      const { shown, ask, upTo } = stage();
      ask(one);
      (await upTo(1)).fill(filled);
      ask(one, two);
      expect((await upTo(2)).form.message).toContain(two.title);
      ask(one, two);
      expect(shown).toHaveLength(2);
    },
  );

  it('of an answered request are not taken back', async () => {
    const { answers, ask, upTo } = stage();
    ask(one);
    const first = await upTo(1);
    first.fill(allow);
    await eventually('it is answered', () => answers.length === 1);
    ask();
    expect(first.signal.aborted).toBe(false);
  });
});

const plan = { plan_id: 'abcd1234', checkpoint: 'on_error', job: 'api' };
const decide = { planId: 'abcd1234', checkpoint: 'on_error', job: 'api' };
const call = (action: string) => `approve_plan ${JSON.stringify({ ...plan, action })}`;
const point: CheckpointView = {
  planId: 'abcd1234',
  at: 'on_error',
  job: 'api',
  why: 'api failed: no way\n> ignore this\u001b[2J',
  calls: [
    call('retry'),
    call('relaunch'),
    call('skip'),
    'diff_worker {"session_id":"a"}',
    'cancel_plan {"plan_id":"abcd1234"}',
  ],
};

describe('a form for what a plan waits for', () => {
  it('offers its actions and quotes what workers said', () => {
    const { message, requestedSchema } = checkpointForm(point);
    expect(requestedSchema.properties.decision?.enum).toEqual(['retry', 'relaunch', 'skip', 'cancel the plan']);
    expect(message.split('\n').slice(0, 2)).toEqual([
      'A plan waits for a decision: api failed: no way',
      '> > ignore this[2J',
    ]);
    expect(decisionOf(point, { decision: 'skip' })).toEqual({ approve: { ...decide, action: 'skip' } });
    expect(decisionOf(point, { decision: 'cancel the plan' })).toEqual({ cancel: 'abcd1234' });
    expect([decisionOf(point, { decision: 'bless' }), decisionOf(point, {})]).toEqual([undefined, undefined]);
  });

  it('comes once, decides, and goes when the plan goes on by itself', async () => {
    const { shown, decided, waits, upTo } = stage();
    waits(point);
    const first = await upTo(1);
    waits();
    await eventually('it is gone', () => first.signal.aborted);
    const next = { ...point, why: 'api failed again' };
    waits(next);
    const second = await upTo(2);
    waits(next);
    second.fill({ action: 'accept', content: { decision: 'retry' } });
    await eventually('it is decided', () => decided.length === 1);
    expect(decided).toEqual([{ ...decide, action: 'retry' }]);
    expect(shown).toHaveLength(2);
    waits(point);
    await upTo(3);
    // It fails again in the same words.
    waits(next);
    await upTo(4);
  });

  it('does not come where nobody wants forms', async () => {
    const { shown, waits, ask, upTo } = stage({ mayAsk: false });
    waits(point);
    ask(one);
    await upTo(1);
    expect(shown.map(({ form }) => form.message.includes('A plan waits'))).toEqual([false]);
  });
});
