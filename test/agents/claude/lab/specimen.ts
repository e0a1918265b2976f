// One running Claude Code under observation.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LaunchPlan } from '../../../../src/agents/agent.ts';
import { claudeAgent } from '../../../../src/agents/claude/claude.ts';
import type { Keystroke } from '../../../../src/model/keystroke.ts';
import { eventually, type Sandbox } from '../../../support/sandbox.ts';
import { keystrokesOf } from '../../keystrokes.ts';

export interface Specimen {
  readonly agentSessionId: string;
  /** Contents of the state file in the order seen, without repeats. */
  readonly states: readonly string[];
  screen(): string;
  /** The screen without colours shows it. */
  shows(words: RegExp): Promise<void>;
  ready(): Promise<void>;
  deliver(keystrokes: readonly Keystroke[]): Promise<void>;
  /** Delivers a message; one that begins with a command's sign is sent as the command. */
  send(text: string): Promise<void>;
  press(key: string): Promise<void>;
  is(status: string): Promise<void>;
  writes(words: RegExp): Promise<void>;
  turns(count: number): Promise<void>;
  /** Hooks that told of the end of a turn, in all its conversations. */
  stops(count: number): Promise<void>;
  /** A hook tells it. */
  hears(words: RegExp): Promise<void>;
  signals(): string;
  transcript(): string;
  quit(): void;
}

interface Watched {
  readonly box: Sandbox;
  readonly pane: string;
  readonly signalsPath: string;
  readonly plan: LaunchPlan;
  readonly cwd: string;
}

export const rest = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch {
    // gone already
  }
}

const read = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '');
const colour = /\u001b\[[0-9;]*m/g;
const ceilingMs = 20_000;

export function watchSpecimen({ box, pane, signalsPath, plan, cwd }: Watched): Specimen {
  const { transcriptPath = '', stateDir = '' } = claudeAgent.traces({
    cwd,
    agentSessionId: plan.agentSessionId ?? '',
    env: plan.env,
  });
  const pid = Number(box.tmux('display', '-p', '-t', pane, '#{pane_pid}'));
  const states: string[] = [];
  const timer = setInterval(() => {
    const text = read(join(stateDir, `${pid}.json`));
    if (text !== '' && text !== states.at(-1)) states.push(text);
  }, 3).unref();
  const screen = () => box.tmux('capture-pane', '-e', '-p', '-t', pane);
  const until = (what: string, look: () => boolean) =>
    eventually(what, look, ceilingMs).then(
      () => undefined,
      (thrown) => Promise.reject(new Error(`${thrown}\n${states.at(-1)}\n${screen()}`)),
    );
  const status = () => claudeAgent.decodeState(states.at(-1) ?? '')?.signal;
  const deliver = (keystrokes: readonly Keystroke[]) => perform({ box, pane }, keystrokes);
  return {
    agentSessionId: plan.agentSessionId ?? '',
    states,
    screen,
    shows: (words) => until(`${words} on the screen`, () => words.test(screen().replace(colour, ''))),
    ready: () => until('ready', () => read(signalsPath).includes('SessionStart') && status() !== undefined),
    deliver,
    async send(text) {
      const delivery = claudeAgent.planDelivery({ text, asCommand: /^[/!]/.test(text) });
      if ('refused' in delivery) throw new Error(delivery.refused);
      await deliver(keystrokesOf(delivery));
    },
    press: (key) => deliver([{ press: key }]),
    is: (word) => until(`status ${word}`, () => states.at(-1)?.includes(`"status":"${word}"`) === true),
    writes: (words) => until(`${words} in the transcript`, () => words.test(read(transcriptPath))),
    turns: (count) => until(`${count} turns`, () => read(transcriptPath).split('"turn_duration"').length > count),
    stops: (count) => until(`${count} stops`, () => read(signalsPath).split('"hook_event_name":"Stop"').length > count),
    hears: (words) => until(`${words} of a hook`, () => words.test(read(signalsPath))),
    signals: () => read(signalsPath),
    transcript: () => read(transcriptPath),
    quit() {
      clearInterval(timer);
      endProcess(pid);
    },
  };
}

/** Keystrokes with no pause between them go out in one tmux command, as fast as a control client would send them. */
async function perform({ box, pane }: { box: Sandbox; pane: string }, keystrokes: readonly Keystroke[]): Promise<void> {
  let batch: string[] = [];
  const flush = () => {
    if (batch.length > 0) box.tmux(...batch.slice(0, -1));
    batch = [];
  };
  for (const [i, keystroke] of keystrokes.entries()) {
    if ('pauseMs' in keystroke) {
      flush();
      await rest(keystroke.pauseMs);
    } else if ('press' in keystroke) {
      batch.push('send-keys', '-t', pane, '--', keystroke.press, ';');
    } else if ('type' in keystroke) {
      const bytes = [...Buffer.from(keystroke.type)].map((byte) => byte.toString(16));
      batch.push('send-keys', '-t', pane, '-H', ...bytes, ';');
    } else {
      const path = join(box.root, `paste-${i}.txt`);
      writeFileSync(path, keystroke.paste);
      batch.push('load-buffer', '-b', `lab${i}`, path, ';');
      batch.push('paste-buffer', '-p', '-d', '-r', '-b', `lab${i}`, '-t', pane, ';');
    }
    if (batch.length > 1_500) flush();
  }
  flush();
}
