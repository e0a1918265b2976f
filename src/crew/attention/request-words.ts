// What a permission is about: the title in one line of 80 characters, and the rest for the detail. Pure.
import type { Act } from '../../model/act.ts';
import { fieldsOf } from '../../model/json.ts';
import { oneLine } from '../../model/plain-text.ts';
import type { DialogAct } from '../../model/turn.ts';
import type { AgentRequest } from '../../turn/agent-request.ts';
import { questionWords } from './request-answer.ts';
import { cut } from './short-input.ts';

export interface Wanted {
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
export function titleOf(name: string, { verb, what, keeps }: Pick<Wanted, 'verb' | 'what' | 'keeps'>): string {
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

export function wantedBy({ tool, cwd, command = '', paths = [], url = '' }: Act, input: unknown): Wanted {
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

const withMore = (wanted: Wanted, whole: string): Wanted =>
  whole.trim() === wanted.what ? wanted : { ...wanted, more: whole };

const hostOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).host : undefined);

const relativeTo = (folder: string, path: string): string =>
  path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;

const dialogVerbs: Readonly<Record<DialogAct['is'], Pick<Wanted, 'verb' | 'keeps'>>> = {
  run: { verb: 'wants to run: ', keeps: 'begin' },
  write: { verb: 'wants to write ', keeps: 'end' },
  reach: { verb: 'wants to reach ', keeps: 'end' },
};

export const wantedInDialog = ({ is, what }: DialogAct, cwd: string): Wanted => ({
  ...dialogVerbs[is],
  what: oneLine(relativeTo(cwd, what)),
});

/** All of it, where the title has only a part. */
function restOf(name: string, wanted: Wanted): string | undefined {
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
  }: { readonly wanted: Wanted | undefined; readonly name: string; readonly change?: string | undefined },
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
