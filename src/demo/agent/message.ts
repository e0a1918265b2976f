// One message of the stand-in for a model: text that grows, then a line in the transcript for each block.

import { newNonce } from '../../model/ids.ts';
import type { Fields } from '../../model/json.ts';
import { answerLine } from './lines.ts';
import { type RunningTurn, type Stage, show } from './stage.ts';
import { saidRows } from './view.ts';

export interface Message {
  readonly id: string;
  /** What has been said and not ended. */
  readonly text: () => string;
  /** Adds to what is being said; a new thought begins a new line. */
  say(text: string): void;
  stream(text: string): void;
  think(text: string): void;
  /** Ends the text block, if any, and writes it. `null`: broken off. */
  endText(stop: 'end_turn' | 'tool_use' | null): string;
  callTool(use: { readonly id: string; readonly name: string; readonly input: Fields }): void;
}

export function newMessage(stage: Stage, turn: RunningTurn): Message {
  const id = `msg_01${newNonce()}${newNonce()}`;
  let text = '';
  const write = (block: Fields, stop: 'end_turn' | 'tool_use' | null) =>
    stage.transcript.line(
      answerLine({ messageId: id, model: stage.flags.model, block, stop, outputTokens: JSON.stringify(block).length }),
    );
  const grow = (more: string) => {
    turn.hasSpoken = true;
    text += more;
    stage.live = text;
    show(stage);
  };
  return {
    id,
    text: () => text,
    say: (more) => grow(text === '' || text.endsWith('\n') ? more : `\n${more}`),
    stream: grow,
    think(thought) {
      turn.hasSpoken = true;
      write({ type: 'thinking', thinking: thought, signature: '' }, 'end_turn');
    },
    endText(stop) {
      const said = text.trimEnd();
      if (said !== '') write({ type: 'text', text: stop === null ? text : said }, stop);
      text = '';
      stage.live = '';
      show(stage, said === '' ? [] : ['', ...saidRows(said, stage.screen.columns)]);
      return said;
    },
    callTool({ id: toolUseId, name, input }) {
      turn.hasSpoken = true;
      write({ type: 'tool_use', id: toolUseId, name, input }, 'tool_use');
    },
  };
}
