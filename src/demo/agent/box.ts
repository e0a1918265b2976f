// Keys at the prompt box, while no dialog is open.
import { take } from './commands.ts';
import { cleared, continued, edited, emptyDraft, sentText } from './draft.ts';
import type { Key, KeyName } from './keys.ts';
import { popQueue, submit } from './queue.ts';
import { type Stage, show } from './stage.ts';

export function pressInBox(stage: Stage, key: Key): void {
  const name = key.kind === 'key' ? key.name : undefined;
  if (name === 'ctrl-c') breakOff(stage, 'Ctrl-C');
  else if (name === 'ctrl-d') {
    if (stage.draft.text === '') leaveOnSecond(stage, 'Ctrl-D');
  } else {
    stage.hint = undefined;
    edit(stage, key, name);
    show(stage);
  }
}

function edit(stage: Stage, key: Key, name: KeyName | undefined): void {
  if (name === 'escape') stage.turn?.interrupt();
  else if (name === 'enter') enter(stage);
  else if (name === 'up' && stage.draft.text === '' && stage.queue.length > 0) popQueue(stage);
  else stage.draft = edited(stage.draft, key);
}

function enter(stage: Stage): void {
  const { draft } = stage;
  const longer = continued(draft);
  const text = sentText(draft);
  stage.draft = longer ?? (text === '' ? draft : emptyDraft);
  if (longer === undefined && text !== '') {
    if (draft.isShell) submit(stage, text, 'shell');
    else take(stage, text);
  }
}

function breakOff(stage: Stage, key: string): void {
  if (stage.turn !== undefined) stage.turn.interrupt();
  else {
    stage.draft = cleared(stage.draft);
    leaveOnSecond(stage, key);
  }
}

const armedMs = 1_000;

/** Pressed once it says so; pressed again within a second it leaves. */
function leaveOnSecond(stage: Stage, key: string): void {
  const words = `Press ${key} again to exit`;
  if (stage.hint === words) {
    stage.end(0, { reason: 'prompt_input_exit' });
    return;
  }
  stage.hint = words;
  show(stage);
  stage.clock.after(armedMs, () => {
    if (stage.hint !== words) return;
    stage.hint = undefined;
    show(stage);
  });
}
