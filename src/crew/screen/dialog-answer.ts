// A manager's decision about a dialog that only the agent's own screen shows.
import { CrewError } from '../../model/errors.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { AnswerResult } from '../../wire/attention.ts';
import type { AnswerOrder } from '../orders.ts';
import type { CrewContext } from '../workers/roster.ts';
import { answerOnScreen, type ScreenAnswered } from './screen-answer.ts';
import type { ScreenAnswer } from './screen-choice.ts';

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
    ...(hint === undefined ? {} : { hint }),
  };
}

function hintOf(
  { answered, dialog, next }: ScreenAnswered,
  { order, attach }: { readonly order: AnswerOrder; readonly attach: string },
): string | undefined {
  if (!answered) return `Enter was pressed, and the dialog "${dialog.title}" still stands. Look with: ${attach}`;
  const unread = order.decision === 'deny' && order.message !== undefined;
  const told = unread ? ['A dialog takes no message: send it with message_workers.'] : [];
  const followed = next === undefined ? [] : [`Another dialog stands there now: "${next.title}". See crew_status.`];
  const hints = [...told, ...followed];
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
