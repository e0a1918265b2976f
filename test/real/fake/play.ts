// Plays the directives that are due into one answer.
import type { Directive, Located } from './script.ts';
import { type Answer, wait } from './stream.ts';
import { type ToolCall, unescapeText } from './tools.ts';

export interface Stage {
  readonly cwd: string | undefined;
  /** What a directive for a tool asks this agent to do. */
  readonly calls: (directive: Directive, cwd: string | undefined) => readonly ToolCall[];
  /** Resolves when the hold of this name is released. */
  held(name: string, answer: Answer): Promise<void>;
}

/** The end of an answer that an error event broke off. */
export const brokenStream = 'error event';

/** The stop reason, or how the answer was broken off on purpose. */
export async function play(answer: Answer, located: Located, stage: Stage): Promise<string> {
  for (const directive of located.due) {
    if (directive.isTool) {
      for (const call of stage.calls(directive, stage.cwd)) answer.call(call);
      return 'tool_use';
    }
    const end = await playOne(answer, directive, stage);
    if (end !== undefined) return end;
  }
  if (!located.due.some((d) => d.word === 'SAY' || d.word === 'LONG' || d.word === 'SLEEP')) {
    const echo = `Echo: ${located.text.slice(0, 60).replace(/\s+/g, ' ')}`;
    await answer.say(located.rounds > 0 ? `Done after ${located.rounds} tool round(s).` : echo);
  }
  return 'end_turn';
}

/** How the answer ends here, or undefined when it goes on. */
async function playOne(answer: Answer, { word, rest }: Directive, stage: Stage): Promise<string | undefined> {
  const seconds = Number(rest) || 1;
  switch (word) {
    case 'SAY':
      await answer.say(unescapeText(rest) || 'OK');
      return undefined;
    case 'THINK':
      answer.think(unescapeText(rest));
      return undefined;
    case 'LONG':
      await answer.say(`${'A long line of scripted words. '.repeat(Math.ceil((Number(rest) || 1000) / 31))}`, {
        chunk: 500,
        gapMs: 0,
      });
      return undefined;
    case 'SLEEP':
      await answer.say('tick '.repeat(Math.max(1, Math.round(seconds * 4))), { chunk: 5, gapMs: 250 });
      return undefined;
    case 'SLOW':
      await wait(seconds * 1000);
      return undefined;
    case 'HOLD':
      await stage.held(rest, answer);
      return undefined;
    case 'STREAMFAIL':
      await answer.say('partial text before the error');
      answer.breakOff('error');
      return brokenStream;
    case 'REFUSE':
      await answer.say('I cannot help.');
      return 'refusal';
    case 'STOP':
      return rest || 'max_tokens';
    default:
      return undefined;
  }
}
