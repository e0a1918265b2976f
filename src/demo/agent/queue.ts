// Prompts that come while a turn runs.
import { draftOf } from './draft.ts';
import { absorbedLine, queueNote } from './lines.ts';
import { type Directive, parseScript } from './script.ts';
import { type Prompt, type Stage, show } from './stage.ts';
import { promptRows } from './view.ts';

/** Takes a prompt: at once when nothing runs, else after this step or turn. */
export function submit(stage: Stage, text: string, source: 'typed' | 'shell' = 'typed'): void {
  if (!stage.takesTurns) {
    void stage.begin([{ text, source }]);
    return;
  }
  enqueue(stage, { text, source: source === 'typed' ? 'queued' : source });
  if (source === 'shell') return;
  void stage.hooks.run('UserPromptSubmit', { prompt: text });
}

/** A background task's word, which begins a turn by itself. */
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

/** Takes the queued prompts into the running turn, around the result of its tool. Returns what they ask for. */
export function absorbQueue(stage: Stage, writeResult: () => void): readonly Directive[] {
  const taken = stage.queue;
  stage.queue = [];
  for (const { text } of taken) {
    stage.transcript.note(queueNote('remove', { content: text, reason: 'absorbed_mid_turn' }));
  }
  writeResult();
  for (const { text, source } of taken) {
    stage.transcript.line(absorbedLine(text, source === 'system'));
    show(stage, promptRows(text, stage.screen.columns));
  }
  return taken.filter(({ source }) => source !== 'system').flatMap(({ text }) => parseScript(text));
}

/** Hands queued prompts back to the person, to be edited. */
export function popQueue(stage: Stage): void {
  const own = stage.queue.filter(({ source }) => source !== 'system');
  stage.queue = stage.queue.filter(({ source }) => source === 'system');
  for (const { text } of own) stage.transcript.note(queueNote('popAll', { content: text }));
  stage.draft = draftOf(own.map(({ text }) => text).join('\n'));
  show(stage);
}
