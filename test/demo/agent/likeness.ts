// What the scripted agent leaves when it plays what the real one was recorded at, and what the real one left.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import { claudeAgent } from '../../../src/agents/claude/claude.ts';
import type { Signal } from '../../../src/model/turn.ts';
import { commandCases, turnCases } from '../../agents/claude/lab/cases.ts';
import { type Lab, openLab } from '../../agents/claude/lab/lab.ts';
import { rest } from '../../agents/claude/lab/specimen.ts';
import type { Sandbox } from '../../support/sandbox.ts';

const bundle = resolve(process.env.CREWMUX_BUILT ?? 'dist/crewmux.mjs');
const recordings = resolve(import.meta.dirname, '../../fixtures/agents/claude/2.1.329');
const cases = { ...turnCases, ...commandCases };

/** The recorder's lab, with the stand-in for the program and nothing behind it. */
export function labFor({ root }: Sandbox): Promise<Lab> {
  const claude = join(root, 'claude');
  writeFileSync(claude, `#!/bin/sh\nexec '${process.execPath}' '${bundle}' scripted-agent "$@"\n`, { mode: 0o755 });
  return openLab(claude);
}

interface Traces {
  readonly transcript: string;
  readonly signals: string;
  readonly states: string;
}

const linesIn = (text: string) => text.split('\n').filter(Boolean);

/** What a reader learns from the traces, without times, ids and the model's very words. */
function learnt({ transcript, signals, states }: Traces) {
  const lines = linesIn(transcript).map(claudeAgent.decodeLine);
  const told = lines.flatMap((line) => line.signals.map(words));
  const statuses = linesIn(states).flatMap((text) => claudeAgent.decodeState(text)?.signal ?? []);
  return {
    // Notes of the queue go to the disk at once, the other lines in batches: which come first is chance.
    // What the model is asked the scripted agent does not write down: it has none.
    transcript: withoutRepeats(told.filter((line) => line !== 'request' && !line.startsWith('dequeued'))),
    dequeued: told.filter((line) => line.startsWith('dequeued')),
    unknown: lines.flatMap(({ unknown }) => unknown ?? []),
    said: lines.flatMap(({ entry }) =>
      entry === undefined ? [] : [entry.role === 'user' ? inShort(entry.content) : entry.role],
    ),
    hooks: linesIn(signals).flatMap((line) => claudeAgent.decodeHook(line).map(words)),
    // A prompt given at the start may follow too soon for the first idle to be seen.
    states: withoutRepeats(statuses.map(words)).filter(
      (status, i, all) => i > 0 || all.length === 1 || status !== 'state status=idle',
    ),
  };
}

const kept = new Set('kind how reason origin absorbed goesOn waitingFor tool backgroundTasks limit status'.split(' '));

const words = (signal: Signal): string => {
  const facts = Object.entries(signal).filter(([name]) => kept.has(name) || isPromptText(signal, name));
  return facts.map(([name, value]) => (name === 'kind' ? value : `${name}=${inShort(value)}`)).join(' ');
};

const isPromptText = ({ kind }: Signal, name: string): boolean =>
  name === 'text' && (kind === 'prompt' || kind === 'enqueued');

/** A background task's news is told in each one's own words. */
const inShort = (value: unknown): string => String(value).replace(/^<task-notification>[\s\S]*/, '<task-notification>');

const withoutRepeats = (all: readonly string[]): readonly string[] => all.filter((one, i) => one !== all[i - 1]);

const isPartOf = (some: readonly string[], all: readonly string[]): boolean => {
  let at = 0;
  return some.every((one) => {
    at = all.indexOf(one, at) + 1;
    return at > 0;
  });
};

const recorded = (name: string): Traces => {
  const read = (file: string) => readFileSync(join(recordings, name, file), 'utf8');
  return { transcript: read('transcript.jsonl'), signals: read('signals.jsonl'), states: read('states.jsonl') };
};

async function played(lab: Lab, name: string): Promise<Traces> {
  const play = cases[name];
  if (play === undefined) throw new Error(`No case ${name}`);
  const one = await play({ lab, snap: () => undefined });
  await rest(200);
  const traces = { transcript: one.transcript(), signals: one.signals(), states: `${one.states.join('\n')}\n` };
  one.quit();
  return traces;
}

/** Fails unless a reader learns the same from both. */
export async function expectAlike(lab: Lab, name: string): Promise<void> {
  const [own, real] = [learnt(await played(lab, name)), learnt(recorded(name))];
  expect({ ...own, states: real.states }).toEqual(real);
  // Looked at again and again, and busy meanwhile: a short state may go unseen.
  expect(own.states.at(-1)).toBe(real.states.at(-1));
  expect(own.states).toSatisfy((states: readonly string[]) => isPartOf(states, real.states), real.states.join(', '));
}
