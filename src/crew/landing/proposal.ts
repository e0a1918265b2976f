// What a pull request says: its title, and a text of the worker's own words, its commits and the project's template.
import { harmless } from '../../model/attributed-note.ts';
import type { Report } from '../../wire/desk.ts';

export interface Proposal {
  readonly name: string;
  readonly branch: string;
  readonly annotation?: string | undefined;
  /** Subjects of the commits, oldest first. */
  readonly subjects: readonly string[];
  readonly report?: Partial<Report> | undefined;
  readonly template?: string | undefined;
}

const longestTitle = 200;
// The most that GitHub takes is 65,536.
const longestBody = 60_000;
const longestPart = 8_000;
const mostSubjects = 50;

/** Its only commit's subject, or its label. */
export function proposedTitle({ name, branch, annotation, subjects }: Proposal): string {
  const only = subjects.length === 1 ? subjects[0] : undefined;
  const title = oneLine(only ?? annotation ?? '');
  return cut(title === '' ? `Work of ${name} (${branch})` : title, longestTitle);
}

export function proposedBody({ name, subjects, report, template }: Proposal): string {
  const told = report === undefined ? '' : reported(name, report);
  const text = [told, committed(subjects)].filter((part) => part !== '').join('\n\n');
  return cut(template === undefined ? text : filledTemplate(template, text), longestBody).trimEnd();
}

const parts = [
  ['what_done', 'Done'],
  ['what_tested', 'Tested'],
  ['what_untested', 'Not tested'],
  ['what_open', 'Open'],
  ['errors_encountered', 'Trouble on the way'],
  ['next_steps', 'Next'],
] as const;

/** A quotation: nothing in it can swallow what follows, or call on somebody. */
function reported(name: string, report: Partial<Report>): string {
  const said = parts.flatMap(([key, title]) => {
    const words = cut(harmless(report[key] ?? ''), longestPart);
    return words === '' ? [] : [`**${title}**\n\n${words}`];
  });
  if (said.length === 0) return '';
  const quoted = calm(said.join('\n\n'))
    .split('\n')
    .map((line) => `> ${line}`.trimEnd());
  return [`${name} reports:`, '', ...quoted].join('\n');
}

function committed(subjects: readonly string[]): string {
  if (subjects.length === 0) return '';
  const listed = subjects.slice(0, mostSubjects).map((subject) => `- ${calm(oneLine(harmless(subject)))}`);
  const more = subjects.length > mostSubjects ? [`- and ${subjects.length - mostSubjects} more`] : [];
  return ['Commits:', '', ...listed, ...more].join('\n');
}

/** Under the first heading that asks what it is about, else before all of it. */
export function filledTemplate(template: string, text: string): string {
  const lines = template.split('\n');
  const heading = lines.findIndex((line) =>
    /^#{1,6}\s.*\b(description|summary|what|changes?|overview|about)\b/i.test(line),
  );
  if (heading === -1) return `${text}\n\n${template}`;
  return [...lines.slice(0, heading + 1), '', text, '', ...lines.slice(heading + 1)].join('\n');
}

/** A name after an at sign would call somebody; the mark between them is not seen. */
const calm = (text: string): string =>
  text.replace(/(?<![\w`/.])@(?=[a-z\d])/gi, '@\u200b').replaceAll('<!--', '&lt;!--');

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
