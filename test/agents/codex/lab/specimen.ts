// One running Codex under observation.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codexAgent } from '../../../../src/agents/codex/codex.ts';
import type { Keystroke } from '../../../../src/model/keystroke.ts';
import { eventually, type Sandbox } from '../../../support/sandbox.ts';
import { keystrokesOf } from '../../keystrokes.ts';

export interface Specimen {
  screen(): string;
  /** The screen without colours shows it. */
  shows(words: RegExp): Promise<void>;
  /** The prompt is in sight for good. */
  ready(): Promise<void>;
  send(text: string, midTurn?: 'steer' | 'queue'): Promise<void>;
  /** Puts a text into the box and leaves it there. */
  draft(text: string): Promise<void>;
  press(...keys: readonly string[]): void;
  /** So many turns have ended. */
  turns(count: number): Promise<void>;
  writes(words: RegExp): Promise<void>;
  agentSessionId(): string;
  signals(): string;
  transcript(): string;
}

interface Watched {
  readonly box: Sandbox;
  readonly pane: string;
  readonly signalsPath: string;
}

export const rest = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const read = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '');
const colour = /\u001b\[[0-9;]*m/g;
const ceilingMs = 30_000;

export function watchSpecimen({ box, pane, signalsPath }: Watched): Specimen {
  const told = () =>
    read(signalsPath)
      .split('\n')
      .flatMap((line) => codexAgent.decodeHook(line))
      .findLast((signal) => signal.kind === 'ready');
  const transcript = () => read(told()?.transcriptPath ?? '');
  const screen = () => box.tmux('capture-pane', '-e', '-p', '-t', pane);
  const until = (what: string, look: () => boolean) =>
    eventually(what, look, ceilingMs).then(
      () => undefined,
      (thrown) => Promise.reject(new Error(`${thrown}\n${screen()}`)),
    );
  return {
    screen,
    shows: (words) => until(`${words} on the screen`, () => words.test(screen().replace(colour, ''))),
    ready: () => until('ready', () => codexAgent.readScreen(screen()).ready === true),
    async send(text, midTurn) {
      const delivery = codexAgent.planDelivery({
        text,
        asCommand: /^[/!]/.test(text),
        ...(midTurn === undefined ? {} : { midTurn }),
      });
      if ('refused' in delivery) throw new Error(delivery.refused);
      for (const keystroke of keystrokesOf(delivery)) perform({ box, pane }, keystroke);
    },
    draft: async (text) => perform({ box, pane }, { paste: text }),
    press: (...keys) => void box.tmux('send-keys', '-t', pane, '--', ...keys),
    turns: (count) =>
      until(`${count} turns`, () => transcript().split(/"type":"(?:task_complete|turn_aborted)"/).length > count),
    writes: (words) => until(`${words} in the transcript`, () => words.test(transcript())),
    agentSessionId: () => told()?.agentSessionId ?? '',
    signals: () => read(signalsPath),
    transcript,
  };
}

function perform({ box, pane }: { box: Sandbox; pane: string }, keystroke: Keystroke): void {
  if ('press' in keystroke) return void box.tmux('send-keys', '-t', pane, '--', keystroke.press);
  if (!('paste' in keystroke)) return;
  const path = join(box.root, 'paste.txt');
  writeFileSync(path, keystroke.paste);
  box.tmux('load-buffer', '-b', 'lab', path, ';', 'paste-buffer', '-p', '-d', '-r', '-b', 'lab', '-t', pane);
}
