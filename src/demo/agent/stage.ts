// Everything that changes while the agent runs, and the few ways to change it.

import type { Clock } from '../../model/clock.ts';
import type { Rules } from '../../model/rule.ts';
import { type Dialog, moved } from './dialog.ts';
import { type Draft, emptyDraft } from './draft.ts';
import type { Flags } from './flags.ts';
import type { HookRunner } from './hooks.ts';
import type { Key } from './keys.ts';
import type { Screen } from './screen.ts';
import type { StateFile } from './state-file.ts';
import { statusOf } from './status.ts';
import type { Transcript } from './transcript.ts';
import { bottomRows } from './view.ts';
import type { Pace } from './world.ts';

export interface Prompt {
  readonly text: string;
  readonly source: 'typed' | 'queued' | 'system' | 'shell';
}

export interface RunningTurn {
  /** Aborted by Escape, and with the program. */
  readonly signal: AbortSignal;
  readonly interrupt: () => void;
  readonly startedAt: number;
  promptId: string;
  /** The model has shown something: text, or a tool call. */
  hasSpoken: boolean;
  busy: string;
}

export interface Task {
  readonly id: string;
  readonly type: 'subagent' | 'shell';
  readonly status: 'running';
  readonly description: string;
  readonly command?: string;
}

interface OpenDialog {
  readonly dialog: Dialog;
  selected: number;
  readonly close: (choice: number | undefined) => void;
}

export interface Stage {
  readonly flags: Flags;
  readonly cwd: string;
  readonly configDir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly pace: Pace;
  readonly screen: Screen;
  readonly hooks: HookRunner;
  /** As the settings have them at the moment. */
  readonly rules: () => Rules;
  /** Aborts when the program ends. */
  readonly life: AbortSignal;
  /** Ends the program; a crash leaves everything as it lies. */
  end(code: number, how: { readonly crash?: true; readonly reason?: string }): void;
  /** Begins a turn with these prompts, and those that follow from it. */
  begin(prompts: readonly Prompt[]): Promise<void>;
  openTranscript(agentSessionId: string): Transcript;
  transcript: Transcript;
  /** Undefined until the start-up dialogs are over. */
  state: StateFile | undefined;
  permissionMode: string;
  turn: RunningTurn | undefined;
  /** Turns follow one another; a prompt that comes now is queued. */
  takesTurns: boolean;
  queue: Prompt[];
  readonly tasks: Map<string, Task>;
  dialog: OpenDialog | undefined;
  /** Settles when the dialog asked for last is closed. */
  lastDialog: Promise<unknown>;
  draft: Draft;
  live: string;
  hint: string | undefined;
}

export type StageParts = Omit<
  Stage,
  | 'state'
  | 'turn'
  | 'takesTurns'
  | 'queue'
  | 'tasks'
  | 'dialog'
  | 'lastDialog'
  | 'draft'
  | 'live'
  | 'hint'
  | 'permissionMode'
>;

export const emptyStage = (parts: StageParts): Stage => ({
  ...parts,
  permissionMode: parts.flags.permissionMode,
  state: undefined,
  turn: undefined,
  takesTurns: false,
  queue: [],
  tasks: new Map(),
  dialog: undefined,
  lastDialog: Promise.resolve(),
  draft: emptyDraft,
  live: '',
  hint: undefined,
});

/** Says what it is doing, to the state file and on the screen. `said` scrolls away above. */
export function show(stage: Stage, said: readonly string[] = []): void {
  if (stage.life.aborted) return;
  const { dialog, turn } = stage;
  const tasks = [...stage.tasks.values()];
  const doing = { waitingFor: dialog?.dialog.waitingFor, hasTurn: turn !== undefined, tasks };
  stage.state?.set(statusOf(doing), stage.transcript.agentSessionId);
  const { columns } = stage.screen;
  const shells = tasks.filter(({ type }) => type === 'shell').length;
  stage.screen.draw(
    said,
    bottomRows({
      columns,
      name: stage.flags.name,
      draft: stage.draft,
      live: stage.live,
      busy: turn?.busy,
      queued: stage.queue.filter(({ source }) => source !== 'system').map(({ text }) => text),
      dialog: dialog?.dialog.rows(columns, dialog.selected),
      permissionMode: stage.permissionMode,
      hint: stage.hint,
      tasks: shells === 0 ? undefined : `${shells} shell${shells === 1 ? '' : 's'}`,
    }),
  );
}

/**
 * Opens a dialog once none is open. Resolves with the choice; undefined when it was cancelled or `signal` aborted.
 * What is shown then is for the caller to say: a refusal may end the turn.
 */
export function ask(stage: Stage, dialog: Dialog, signal: AbortSignal): Promise<number | undefined> {
  const asked = stage.lastDialog.then(() => (signal.aborted ? undefined : answer(stage, dialog, signal)));
  stage.lastDialog = asked;
  return asked;
}

async function answer(stage: Stage, dialog: Dialog, signal: AbortSignal): Promise<number | undefined> {
  const choice = await new Promise<number | undefined>((resolve) => {
    const withdraw = () => resolve(undefined);
    signal.addEventListener('abort', withdraw, { once: true });
    stage.dialog = { dialog, selected: dialog.first, close: resolve };
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
