import { expect, it, test } from 'vitest';
import type { Agent } from '../../src/agents/agent.ts';
import { claudeAgent } from '../../src/agents/claude/claude.ts';
import { codexAgent } from '../../src/agents/codex/codex.ts';
import type { Doing, Signal } from '../../src/model/turn.ts';
import { doingOf } from '../../src/turn/doing.ts';
import { initialTurn, reduceTurn } from '../../src/turn/reduce-turn.ts';
import { casesOf, decodeRecording } from '../agents/recordings.ts';
import {
  agent,
  approval,
  dequeued,
  ended,
  enqueued,
  hookPrompt,
  type Loose,
  launched,
  launchedWithPrompt,
  line,
  marker,
  notice,
  permission,
  play,
  promptSeen,
  ready,
  sent,
  stopped,
  terminal,
} from './turn-signals.ts';

const says = (more: Omit<Extract<Signal, { kind: 'activity' }>, 'at' | 'from' | 'kind' | 'detail'>): Loose => ({
  from: 'transcript',
  kind: 'activity',
  detail: 'a line',
  ...more,
});
const thinks = says({ does: 'thinking' });
const answers = says({ does: 'answering' });
const calls = (id: string, tool = 'Bash'): Loose => says({ calls: [{ id, tool, about: `about ${id}` }] });
const result = (...answered: string[]): Loose => says({ answered });
const request = (id: string): Loose => ({ from: 'transcript', kind: 'request', id });

/** The clock begins at 1,001 with the first signal. */
const begun = [launched, ready, agent('busy'), line()];
const rows: readonly (readonly [title: string, signals: readonly (Loose | Signal)[], doing: Doing | undefined])[] = [
  ['an idle worker does nothing', [launched, ready, agent('idle')], undefined],
  ['of a first prompt that nothing shows yet nothing is known', [launchedWithPrompt, ready], undefined],
  ['a prompt makes the model think', begun, { kind: 'thinking', since: 1_004 }],
  [
    'a hook tells of the prompt before the transcript does',
    [launched, ready, agent('idle'), hookPrompt()],
    { kind: 'thinking', since: 1_004 },
  ],
  ['what it goes on with it does since it began', [...begun, thinks, thinks], { kind: 'thinking', since: 1_004 }],
  ['a text is an answer', [...begun, thinks, answers, answers], { kind: 'answering', since: 1_006 }],
  [
    'a call is a tool with its name and what it is about',
    [...begun, answers, calls('a')],
    { kind: 'tool', tool: 'Bash', detail: 'about a', since: 1_006 },
  ],
  [
    'of calls beside each other the oldest without an answer counts, whatever the model says meanwhile',
    [...begun, calls('a'), calls('b', 'Read'), calls('c'), answers, result('a')],
    { kind: 'tool', tool: 'Read', detail: 'about b', since: 1_006 },
  ],
  [
    'after the last answer to a call the model is asked again',
    [...begun, calls('a'), calls('b'), result('b'), result('a')],
    { kind: 'thinking', since: 1_008 },
  ],
  [
    'a message taken into the turn ends no call',
    [...begun, calls('a'), enqueued('more'), dequeued(true, 'more'), says({})],
    { kind: 'tool', tool: 'Bash', detail: 'about a', since: 1_005 },
  ],
  [
    'a call that nothing answered is over with its turn',
    [...begun, calls('a'), ended(), line()],
    { kind: 'thinking', since: 1_007 },
  ],
  ['a turn without an end in its transcript is over when the state file says so', [...begun, agent('idle')], undefined],
  ['of a message of ours that nothing proves nothing is known', [...begun, agent('idle'), sent('next')], undefined],
  [
    'the same request once more is another try',
    [...begun, request('r'), request('r')],
    { kind: 'retrying', detail: 'attempt 2', since: 1_006 },
  ],
  [
    'further tries count on',
    [...begun, calls('a'), result('a'), request('r'), request('r'), request('r')],
    { kind: 'retrying', detail: 'attempt 3', since: 1_008 },
  ],
  [
    'a begun answer ends the tries',
    [...begun, request('r'), request('r'), answers, request('r')],
    { kind: 'answering', since: 1_007 },
  ],
  [
    'a hook that sends the model back to work has it think',
    [...begun, answers, marker(true)],
    { kind: 'thinking', since: 1_006 },
  ],
  ['who waits does nothing', [...begun, calls('a'), permission, agent('waiting', 'permission')], undefined],
  [
    'a turn of another agent goes on behind its own tool once it is allowed',
    [launched, ready, line(), calls('a', 'exec_command'), approval, promptSeen()],
    { kind: 'tool', tool: 'exec_command', detail: 'about a', since: 1_004 },
  ],
  [
    'what the screen alone shows is not known here',
    [launched, ready, line(), { ...promptSeen(0, 0, 'Reconnecting... 1/5'), at: 9_000 }],
    undefined,
  ],
  [
    'programs behind the turn are the background',
    [launched, ready, line(), calls('a'), terminal('7', true), result('a'), ended()],
    { kind: 'background', detail: '1 background task', since: 1_007 },
  ],
  [
    'a shell behind the turn is the background before anything counts it',
    [...begun, answers, stopped(), agent('background')],
    { kind: 'background', since: 1_006 },
  ],
  [
    'a turn that a background task has begun is a turn',
    [...begun, ended('completed', 1), notice, answers],
    { kind: 'answering', since: 1_007 },
  ],
];

it.each(rows)('%s', (_, signals, doing) => {
  expect(doingOf(play(signals))).toEqual(doing);
});

/** What the worker of a recording did, one after the other, by all its sources but the screen. */
function deeds(of: Agent, name: string): readonly string[] {
  const { folder } = casesOf(of).find((one) => one.name === name) ?? { folder: '' };
  const { states = [], hooks, transcript } = decodeRecording(of, folder);
  const signals: readonly Signal[] = [
    ...states.flatMap((state) => (state === 'no state' ? [] : [state.signal])),
    ...hooks,
    ...transcript.flatMap((one) => one.signals),
  ];
  const played = signals.toSorted((a, b) => a.at - b.at);
  let state = reduceTurn(initialTurn(0), { from: 'us', kind: 'launched', withPrompt: true, at: 1 });
  const words: string[] = [];
  for (const signal of played) {
    state = reduceTurn(state, signal);
    const { kind, tool, detail } = doingOf(state) ?? {};
    const word = [kind ?? state.is, tool, detail].filter((part) => part !== undefined).join(' ');
    if (words.at(-1) !== word) words.push(word);
  }
  return words;
}

test('in the recordings each worker does one thing after the other', () => {
  const all = [
    ...['tool-turn', 'tried-again', 'permission-allowed', 'background-shell'].map(
      (name) => [claudeAgent, name] as const,
    ),
    ...['tool-turn', 'patch-turn', 'left-running'].map((name) => [codexAgent, name] as const),
  ];
  const told = all.map(([of, name]) => `${of.type} ${name}: ${deeds(of, name).join(' > ')}`);
  expect(told.join('\n')).toMatchInlineSnapshot(`
    "claude tool-turn: working > thinking > tool Bash ls > thinking > answering > working > idle
    claude tried-again: working > thinking > retrying attempt 2 > retrying attempt 3 > answering > working > idle
    claude permission-allowed: working > thinking > tool Write /sandbox/project/new.txt > waiting > tool Write /sandbox/project/new.txt > thinking > answering > working > idle
    claude background-shell: working > thinking > tool Bash sleep 4 > thinking > answering > background 1 background task > working > thinking > answering > working > idle
    codex tool-turn: working > thinking > tool exec_command echo out; exit 3 > thinking > answering > idle
    codex patch-turn: working > thinking > tool apply_patch patched.txt > thinking > answering > idle
    codex left-running: working > thinking > tool exec_command sleep 3 > thinking > answering > background 1 background task > idle"
  `);
});
