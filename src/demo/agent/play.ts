// Plays a script as the answer to a prompt, message by message and tool by tool.
import { defined } from '../../model/defined.ts';
import { newNonce } from '../../model/ids.ts';
import type { Fields } from '../../model/json.ts';
import { systemClock } from '../../system/clock.ts';
import { type ApiError, answerLine, interruptedLine, refusedLine, type Stop, toolResultLine } from './lines.ts';
import { permit } from './permission.ts';
import { resultRows, saidRows } from './screen.ts';
import { type Directive, Interrupted, rest, secondsIn, toolUseOf, unescaped, untilHeldFile } from './script.ts';
import { type RunningTurn, type Stage, show } from './stage.ts';
import { runTool } from './tools.ts';

/** One message of the model: text that grows, then a line in the transcript for each block. */
interface Message {
  readonly id: string;
  hasText(): boolean;
  /** Adds to the text; a new thought begins a new line. */
  say(text: string): void;
  stream(text: string): void;
  /** Writes the text block, if there is one, and returns it. */
  endText(stop: Stop): string;
  callTool(use: { readonly id: string; readonly name: string; readonly input: Fields }): void;
}

function newMessage(stage: Stage, turn: RunningTurn): Message {
  const messageId = `msg_01${newNonce()}${newNonce()}`;
  let text = '';
  const write = (block: Fields, stop: Stop) =>
    stage.transcript.line(answerLine({ messageId, model: stage.flags.model, block, stop }));
  const stream = (more: string) => {
    turn.hasSpoken = true;
    text += more;
    stage.live = text;
    show(stage);
  };
  return {
    id: messageId,
    hasText: () => text !== '',
    say: (more) => stream(text === '' || text.endsWith('\n') ? more : `\n${more}`),
    stream,
    endText(stop) {
      const said = text.trimEnd();
      if (said !== '') write({ type: 'text', text: stop === null ? text : said }, stop);
      text = '';
      stage.live = '';
      show(stage, said === '' ? [] : ['', ...saidRows(said, stage.screen.columns)]);
      return said;
    },
    callTool({ id, name, input }) {
      turn.hasSpoken = true;
      write({ type: 'tool_use', id, name, input }, 'tool_use');
    },
  };
}

export type ScriptedTurnEnd =
  | { readonly how: 'completed'; readonly text: string }
  | { readonly how: 'interrupted' }
  | { readonly how: 'failed'; readonly error: ApiError };

interface Playing {
  readonly stage: Stage;
  readonly turn: RunningTurn;
  message: Message;
  toolRounds: number;
}

export interface Play {
  readonly script: readonly Directive[];
  /** The answer where the script says nothing. */
  readonly otherwise: string;
}

/** Plays until the script is over. */
export async function play(stage: Stage, turn: RunningTurn, { script, otherwise }: Play): Promise<ScriptedTurnEnd> {
  const playing: Playing = { stage, turn, message: newMessage(stage, turn), toolRounds: 0 };
  try {
    for (const next of script) {
      const end = next.isTool ? await playTool(playing, next) : await playPlain(playing, next);
      if (end !== undefined) return end;
    }
    const { message, toolRounds } = playing;
    if (!message.hasText()) message.say(toolRounds > 0 ? `Done after ${toolRounds} tool round(s).` : otherwise);
    return { how: 'completed', text: message.endText('end_turn') };
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    breakOff(playing);
    return { how: 'interrupted' };
  }
}

/** Before the first word, an interrupt leaves no trace at all. */
function breakOff({ stage, turn, message }: Playing): void {
  if (!turn.hasSpoken || stage.life.aborted) return;
  message.endText(null);
  stage.transcript.line({ ...interruptedLine(turn.promptId, false), interruptedMessageId: message.id });
}

const tickMs = 250;

async function playPlain(
  { stage, turn, message }: Playing,
  { word, rest: words }: Directive,
): Promise<ScriptedTurnEnd | undefined> {
  const { signal } = turn;
  switch (word) {
    case 'SAY':
      message.say(unescaped(words) || 'OK');
      return undefined;
    case 'SLEEP':
      for (let left = Math.round((secondsIn(words) * 1_000) / tickMs); left > 0; left--) {
        message.stream('tick ');
        await rest(tickMs, signal);
      }
      return undefined;
    case 'SLOW':
      await rest(secondsIn(words) * 1_000, signal);
      return undefined;
    case 'HOLD':
      await untilHeldFile(stage.configDir, words, signal);
      return undefined;
    case 'CRASH':
      stage.end(Number(words) || 0, 'crash');
      return { how: 'interrupted' };
    default: {
      const error = word === 'LIMIT' ? limitOf(Number(words) || 3_600) : await failureOf(words, stage, turn);
      if (error === undefined) return undefined;
      message.endText('end_turn');
      return { how: 'failed', error };
    }
  }
}

const retryMs = 300;

/** `FAIL 529 2` is tried again twice and then works; without a number the error is final. */
async function failureOf(words: string, { transcript }: Stage, turn: RunningTurn): Promise<ApiError | undefined> {
  const [code = '500', times] = words.split(/\s+/);
  for (let attempt = 1; attempt <= Number(times); attempt++) {
    transcript.note({ type: 'api-request', id: `${turn.promptId}-${attempt}` });
    await rest(retryMs, turn.signal);
  }
  if (times !== undefined) return undefined;
  const status = Number(code) || 500;
  return { text: `API Error: ${status} scripted ${status}`, status, error: status >= 500 ? 'server_error' : 'unknown' };
}

/** The text has the time to the minute, and a field has it to the second. */
function limitOf(seconds: number): ApiError {
  const resetsAt = Math.round(systemClock.now() / 1_000) + seconds;
  const format = { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' } as const;
  const time = new Date(resetsAt * 1_000).toLocaleTimeString('en-US', format).replace(' ', '').toLowerCase();
  return { text: `You've hit your 5-hour limit · resets ${time} (UTC)`, status: 429, error: 'rate_limit', resetsAt };
}

async function playTool(playing: Playing, directive: Directive): Promise<ScriptedTurnEnd | undefined> {
  const { stage, turn, message } = playing;
  const { columns } = stage.screen;
  const use = toolUseOf(directive, stage.cwd);
  message.endText('tool_use');
  message.callTool(use);
  const [title = ''] = saidRows(`${use.name}(${use.input.command ?? use.input.file_path ?? ''})`, columns);
  show(stage, ['', title]);
  const verdict = await permit(stage, use, turn.signal);
  if (verdict.may === 'stop') return stopped(playing, use.id);
  const result =
    verdict.may === 'no'
      ? { content: verdict.why, isError: true }
      : await runTool(stage, { ...use, input: verdict.input }, { signal: turn.signal, choice: verdict.choice });
  if (turn.signal.aborted) return stopped(playing, use.id, message.id);
  stage.transcript.line(toolResultLine({ promptId: turn.promptId, toolUseId: use.id }, result.content, result.isError));
  show(stage, resultRows(result.content, columns));
  playing.toolRounds += 1;
  playing.message = newMessage(stage, turn);
  return undefined;
}

/** A person refused the tool, or interrupted it while it ran. */
function stopped({ stage, turn }: Playing, toolUseId: string, interruptedMessageId?: string): ScriptedTurnEnd {
  if (!stage.life.aborted) {
    stage.transcript.line(refusedLine({ promptId: turn.promptId, toolUseId }));
    stage.transcript.line({ ...interruptedLine(turn.promptId, true), ...defined({ interruptedMessageId }) });
  }
  return { how: 'interrupted' };
}
