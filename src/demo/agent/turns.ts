// Turns: one prompt, or several that were queued, and the answer to them.

import { newUuid } from '../../model/ids.ts';
import { pause } from '../../system/clock.ts';
import { draftOf } from './draft.ts';
import { apiErrorLine, metaLine, promptLine, shellLines, stopSummaryLine, turnDurationLine } from './lines.ts';
import { type End, play } from './play.ts';
import { takeQueue } from './queue.ts';
import { echoOf, parseScript } from './script.ts';
import { runCommand } from './shell.ts';
import { type Prompt, type RunningTurn, type Stage, show } from './stage.ts';
import { endRow, promptRows, resultRows, saidRows } from './view.ts';

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

/** Works between turns: the running one is ended, and prompts that come meanwhile are taken up afterwards. */
export async function workAlone(stage: Stage, work: () => Promise<void>): Promise<void> {
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
    startedAt: stage.clock.now(),
    promptId: newUuid(),
    hasSpoken: false,
    busy: 'Working… (0s)',
  };
  stage.turn = turn;
  const tick = () => {
    if (stage.turn !== turn || stage.life.aborted) return;
    turn.busy = `Working… (${secondsOf(stage, turn)}s)`;
    show(stage);
    stage.clock.after(tickMs, tick);
  };
  stage.clock.after(tickMs, tick);
  return turn;
}

const secondsOf = (stage: Stage, turn: RunningTurn): number => Math.round((stage.clock.now() - turn.startedAt) / 1_000);

async function answer(stage: Stage, turn: RunningTurn, prompts: readonly Prompt[]): Promise<End> {
  for (const { text, source } of prompts) {
    if (source === 'shell') {
      await runShellLine(stage, turn, text);
      continue;
    }
    turn.promptId = newUuid();
    // The prompt is older than what its hook is told of it.
    const at = stage.clock.now();
    if (source !== 'queued') {
      const told = await stage.hooks.run('UserPromptSubmit', { prompt: text }, { signal: turn.signal });
      if (told.objections.length > 0) return blocked(stage, turn, told.objections);
      if (turn.signal.aborted) return { how: 'interrupted' };
    }
    const { promptId } = turn;
    stage.transcript.line(promptLine({ text, promptId, source, permissionMode: stage.permissionMode }), at);
  }
  const asked = prompts.filter(({ source }) => source !== 'system');
  const script = asked.flatMap(({ text, source }) => (source === 'shell' ? [] : parseScript(text)));
  let end = await play(stage, turn, { script, otherwise: otherwise(prompts) });
  for (let round = 1; end.how === 'completed'; round++) {
    const objections = await stop(stage, turn, { text: end.text, isAgain: round > 1 });
    if (objections === undefined) break;
    const feedback = `Stop hook feedback:\n${objections.join('\n')}`;
    if (round > blockCap(stage)) break;
    end = await play(stage, turn, { script: parseScript(feedback), otherwise: echoOf(feedback) });
  }
  return end;
}

/** A line for the shell: it runs unasked, and the model is told of it. */
async function runShellLine(stage: Stage, turn: RunningTurn, command: string): Promise<void> {
  turn.hasSpoken = true;
  const [typed, printed] = shellLines(turn.promptId, command);
  stage.transcript.line(typed);
  const { content } = await runCommand(stage, command, turn.signal);
  stage.transcript.line(printed(content));
  show(stage, resultRows(content, stage.screen.columns));
}

const blockCap = ({ env }: Stage): number => Number(env.CLAUDE_CODE_STOP_HOOK_BLOCK_CAP ?? 9);

function otherwise(prompts: readonly Prompt[]): string {
  const asked = prompts.findLast(({ source }) => source !== 'system');
  if (asked !== undefined) return echoOf(asked.text);
  const summary = /<summary>(.*?)<\/summary>/s.exec(prompts.at(-1)?.text ?? '')?.[1];
  return `Noted: ${summary ?? 'a background task ended'}`;
}

/** The prompt never reaches the model. */
function blocked(stage: Stage, turn: RunningTurn, objections: readonly string[]): End {
  turn.hasSpoken = true;
  show(stage, saidRows(`UserPromptSubmit operation blocked by hook:\n${objections.join('\n')}`, stage.screen.columns));
  return { how: 'interrupted' };
}

/** Runs the Stop hooks; what they object to sends the model back to work. */
async function stop(
  stage: Stage,
  turn: RunningTurn,
  said: { readonly text: string; readonly isAgain: boolean },
): Promise<readonly string[] | undefined> {
  const { runs, objections } = await stage.hooks.run(
    'Stop',
    {
      stop_hook_active: said.isAgain,
      last_assistant_message: said.text,
      background_tasks: [...stage.tasks.values()],
      session_crons: [],
    },
    { signal: turn.signal },
  );
  if (objections.length > 0) {
    stage.transcript.line(metaLine(turn.promptId, `Stop hook feedback:\n${objections.join('\n')}`));
  }
  if (runs.length > 0) stage.transcript.line(stopSummaryLine(runs, objections));
  return objections.length > 0 ? objections : undefined;
}

/** Writes how the turn ended; resolves with what the screen says of it. */
async function finish(stage: Stage, turn: RunningTurn, end: End): Promise<readonly string[]> {
  const { columns } = stage.screen;
  switch (end.how) {
    case 'completed': {
      const agents = [...stage.tasks.values()].filter(({ type }) => type === 'subagent').length;
      stage.transcript.line(turnDurationLine(stage.clock.now() - turn.startedAt, agents));
      return ['', endRow(endWords(stage, turn, agents))];
    }
    case 'interrupted':
      return turn.hasSpoken ? [`  ⎿  Interrupted · What should Claude do instead?`] : [];
    case 'failed': {
      const { text, error } = end.error;
      stage.transcript.line(apiErrorLine(end.error, newUuid()));
      await stage.hooks.run('StopFailure', { error, last_assistant_message: text });
      return ['', ...saidRows(text, columns)];
    }
  }
}

function endWords(stage: Stage, turn: RunningTurn, agents: number): string {
  if (agents > 0) return `Waiting for ${agents} background agent${agents === 1 ? '' : 's'} to finish`;
  const shells = stage.tasks.size === 0 ? '' : ` · ${stage.tasks.size} shell still running`;
  return `Worked for ${secondsOf(stage, turn)}s · done${shells}`;
}
