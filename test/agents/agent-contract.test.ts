// What every adapter owes the crew, whatever the program.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agents/agent.ts';
import { claudeAgent } from '../../src/agents/claude/claude.ts';
import { codexAgent } from '../../src/agents/codex/codex.ts';
import { genericAgent } from '../../src/agents/generic/generic.ts';
import { CrewError } from '../../src/model/errors.ts';
import { isKeyName } from '../../src/model/keystroke.ts';
import { agentSchema } from '../../src/settings/agents.ts';
import { initialTurn, reduceTurn } from '../../src/turn/reduce-turn.ts';
import { anyCodePoint } from '../support/code-points.ts';
import { keystrokesOf, pastesOf } from './keystrokes.ts';
import { launchSpec } from './launch-spec.ts';

const described = agentSchema.parse({
  command: 'x',
  prompt: '^> ',
  busy: 'working',
  dialog: 'Sure\\?',
  multiline: true,
  model_args: ['--model', '{model}'],
});

const agents: readonly (readonly [string, Agent])[] = [
  ['claude', claudeAgent],
  ['codex', codexAgent],
  ['a described agent', genericAgent('described', described)],
  ['an agent nobody describes', genericAgent('lost', undefined)],
];

const spec = { ...launchSpec, command: ['/bin/the-agent', '--first'] };

const garbage = fc.oneof(
  fc.string({ unit: anyCodePoint }),
  fc.json(),
  fc
    .record({ type: fc.string(), timestamp: fc.string(), payload: fc.json(), message: fc.json() }, { requiredKeys: [] })
    .map((value) => JSON.stringify(value)),
);

describe.each(agents)('%s', (_, agent) => {
  it('reads any line, file and screen without an error, and takes no garbage for the end of a turn', () => {
    fc.assert(
      fc.property(garbage, (text) => {
        const signals = [...agent.decodeLine(text).signals, ...agent.decodeHook(text)];
        const state = signals.reduce(reduceTurn, initialTurn(1_000));
        expect(state.is).not.toBe('idle');
        agent.decodeState(text);
        agent.readScreen(text);
        agent.actOf(text, text, '/project');
      }),
      { numRuns: 300 },
    );
  });

  it('sees no empty prompt on an empty screen', () => {
    expect(agent.readScreen('').draft).toBeUndefined();
    expect(agent.readScreen('\n\n\n').ready).not.toBe(true);
  });

  it('types a message whole and once, or refuses it with a hint', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCodePoint, maxLength: 300 }), (text) => {
        const plan = agent.planDelivery({ text, asCommand: false });
        if ('refused' in plan) return void expect(plan.hint).not.toBe('');
        const pasted = pastesOf(keystrokesOf(plan));
        expect(pasted.join('').trim()).toContain(plan.expect);
        expect(pasted.join('')).not.toMatch(controls);
        expect(plan.expect).toBe(plan.expect.trim());
        return undefined;
      }),
    );
  });

  it('refuses nothing at all, and what is too long', () => {
    for (const text of ['', ' \n\t ', 'x'.repeat(200_000)]) {
      expect(agent.planDelivery({ text, asCommand: false })).toHaveProperty('refused');
    }
  });

  it('presses no key that tmux would type as letters', () => {
    const { interrupt, clearDraft, exit } = agent;
    const plan = agent.planDelivery({ text: 'hello', asCommand: false });
    const keystrokes = [...interrupt, ...clearDraft, ...exit, ...('refused' in plan ? [] : keystrokesOf(plan))];
    const keys = keystrokes.flatMap((keystroke) => ('press' in keystroke ? [keystroke.press] : []));
    expect(keys.filter((key) => !isKeyName(key))).toEqual([]);
    expect(interrupt).not.toEqual([]);
  });

  it('is started by the command it was given, with files in its own folder, and knows its worker', () => {
    const plan = agent.launch(spec);
    expect(plan.argv.slice(0, 2)).toEqual(spec.command);
    expect(plan.files.filter(({ path }) => !path.startsWith(`${spec.launchDir}/`))).toEqual([]);
    expect(plan.env).toMatchObject({ ...spec.env, CREWMUX_WORKER: spec.workerId });
    expect(plan.argv.concat(Object.values(plan.env)).filter((word) => word.includes('\0'))).toEqual([]);
  });

  it('puts a command line that tmux cannot take into a file, or refuses it', () => {
    const launch = () => agent.launch({ ...spec, prompt: 'p'.repeat(50_000), model: 'm'.repeat(50_000) });
    try {
      expect(Math.max(...launch().argv.map((word) => word.length))).toBeLessThan(10_000);
    } catch (thrown) {
      expect(thrown).toBeInstanceOf(CrewError);
    }
  });

  it('is read by its screen alone, or leaves a trace', () => {
    const traces = agent.traces({ cwd: '/project', agentSessionId: spec.agentSessionId, env: spec.env });
    expect(agent.keepsTranscript).toBe(agent.onScreen.tells !== 'turns');
    if (!agent.keepsTranscript) expect(traces).toEqual({});
    else expect(traces.transcriptPath !== undefined || agent.onScreen.tells === 'dialogs').toBe(true);
  });
});

/** But line feed and tab. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
