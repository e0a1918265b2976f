// Turns: one prompt, or several queued ones, and the answer to them.
import { newUuid } from '../../model/ids.ts';
import { pause, systemClock } from '../../system/clock.ts';
import { draftOf } from './input.ts';
import { apiErrorLine, promptLine, stopSummaryLine, turnDurationLine } from './lines.ts';
import { play, type ScriptedTurnEnd } from './play.ts';
import { endRow, promptRows, saidRows } from './screen.ts';
import { echoOf, parseScript } from './script.ts';
import { type Prompt, type RunningTurn, type Stage, secondsOf, show, takeQueue } from './stage.ts';

/** Runs a turn with these prompts, and further ones for as long as there are prompts in the queue. */
export async function runTurns(stage: Stage, prompts: readonly Prompt[]): Promise<void> {
  stage.takesTurns = true;
  for (let next = prompts; next.length > 0 && !stage.life.aborted; next = takeQueue(stage)) {
    // Before a turn of queued prompts the agent shows itself idle for a moment.
    if (next.some(({ source }) => source !== 'typed')) await pause(stage.pace.betweenTurnsMs, stage.life);
    await runTurn(stage, next);
    if (stage.queue.length > 0) await pause(stage.pace.beforeTakingMs, stage.life);
  }
  stage.takesTurns = false;
}

const lookAgainMs = 10;

/** Interrupts the running turn and works between turns; prompts that come meanwhile are taken up afterwards. */
export async function workBetweenTurns(stage: Stage, work: () => Promise<void>): Promise<void> {
  while (stage.takesTurns && !stage.life.aborted) {
    stage.turn?.interrupt();
    await pause(lookAgainMs, stage.life);
  }
  stage.takesTurns = true;
  beginTurn(stage);
  await work();
  stage.turn = undefined;
  show(stage);
  await runTurns(stage, takeQueue(stage));
}

async function runTurn(stage: Stage, prompts: readonly Prompt[]): Promise<void> {
  const turn = beginTurn(stage);
  show(stage, ['', ...prompts.flatMap(({ text }) => promptRows(text, stage.screen.columns))]);
  const end = await answer(stage, turn, prompts);
  if (stage.life.aborted) return;
  const tail = await finish(stage, turn, end);
  stage.turn = undefined;
  stage.live = '';
  const isReturned = end.how === 'interrupted' && !turn.hasSpoken && stage.draft.text === '';
  if (isReturned) stage.draft = draftOf(prompts.map(({ text }) => text).join('\n'));
  show(stage, tail);
}

const tickMs = 1_000;

function beginTurn(stage: Stage): RunningTurn {
  const abort = new AbortController();
  const turn: RunningTurn = {
    signal: AbortSignal.any([stage.life, abort.signal]),
    interrupt: () => abort.abort(),
    startedAt: systemClock.now(),
    promptId: newUuid(),
    hasSpoken: false,
  };
  stage.turn = turn;
  const tick = () => {
    if (stage.turn !== turn || stage.life.aborted) return;
    show(stage);
    systemClock.after(tickMs, tick);
  };
  systemClock.after(tickMs, tick);
  return turn;
}

async function answer(stage: Stage, turn: RunningTurn, prompts: readonly Prompt[]): Promise<ScriptedTurnEnd> {
  for (const { text, source } of prompts) {
    turn.promptId = newUuid();
    // The prompt is older than the payload of its hook.
    const at = systemClock.now();
    if (source !== 'queued') await stage.hooks.run('UserPromptSubmit', { prompt: text }, turn.signal);
    if (turn.signal.aborted) return { how: 'interrupted' };
    const { promptId } = turn;
    stage.transcript.line(promptLine({ text, promptId, source, permissionMode: stage.permissionMode }), at);
  }
  const asked = prompts.filter(({ source }) => source !== 'system');
  const script = asked.flatMap(({ text }) => parseScript(text));
  const last = asked.at(-1);
  const end = await play(stage, turn, { script, otherwise: last ? echoOf(last.text) : notedOf(prompts) });
  if (end.how === 'completed') await runStopHooks(stage, turn, end.text);
  return end;
}

function notedOf(prompts: readonly Prompt[]): string {
  const summary = /<summary>(.*?)<\/summary>/s.exec(prompts.at(-1)?.text ?? '')?.[1];
  return `Noted: ${summary ?? 'a background task ended'}`;
}

async function runStopHooks(stage: Stage, turn: RunningTurn, text: string): Promise<void> {
  const payload = { last_assistant_message: text, background_tasks: [...stage.tasks.values()] };
  const { commands } = await stage.hooks.run('Stop', payload, turn.signal);
  if (commands.length > 0) stage.transcript.line(stopSummaryLine(commands));
}

/** Writes how the turn ended; resolves with the last rows on the screen. */
async function finish(stage: Stage, turn: RunningTurn, end: ScriptedTurnEnd): Promise<readonly string[]> {
  switch (end.how) {
    case 'completed': {
      const agents = [...stage.tasks.values()].filter(({ type }) => type === 'subagent').length;
      stage.transcript.line(turnDurationLine(systemClock.now() - turn.startedAt, agents));
      return ['', endRow(`Worked for ${secondsOf(turn)}s · done`)];
    }
    case 'interrupted':
      return turn.hasSpoken ? ['  ⎿  Interrupted · What should Claude do instead?'] : [];
    case 'failed': {
      const { text, error } = end.error;
      stage.transcript.line(apiErrorLine(end.error, newUuid()));
      await stage.hooks.run('StopFailure', { error, last_assistant_message: text });
      return ['', ...saidRows(text, stage.screen.columns)];
    }
  }
}
