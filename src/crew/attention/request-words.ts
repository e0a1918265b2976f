// What a request or a dialog is about: its title in one line of 80 characters, and the rest, cut, for the detail. Pure.
import type { Act } from '../../model/act.ts';
import { fieldsOf } from '../../model/json.ts';
import { oneLine } from '../../model/plain-text.ts';
import type { Dialog, DialogAct } from '../../model/turn.ts';
import type { AgentRequest } from '../../turn/agent-request.ts';
import { questionWords } from './request-answer.ts';

export interface RequestedAct {
  readonly verb: string;
  /** In one line. */
  readonly what: string;
  /** Of a path or a host, the end tells the most. */
  readonly keeps: 'begin' | 'end';
  /** What the title leaves out of it even where it is not cut. */
  readonly more?: string;
}

const longestTitle = 80;

/** The name stays whole, and what follows it is cut. */
export function titleOf(name: string, { verb, what, keeps }: Pick<RequestedAct, 'verb' | 'what' | 'keeps'>): string {
  const room = Math.max(0, longestTitle - lengthOf(name) - 1);
  const forWhat = room - lengthOf(verb);
  const words = keeps === 'end' && forWhat > 1 ? verb + end(what, forWhat) : begin(verb + what, room);
  return `${name} ${words}`;
}

const lengthOf = (text: string): number => [...text].length;

function begin(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, Math.max(0, most - 1)).join('')}…`;
}

function end(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : `…${characters.slice(1 - most).join('')}`;
}

const pathVerbs: Readonly<Record<string, string>> = {
  Write: 'wants to write ',
  Edit: 'wants to write ',
  MultiEdit: 'wants to write ',
  NotebookEdit: 'wants to write ',
  Glob: 'wants to search ',
  Grep: 'wants to search ',
};

export function wantedBy({ tool, cwd, command = '', paths = [], url = '' }: Act, input: unknown): RequestedAct {
  if (command.trim() !== '')
    return withMore({ verb: 'wants to run: ', what: oneLine(command), keeps: 'begin' }, command);
  if (url !== '') return withMore({ verb: 'wants to reach ', what: oneLine(hostOf(url) ?? url), keeps: 'end' }, url);
  const [first, ...others] = paths;
  if (first !== undefined) {
    const verb = Object.hasOwn(pathVerbs, tool) ? (pathVerbs[tool] ?? '') : 'wants to read ';
    const beside = others.length === 0 ? '' : ` and ${others.length} more`;
    const what = `${oneLine(relativeTo(cwd, first))}${beside}`;
    return withMore({ verb, what, keeps: 'end' }, paths.map((path) => relativeTo(cwd, path)).join('\n'));
  }
  if (Object.keys(fieldsOf(input)).length === 0) return { verb: 'wants to use ', what: oneLine(tool), keeps: 'begin' };
  const json = JSON.stringify(input);
  return withMore({ verb: `wants to use ${oneLine(tool)}: `, what: oneLine(json), keeps: 'begin' }, json);
}

const withMore = (wanted: RequestedAct, whole: string): RequestedAct =>
  whole.trim() === wanted.what ? wanted : { ...wanted, more: whole };

const hostOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).host : undefined);

const relativeTo = (folder: string, path: string): string =>
  path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;

const dialogVerbs: Readonly<Record<DialogAct['is'], Pick<RequestedAct, 'verb' | 'keeps'>>> = {
  run: { verb: 'wants to run: ', keeps: 'begin' },
  write: { verb: 'wants to write ', keeps: 'end' },
  reach: { verb: 'wants to reach ', keeps: 'end' },
};

export const wantedInDialog = ({ is, what }: DialogAct, cwd: string): RequestedAct => ({
  ...dialogVerbs[is],
  what: oneLine(relativeTo(cwd, what)),
});

/** All of it, where the title has only a part. */
function restOf(name: string, wanted: RequestedAct): string | undefined {
  const isCut = !titleOf(name, wanted).endsWith(`${wanted.verb}${wanted.what}`);
  return wanted.more ?? (isCut ? wanted.what : undefined);
}

/** Of the request alone, so that it stays the same for as long as that is open. */
export function detailOf(
  request: AgentRequest,
  {
    wanted,
    name,
    change,
  }: { readonly wanted: RequestedAct | undefined; readonly name: string; readonly change?: string | undefined },
): string {
  const words = questionWords(request);
  if (words !== undefined) return words;
  const { rule, personOnly, tool } = request;
  const rest = [wanted && restOf(name, wanted), change].flatMap((part) => (part ? [cut(part)] : []));
  const lines = [
    ...rest,
    ...(rule === undefined ? [] : [rule]),
    ...(personOnly && rule === undefined ? ['Only a person may allow it.'] : []),
  ];
  if (lines.length > 0) return lines.join('\n');
  // Its hook has no word of the plan.
  return request.waitingFor === 'plan_approval'
    ? 'wants to leave plan mode; the plan stands in its pane and in its log'
    : `asks for ${tool}`;
}

const marks = /^[\s❯›>]*(?:\d+\.\s+)?(?:\[[ ✔✓xX]\]\s+)?/u;
/** The key of a choice, behind its label. */
const key = /\s*(?:✔|\((?:\w|esc)\))$/u;
const keys = /^\s*(?:press )?(?:enter|esc|space|tab)\b.*(?: to |·|\|)/i;

export function dialogWords({ title, text, options }: Dialog): string {
  const choices = new Set(options.map((label) => label.replace(key, '')));
  const isChoice = (line: string) => marks.exec(line)?.[0] !== '' && choices.has(bare(line));
  const seen = new Set<string>();
  const kept = [title, ...text.split('\n')].filter((line) => {
    const words = line.trim();
    if (words === '') return true;
    if (isChoice(line) || choices.has(words) || keys.test(line) || seen.has(words)) return false;
    seen.add(words);
    return true;
  });
  return kept
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

const bare = (line: string): string => line.replace(marks, '').replace(key, '').trim();

const longestText = 1_500;
const mostItems = 20;
const deepest = 4;

/** The same input with its long texts and lists cut. */
export function shortInput(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return cut(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= deepest) return '…';
  if (Array.isArray(value)) return value.slice(0, mostItems).map((item) => shortInput(item, depth + 1));
  const entries = Object.entries(value).slice(0, mostItems);
  return Object.fromEntries(entries.map(([name, held]) => [name, shortInput(held, depth + 1)]));
}

/** The beginning of a long text, with its length. */
export function cut(text: string): string {
  if (text.length <= longestText) return text;
  const kept = text.slice(0, longestText).replace(/[\uD800-\uDBFF]$/, '');
  return `${kept}… [${text.length} characters in all]`;
}
