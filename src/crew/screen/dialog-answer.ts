// A manager's answer to a dialog that only the agent's screen shows: look, move the cursor, look again, press Enter.
import type { Agent } from '../../agents/agent.ts';
import type { Act } from '../../model/act.ts';
import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import type { Dialog } from '../../model/turn.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { personsReason } from '../../permissions/tripwire-look.ts';
import { launchPlace } from '../../store/launch-place.ts';
import { readPlace, realPath } from '../../store/place.ts';
import { pause } from '../../system/clock.ts';
import { withLock } from '../../system/lock.ts';
import type { AgentRequest } from '../../turn/agent-request.ts';
import type { AnswerResult } from '../../wire/attention.ts';
import type { AnswerOrder } from '../orders.ts';
import { type CrewContext, paneRef } from '../workers/crew-context.ts';
import { chosenIn, isSameDialog, type ScreenAnswer } from './dialog-choice.ts';
import { type AfterEnter, type Answering, awaitAnswered, confirmAt, look, moveTo, typeAt } from './dialog-cursor.ts';
import { lookOnce, readScreenUntil } from './screen-look.ts';

const lockTimeoutMs = 60_000;
const firstTries = 10;
// An agent overlooks keys in a dialog's first moments, and an overlooked Enter looks like a slow one.
const youngMs = 1_000;
/** By then an agent has shown what the last key did that reached it. */
const lastKeyMs = 150;

/** Throws where nothing was pressed; where Enter had no visible effect, the result is no success and has a hint. */
export async function answerDialog(
  context: CrewContext,
  record: WorkerRecord,
  order: AnswerOrder,
): Promise<AnswerResult> {
  const chosen = await answerOnScreen(context, record, wantedOf(order));
  const view = context.roster.view(context.roster.record(record.id));
  const attach = view.tmux?.attach ?? 'crew_status';
  const hint = hintOf(chosen, { order, attach });
  return {
    success: chosen.answered,
    session_id: order.worker,
    request_id: null,
    decision: order.decision,
    via: 'screen',
    option: chosen.option,
    evidence: view.evidence,
    status: view.status,
    ...defined({ hint }),
  };
}

function hintOf(
  { answered, dialog, next }: ScreenAnswered,
  { order, attach }: { readonly order: AnswerOrder; readonly attach: string },
): string | undefined {
  if (!answered) return `Enter was pressed, and the dialog "${dialog.title}" still stands. Look with: ${attach}`;
  const hints: string[] = [];
  if (order.decision === 'deny' && order.message !== undefined)
    hints.push('A dialog takes no message: send it with message_workers.');
  if (next !== undefined) hints.push(`Another dialog stands there now: "${next.title}". See crew_status.`);
  return hints.length === 0 ? undefined : hints.join(' ');
}

/** Throws `invalid_argument` for a decision that names nothing on a screen. */
function wantedOf({ decision, option, answers, input, message }: AnswerOrder): ScreenAnswer {
  if (input !== undefined) throw unfit('A dialog on the screen cannot be given another input.');
  if (decision === 'allow' || decision === 'deny') return { decision };
  if (decision === 'text' && message !== undefined) return { text: message };
  const [only, ...others] = option === undefined ? Object.values(answers ?? {}) : [option];
  if (decision === 'choose' && only !== undefined && others.length === 0) return { option: only };
  throw unfit(decision === 'text' ? 'The text is missing.' : 'One label has to be named.');
}

const unfit = (what: string): CrewError =>
  new CrewError(
    'invalid_argument',
    what,
    'Nothing was pressed. Pass decision "choose" with option, a label that attention lists; "allow" or "deny"; or "text" with message.',
  );

interface ScreenAnswered extends AfterEnter {
  /** The chosen label, as the screen shows it. */
  readonly option: string;
  readonly dialog: Dialog;
}

/**
 * Chooses a label in the dialog on the worker's screen. A lock keeps messages and other answers out, those of other
 * servers too. Throws a `CrewError` when it chose nothing: it presses Enter only after two looks in a row have shown
 * the cursor on the wanted label of the same dialog.
 */
async function answerOnScreen(
  context: CrewContext,
  record: WorkerRecord,
  answer: ScreenAnswer,
): Promise<ScreenAnswered> {
  const following = context.roster.following(record.id);
  if (following === undefined || record.pane === undefined || record.phase !== 'live') {
    throw new CrewError(
      'worker_dead',
      `${record.name} is ${record.phase}.`,
      'restart_workers brings it back with the same conversation.',
    );
  }
  const answering: Answering = {
    ...{ context, record, following, agent: context.agents.of(record) },
    ...{ pane: paneRef(record.pane), attach: context.roster.attach(record.pane) },
  };
  const lock = context.home.lockPath(`send-${record.id}`);
  return withLock(lock, () => answerInTurn(answering, answer), { me: context.me, timeoutMs: lockTimeoutMs });
}

async function answerInTurn(answering: Answering, answer: ScreenAnswer): Promise<ScreenAnswered> {
  const { context, record, following, agent, attach, pane } = answering;
  await following.drain();
  const dialog = await openDialog(answering);
  const asked = following.state.requests;
  const wanted = chosenIn(dialog, answer, {
    agent,
    attach,
    personsReason: await personsReasonOf(record, { dialog, asked, agent }),
  });
  await moveTo(answering, dialog, wanted);
  await pause(Math.max(0, Math.min(youngMs, following.state.since + youngMs - context.clock.now())));
  const ready = 'text' in answer ? await typeAt(answering, { dialog, entry: wanted, text: answer.text }) : dialog;
  const option = ready.options[wanted] ?? '';
  await confirmAt(answering, ready, wanted);
  let pressedAt = 0;
  await context.terminal.withKeyboard(pane, async (keyboard) => {
    await pause(lastKeyMs);
    await confirmAt(answering, ready, wanted);
    pressedAt = context.clock.now();
    following.apply({ from: 'us', kind: 'answers', option, at: pressedAt });
    await keyboard.deliver([{ press: 'Enter' }]);
  });
  const left = await awaitAnswered(answering, ready, pressedAt);
  await lookOnce(context, context.roster.record(record.id), following);
  return { ...left, option, dialog };
}

/** Resolves to the dialog that two looks in a row show, so that no half redraw is answered. */
async function openDialog(answering: Answering): Promise<Dialog> {
  let last: Dialog | undefined;
  const reading = await readScreenUntil(
    () => look(answering),
    ({ dialog }) => {
      const isSettled = dialog !== undefined && last !== undefined && isSameDialog(last, dialog);
      last = dialog;
      return isSettled;
    },
    firstTries,
  );
  if (reading?.dialog !== undefined) return reading.dialog;
  const { is, evidence } = answering.following.state;
  throw new CrewError(
    'already_answered',
    `No dialog stands on the screen of ${answering.record.name}; it is ${is} (${evidence.detail}).`,
    `Nothing was pressed. Somebody may have answered in the pane; look with read_worker_screen.`,
  );
}

/** Why nobody but a person may allow what the dialog asks; undefined where a manager may. */
async function personsReasonOf(
  record: WorkerRecord,
  { dialog, asked, agent }: { dialog: Dialog; asked: readonly AgentRequest[]; agent: Pick<Agent, 'actOf'> },
): Promise<string | undefined> {
  if (dialog.waitingFor !== 'permission') return undefined;
  const marked = asked.find(({ personOnly }) => personOnly === true);
  if (marked !== undefined) return marked.rule ?? `${marked.tool} is a person's to allow.`;
  const place = readPlace(launchPlace(record.launch.dir).workerDir);
  if (place === undefined) return undefined;
  const known = asked.map(({ tool, input }) => agent.actOf(tool, input, record.projectPath));
  for (const act of [...known, ...actsShown(dialog, record.projectPath)]) {
    const reason = await personsReason(act, { ...place, real: realPath });
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** The dialog may be about a request nobody knows of, so this reads each of its lines as a command, too. */
const actsShown = ({ text }: Dialog, cwd: string): readonly Act[] =>
  text
    .split('\n')
    .map((line) => line.replace(/^[\s$│]+/u, '').trim())
    // Prose is no command, and must not pass for one that cannot be read.
    .filter((line) => line !== '' && !/['’?]/.test(line.replaceAll(/'[^']*'/g, '')))
    .map((command) => ({ tool: 'Bash', cwd, command }));
