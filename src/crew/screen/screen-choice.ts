// Which label of an open dialog an answer means, or why none is chosen. Pure.
import type { Agent, DialogDecision } from '../../agents/agent.ts';
import { CrewError } from '../../model/errors.ts';
import type { Dialog } from '../../model/turn.ts';
import { findChoice } from './choice.ts';

export type ScreenAnswer =
  | { readonly option: string }
  | { readonly decision: 'allow' | 'deny' }
  /** Typed where the dialog takes a text of one's own. */
  | { readonly text: string };

export interface Choosing {
  readonly agent: Pick<Agent, 'choiceFor'>;
  readonly attach: string;
  /** Why only a person may allow what is asked; then nothing but the label that denies may be chosen. */
  readonly personsReason: string | undefined;
}

/** Where the cursor has to go. Throws for what names no choice, or one that is a person's alone. */
export function chosenIn(dialog: Dialog, answer: ScreenAnswer, by: Choosing): number {
  if (dialog.ticked !== undefined) {
    throw new CrewError(
      'needs_person',
      `"${dialog.title}" takes several ticks, which are not set from here.`,
      `Nothing was pressed. A person does it in the pane: ${by.attach}`,
    );
  }
  const wanted = labelMeant(dialog, answer, by);
  const choice = findChoice(dialog.options, wanted);
  if (choice.found === 'none') {
    throw unfit(`The dialog "${dialog.title}" has no choice "${wanted}".${labelsOf(dialog)}`, 'one of these labels');
  }
  if (choice.found === 'several') {
    throw unfit(`"${wanted}" fits several choices of "${dialog.title}": ${quoted(choice.labels)}.`, 'the whole label');
  }
  const label = dialog.options[choice.found] ?? '';
  if (!('text' in answer) && label === by.agent.choiceFor(dialog, 'text')) {
    throw new CrewError(
      'invalid_argument',
      `"${label}" is where a text is typed.`,
      'Nothing was pressed. Pass decision "text" with the answer as message.',
    );
  }
  const isDenial = label === by.agent.choiceFor(dialog, 'deny');
  const person = forPersons(dialog, label) ?? (isDenial ? undefined : by.personsReason);
  if (person === undefined) return choice.found;
  throw new CrewError('needs_person', person, `Nothing was pressed. A person does it in the pane: ${by.attach}`);
}

const unfit = (what: string, pass: string): CrewError =>
  new CrewError('invalid_argument', what, `Nothing was pressed. Pass ${pass} as option.`);

const longestText = 200;

function labelMeant(dialog: Dialog, answer: ScreenAnswer, by: Choosing): string {
  if ('option' in answer) return answer.option;
  if ('decision' in answer) return labelFor(dialog, answer.decision, by);
  if (answer.text.length > longestText || /[\p{Cc}]/u.test(answer.text)) {
    throw new CrewError(
      'invalid_argument',
      `A text typed into a dialog is one line of at most ${longestText} characters; this one has ${answer.text.length}.`,
      'Nothing was typed. Choose a label, or answer in short and send the rest with message_workers afterwards.',
    );
  }
  return labelFor(dialog, 'text', by);
}

const meanings: Readonly<Record<DialogDecision, string>> = {
  allow: 'means allow',
  deny: 'means deny',
  text: 'takes a text',
};

function labelFor(dialog: Dialog, decision: DialogDecision, by: Pick<Choosing, 'agent'>): string {
  const label = by.agent.choiceFor(dialog, decision);
  if (label !== undefined) return label;
  throw new CrewError(
    'invalid_argument',
    `No single choice of "${dialog.title}" ${meanings[decision]}.${labelsOf(dialog)}`,
    'Nothing was pressed. Choose by the label: decision "choose" with option.',
  );
}

/** What only a person may choose: who is logged in, what is installed on the machine, and to answer for everything. */
export function forPersons(dialog: Dialog, label: string): string | undefined {
  if (dialog.waitingFor === 'login') return `"${dialog.title}" is about a person's login.`;
  if (dialog.waitingFor === 'update' && !/\b(?:skip|later|not now|no)\b/i.test(label))
    return `"${label}" would install another version of the agent for everybody on this machine.`;
  if (/\bBypass Permissions mode\b/i.test(dialog.title) && /^yes\b/i.test(label))
    return `"${label}" would accept the responsibility for whatever the agent does unasked.`;
  return undefined;
}

const quoted = (labels: readonly string[]): string => labels.map((label) => `"${label}"`).join(', ');

const labelsOf = ({ options }: Dialog): string =>
  options.length === 0 ? ' It shows no choices that can be read.' : ` Its choices: ${quoted(options)}.`;
