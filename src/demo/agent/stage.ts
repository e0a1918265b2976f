// Everything that changes while the agent runs, and the few ways to change it.
import type { Rules } from '../../model/rule.ts';
import { systemClock } from '../../system/clock.ts';
import { moved, type ScriptedDialog } from './dialog.ts';
import type { InputDraft, Key } from './input.ts';
import type { Flags, HookRunner } from './launch.ts';
import { queueNote } from './lines.ts';
import { bottomRows, type ScriptedScreen } from './screen.ts';
import type { ScriptedStatus, ScriptedTranscript, StateFile } from './traces.ts';

export interface Prompt {
  readonly text: string;
  /** `system`: news of background work, which the program writes itself. */
  readonly source: 'typed' | 'queued' | 'system';
}

export interface RunningTurn {
  /** Aborted by Escape, and with the program. */
  readonly signal: AbortSignal;
  readonly interrupt: () => void;
  readonly startedAt: number;
  promptId: string;
  /** The model has shown something: text, or a tool call. */
  hasSpoken: boolean;
}

export interface ScriptedTask {
  readonly id: string;
  readonly type: 'subagent' | 'shell';
  readonly status: 'running';
  readonly description: string;
}

interface OpenDialog {
  readonly dialog: ScriptedDialog;
  selected: number;
  readonly close: (choice: number | undefined) => void;
}

/** The delays of the real program; all zero for benches. */
export interface Pace {
  readonly flushMs: number;
  /** From the idle after a turn to the taking of the queue, and from there to the next turn. */
  readonly beforeTakingMs: number;
  readonly betweenTurnsMs: number;
}

export interface Stage {
  readonly flags: Flags;
  readonly cwd: string;
  readonly configDir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly pace: Pace;
  readonly screen: ScriptedScreen;
  readonly state: StateFile;
  readonly hooks: HookRunner;
  /** The rules in the settings files at the moment. */
  readonly rules: () => Rules;
  /** Aborts when the program ends. */
  readonly life: AbortSignal;
  /** Ends the program; a crash leaves its state file behind. */
  end(code: number, how: 'crash' | 'other' | 'prompt_input_exit'): void;
  /** Begins a turn with these prompts, and the turns that follow from it. */
  begin(prompts: readonly Prompt[]): Promise<void>;
  openTranscript(agentSessionId: string): ScriptedTranscript;
  transcript: ScriptedTranscript;
  permissionMode: string;
  turn?: RunningTurn | undefined;
  /** Turns follow one another; a prompt that comes now is queued. */
  takesTurns: boolean;
  queue: Prompt[];
  readonly tasks: Map<string, ScriptedTask>;
  dialog?: OpenDialog | undefined;
  /** Settles when the newest dialog is closed. */
  lastDialog: Promise<unknown>;
  draft: InputDraft;
  /** The unfinished text of the model. */
  live: string;
  /** Replaces the footer for a moment. */
  hint?: string | undefined;
}

export const secondsOf = ({ startedAt }: RunningTurn): number => Math.round((systemClock.now() - startedAt) / 1_000);

/** Writes the status to the state file and draws the screen. `said` scrolls away above. */
export function show(stage: Stage, said: readonly string[] = []): void {
  if (stage.life.aborted) return;
  const { dialog, turn, screen } = stage;
  stage.state.set(statusOf(stage), stage.transcript.agentSessionId);
  stage.screen.draw(
    said,
    bottomRows({
      columns: screen.columns,
      name: stage.flags.name,
      draft: stage.draft,
      live: stage.live,
      busySeconds: turn && secondsOf(turn),
      queued: stage.queue.filter(({ source }) => source !== 'system').map(({ text }) => text),
      dialog: dialog?.dialog.rows(screen.columns, dialog.selected),
      permissionMode: stage.permissionMode,
      hint: stage.hint,
    }),
  );
}

/** A subagent keeps the program busy after its turn; a shell has a status of its own. */
function statusOf({ dialog, turn, tasks }: Stage): ScriptedStatus {
  const waitingFor = dialog?.dialog.waitingFor;
  if (waitingFor !== undefined) return { status: 'waiting', waitingFor };
  const types = [...tasks.values()].map(({ type }) => type);
  if (turn !== undefined || types.includes('subagent')) return { status: 'busy' };
  return { status: types.length > 0 ? 'shell' : 'idle' };
}

/**
 * Opens a dialog once no other is open. Resolves with the choice; undefined when it was cancelled or `signal` aborted.
 * Leaves the next drawing to the caller: a refusal may end the turn.
 */
export function ask(stage: Stage, dialog: ScriptedDialog, signal: AbortSignal): Promise<number | undefined> {
  const asked = stage.lastDialog.then(() => (signal.aborted ? undefined : answer(stage, dialog, signal)));
  stage.lastDialog = asked;
  return asked;
}

async function answer(stage: Stage, dialog: ScriptedDialog, signal: AbortSignal): Promise<number | undefined> {
  const choice = await new Promise<number | undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
    stage.dialog = { dialog, selected: 0, close: resolve };
    show(stage);
  });
  stage.dialog = undefined;
  return choice;
}

export function pressInDialog(stage: Stage, open: OpenDialog, key: Key): void {
  const move = moved(open.dialog, open.selected, key);
  if ('chosen' in move) open.close(move.chosen);
  else if ('cancelled' in move) open.close(undefined);
  else {
    open.selected = move.selected;
    show(stage);
  }
}

/** Begins a turn with the prompt, or queues it behind the running turn. */
export function submit(stage: Stage, text: string): void {
  if (!stage.takesTurns) void stage.begin([{ text, source: 'typed' }]);
  else {
    enqueue(stage, { text, source: 'queued' });
    void stage.hooks.run('UserPromptSubmit', { prompt: text });
  }
}

/** Queues the news of a background task, which begins a turn by itself. */
export function notice(stage: Stage, text: string): void {
  enqueue(stage, { text, source: 'system' });
  if (!stage.takesTurns) void stage.begin(takeQueue(stage));
}

function enqueue(stage: Stage, prompt: Prompt): void {
  stage.transcript.note(queueNote('enqueue', { content: prompt.text }));
  stage.queue.push(prompt);
  show(stage);
}

/** Empties the queue for the next turn. */
export function takeQueue(stage: Stage): readonly Prompt[] {
  const taken = stage.queue;
  stage.queue = [];
  for (const _ of taken) stage.transcript.note(queueNote('dequeue'));
  return taken;
}
