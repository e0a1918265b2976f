// Keys at the prompt box, and the commands that are typed into it.
import { newUuid } from '../../model/ids.ts';
import { systemClock } from '../../system/clock.ts';
import { continued, edited, emptyDraft, type Key, sentText } from './input.ts';
import { promptRows, resultRows } from './screen.ts';
import { type Stage, show, submit } from './stage.ts';
import { workBetweenTurns } from './turns.ts';

export function pressInBox(stage: Stage, key: Key): void {
  const name = key.kind === 'key' ? key.name : undefined;
  if (name === 'ctrl-c') {
    pressCtrlC(stage);
    return;
  }
  stage.hint = undefined;
  if (name === 'escape') stage.turn?.interrupt();
  else if (name === 'enter') enter(stage);
  else stage.draft = edited(stage.draft, key);
  show(stage);
}

/** A shell line leaves the box and reaches nobody. */
function enter(stage: Stage): void {
  const { draft } = stage;
  const longer = continued(draft);
  const text = sentText(draft);
  if (longer === undefined && text === '') return;
  stage.draft = longer ?? emptyDraft;
  if (longer === undefined && !draft.isShell) take(stage, text);
}

const leaveHint = 'Press Ctrl-C again to exit';
const armedMs = 1_000;

/** Interrupts a turn; else empties the box, and leaves when pressed again within a second. */
function pressCtrlC(stage: Stage): void {
  if (stage.turn !== undefined) {
    stage.turn.interrupt();
    return;
  }
  stage.draft = { ...emptyDraft, isShell: stage.draft.isShell };
  if (stage.hint === leaveHint) stage.end(0, 'prompt_input_exit');
  stage.hint = leaveHint;
  show(stage);
  systemClock.after(armedMs, () => {
    stage.hint = undefined;
    show(stage);
  });
}

/** Takes the sent text: a command of the program's own, or a prompt. */
export function take(stage: Stage, text: string): void {
  const { columns } = stage.screen;
  if (text === '/exit') stage.end(0, 'prompt_input_exit');
  else if (text === '/clear') void workBetweenTurns(stage, () => clear(stage));
  else if (/^\/[A-Za-z0-9_][\w:-]*(?=\s|$)/.test(text)) {
    show(stage, ['', ...promptRows(text, columns), ...resultRows(`Unknown command: ${text}`, columns)]);
  } else submit(stage, text);
}

/** Begins a new conversation, with an id and a file of its own. */
async function clear(stage: Stage): Promise<void> {
  stage.transcript.flush();
  await stage.hooks.run('SessionEnd', { reason: 'clear' });
  stage.transcript = stage.openTranscript(newUuid());
  stage.screen.wipe();
  await stage.hooks.run('SessionStart', { source: 'clear' });
  show(stage, ['', ...promptRows('/clear', stage.screen.columns)]);
}
