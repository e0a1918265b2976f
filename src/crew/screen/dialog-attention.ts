// What somebody may do about a dialog on a worker's screen: the call that answers it, else who else does.
import type { Dialog } from '../../model/turn.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { forPersons } from './screen-choice.ts';

export interface DialogRemedy {
  /** What a person does, with the command for it. */
  readonly byPerson: string;
  /** The label that lets the worker go on, where one says so. */
  readonly allows: string | undefined;
}

/** The exact call with a label to begin with; the other labels are in `options`. Pure. */
export function answerDialogWith({ id }: WorkerRecord, dialog: Dialog | undefined, remedy: DialogRemedy): string {
  const { byPerson, allows } = remedy;
  if (dialog?.selected === undefined || dialog.ticked !== undefined) return byPerson;
  const free = dialog.options.filter((label) => forPersons(dialog, label) === undefined);
  const option = free.find((label) => label === allows) ?? free[0];
  if (option === undefined) return byPerson;
  const call = `answer_worker ${JSON.stringify({ session_id: id, decision: 'choose', option })}`;
  return `${call}${free.length > 1 ? ', or another of options' : ''}. Or: ${byPerson}`;
}
