// Plays a script as the answer to a prompt, message by message and tool by tool.
import { type ApiError, interruptedLine, refusedLine, toolResultLine } from './lines.ts';
import { type Message, newMessage } from './message.ts';
import { permit } from './permission.ts';
import { absorbQueue } from './queue.ts';
import { holdPath, Interrupted, rest, restForEver, untilFile } from './rest.ts';
import { type Directive, secondsIn, unescaped } from './script.ts';
import { type RunningTurn, type Stage, show } from './stage.ts';
import { toolTitle, toolUseOf } from './tool-use.ts';
import { denial, useTool } from './tools.ts';
import { resultRows, toolRows } from './view.ts';

export type End =
  | { readonly how: 'completed'; readonly text: string }
  | { readonly how: 'interrupted' }
  | { readonly how: 'failed'; readonly error: ApiError };

interface Playing {
  readonly stage: Stage;
  readonly turn: RunningTurn;
  readonly due: Directive[];
  message: Message;
  toolRounds: number;
  said: string;
}

/** Plays until the script is over. `otherwise` is said where the script says nothing. */
export async function play(
  stage: Stage,
  turn: RunningTurn,
  { script, otherwise }: { readonly script: readonly Directive[]; readonly otherwise: string },
): Promise<End> {
  const playing: Playing = { stage, turn, due: [...script], message: newMessage(stage, turn), toolRounds: 0, said: '' };
  try {
    for (let next = playing.due.shift(); next !== undefined; next = playing.due.shift()) {
      const end = next.isTool ? await playTool(playing, next) : await playPlain(playing, next);
      if (end !== undefined) return end;
    }
    if (playing.message.text() === '') playing.message.say(playing.toolRounds > 0 ? doneAfter(playing) : otherwise);
    return { how: 'completed', text: playing.message.endText('end_turn') };
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    breakOff(playing);
    return { how: 'interrupted' };
  }
}

const doneAfter = ({ toolRounds }: Playing): string => `Done after ${toolRounds} tool round(s).`;

/** Before anything was said, an interrupt leaves no trace at all. */
function breakOff({ stage, turn, message }: Playing): void {
  if (!turn.hasSpoken || stage.life.aborted) return;
  message.endText(null);
  stage.transcript.line({ ...interruptedLine(turn.promptId, false), interruptedMessageId: message.id });
}

async function playPlain(playing: Playing, { word, rest: words }: Directive): Promise<End | undefined> {
  const { stage, turn, message } = playing;
  const { signal } = turn;
  switch (word) {
    case 'SAY':
      message.say(unescaped(words) || 'OK');
      return undefined;
    case 'THINK':
      message.think(unescaped(words));
      return undefined;
    case 'LONG':
      message.say('A long line of scripted words. '.repeat(Math.ceil((Number(words) || 1_000) / 31)));
      return undefined;
    case 'SLEEP':
      for (let left = Math.round(secondsIn(words) * 4); left > 0; left--) {
        message.stream('tick ');
        await rest(stage.pace.tickMs, signal);
      }
      return undefined;
    case 'SLOW':
      await rest(secondsIn(words) * 1_000, signal);
      return undefined;
    case 'HOLD':
      await untilFile(holdPath(stage, words), signal);
      return undefined;
    case 'CRASH':
      stage.end(Number(words) || 0, { crash: true });
      return { how: 'interrupted' };
    case 'HANG':
      await restForEver(signal);
      return undefined;
    default:
      return fail(playing, word, words);
  }
}

const retryMs = 300;

/** `FAIL 529 2` is tried again twice and then works; without a number it is final. */
async function fail(playing: Playing, word: string, words: string): Promise<End | undefined> {
  const { stage, turn, message } = playing;
  const [status = '500', times] = words.split(/\s+/);
  if (word === 'FAIL' && times !== undefined) {
    for (let attempt = 1; attempt <= Number(times); attempt++) {
      turn.busy = `API error · retrying in 0s · attempt ${attempt}/10`;
      show(stage);
      stage.transcript.note({ type: 'api-request', id: `${turn.promptId}-${attempt}` });
      await rest(retryMs, turn.signal);
    }
    return undefined;
  }
  message.endText('end_turn');
  if (word === 'LIMIT') return { how: 'failed', error: limitOf(stage, Number(status) || 3_600) };
  return { how: 'failed', error: errorOf(word, Number(status) || 500) };
}

/** Words to the minute, and a count to the second. */
function limitOf({ clock }: Stage, seconds: number): ApiError {
  const resetsAt = Math.round(clock.now() / 1_000) + seconds;
  const time = new Date(resetsAt * 1_000).toLocaleTimeString('en-US', {
    hour: 'numeric',
    minute: '2-digit',
    timeZone: 'UTC',
  });
  const text = `You've hit your 5-hour limit · resets ${time.replace(' ', '').toLowerCase()} (UTC)`;
  return { text, status: 429, error: 'rate_limit', resetsAt };
}

function errorOf(word: string, status: number): ApiError {
  if (word === 'CUT') return { text: 'API Error: Connection lost mid-response', status: 0, error: 'unknown' };
  if (status === 429) {
    return { text: 'API Error: Request rejected (429) · scripted 429', status, error: 'rate_limit' };
  }
  const error = status === 401 ? 'authentication_failed' : status >= 500 ? 'server_error' : 'unknown';
  return { text: `API Error: ${status} scripted ${status}`, status, error };
}

async function playTool(playing: Playing, directive: Directive): Promise<End | undefined> {
  const { stage, turn, message } = playing;
  const asked = toolUseOf(directive, stage.cwd);
  message.endText('tool_use');
  message.callTool(asked);
  const { columns } = stage.screen;
  show(stage, ['', ...toolRows(toolTitle(asked), columns)]);
  const verdict = await permit(stage, asked, { signal: turn.signal });
  const to = { promptId: turn.promptId, toolUseId: asked.id };
  if (verdict.may === 'stop') return stopped(playing, to, { beforeRun: true });
  const result =
    denial(verdict) ??
    (await useTool(stage, verdict.may === 'yes' ? { ...asked, input: verdict.input } : asked, {
      signal: turn.signal,
      choice: verdict.may === 'yes' ? verdict.choice : undefined,
    }));
  if (turn.signal.aborted) return stopped(playing, to, { beforeRun: false });
  const absorbed = absorbQueue(stage, () => {
    stage.transcript.line(toolResultLine(to, result.content, result.isError));
  });
  show(stage, resultRows(result.content, columns));
  playing.due.push(...absorbed);
  playing.toolRounds += 1;
  playing.message = newMessage(stage, turn);
  return undefined;
}

/** A person refused the tool, or ended it while it ran. */
function stopped(
  { stage, turn, message }: Playing,
  to: { readonly promptId: string; readonly toolUseId: string },
  { beforeRun }: { readonly beforeRun: boolean },
): End {
  if (stage.life.aborted) return { how: 'interrupted' };
  stage.transcript.line({ ...refusedLine(to), ...(beforeRun ? { toolDenialBeforeRun: true } : {}) });
  const line = interruptedLine(turn.promptId, true);
  stage.transcript.line(beforeRun ? line : { ...line, interruptedMessageId: message.id });
  return { how: 'interrupted' };
}
