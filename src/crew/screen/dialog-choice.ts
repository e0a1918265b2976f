// Which choice of a dialog an answer names, whether crewmux may choose it, and whether two readings show one dialog. Pure.
import type { Agent, DialogDecision } from '../../agents/agent.ts';
import { CrewError } from '../../model/errors.ts';
import type { Dialog } from '../../model/turn.ts';
import type { WorkerRecord } from '../../model/worker.ts';

export type ScreenAnswer =
  | { readonly option: string }
  | { readonly decision: 'allow' | 'deny' }
  /** Goes into the entry for a free text. */
  | { readonly text: string };

interface Choosing {
  readonly agent: Pick<Agent, 'choiceFor'>;
  readonly attach: string;
  /** Why only a person may allow it; then a manager may choose nothing but the label that denies. */
  readonly personsReason: string | undefined;
}

/** The index of the choice that the answer names. Throws where it names none, or one that only a person may choose. */
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
  const person = personOnlyReason(dialog, label) ?? (isDenial ? undefined : by.personsReason);
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

/** Why only a person may choose the label: it logs somebody in, installs something, or waives every permission. */
export function personOnlyReason(dialog: Dialog, label: string): string | undefined {
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

/** Whether the user is to say so before it is allowed. */
export const isForUser = ({ waitingFor, about }: Dialog): boolean => waitingFor === 'trust' || about?.is === 'reach';

/** The calls that answer a dialog, each complete: to allow and to deny, or one a label; none where only a person can. Pure. */
export function dialogCalls(
  { id }: Pick<WorkerRecord, 'id'>,
  dialog: Dialog | undefined,
  choiceFor: Agent['choiceFor'],
): readonly string[] {
  if (dialog?.selected === undefined || dialog.ticked !== undefined) return [];
  return labelsOffered(dialog, choiceFor).map(
    (option) => `answer_worker ${JSON.stringify({ session_id: id, decision: 'choose', option })}`,
  );
}

function labelsOffered(dialog: Dialog, choiceFor: Agent['choiceFor']): readonly string[] {
  const free = dialog.options.filter((label) => personOnlyReason(dialog, label) === undefined);
  const [allow, deny] = [choiceFor(dialog, 'allow'), choiceFor(dialog, 'deny')];
  const pair = (isForUser(dialog) ? [deny, allow] : [allow, deny]).flatMap((label) => label ?? []);
  if (pair.length === 2 && pair.every((label) => free.includes(label))) return pair;
  const text = choiceFor(dialog, 'text');
  return free.filter((label) => label !== text);
}

type Choice = { readonly found: number } | { readonly found: 'none' | 'several'; readonly labels: readonly string[] };

const plain = (label: string): string => label.normalize('NFC').replace(/\s+/gu, ' ').trim();
const loose = (label: string): string => plain(label).toLowerCase();

/** Compares whole labels, then whole labels without their case, then how they begin; several alike are ambiguous. */
export function findChoice(options: readonly string[], wanted: string): Choice {
  if (plain(wanted) === '') return { found: 'none', labels: options };
  const fits: readonly ((label: string) => boolean)[] = [
    (label) => plain(label) === plain(wanted),
    (label) => loose(label) === loose(wanted),
    (label) => loose(label).startsWith(loose(wanted)),
  ];
  for (const isMeant of fits) {
    const found = options.flatMap((label, i) => (isMeant(label) ? [i] : []));
    const [only, ...others] = found;
    if (only === undefined) continue;
    if (others.length === 0) return { found: only };
    return { found: 'several', labels: found.flatMap((i) => options[i] ?? []) };
  }
  return { found: 'none', labels: options };
}

/** Cursor, ticks and the hint on keys below the choices may change; title, words and choices may not. */
export function isSameDialog(a: Dialog, b: Dialog): boolean {
  const isEqual = a.waitingFor === b.waitingFor && a.title === b.title && isSameList(a.options, b.options);
  return isEqual && wordsOf(a) === wordsOf(b);
}

const isSameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((label, i) => label === b[i]);

/** Compares title and choices; blanks do not count. */
export const hasLabels = (dialog: Dialog, title: string, labels: readonly string[]): boolean =>
  dialog.title === title && isSameList(dialog.options.map(plain), labels.map(plain));

const cursors = /^\s*[❯›>]|\[[ ✔✓xX]\]|\s/gmu;

function wordsOf({ text, options }: Dialog): string {
  const words = text.replace(cursors, '');
  const last = options.at(-1)?.replace(cursors, '') ?? '';
  const end = words.lastIndexOf(last);
  return last === '' || end < 0 ? words : words.slice(0, end);
}
