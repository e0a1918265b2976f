// Adds a server to the text of an `.mcp.json`; every other byte stays as it is.
import { z } from 'zod';
import { parseJson } from '../settings/layers.ts';

export type Insertion =
  | { readonly is: 'added'; readonly text: string }
  /** A server of that name exists already. */
  | { readonly is: 'present' }
  | { readonly is: 'refused'; readonly why: string };

const record = z.record(z.string(), z.unknown());
const shape = z.looseObject({ mcpServers: record.optional() });

/** Adds the server to the text of a file, or to a new one where there is none. */
export function withServer(text: string | undefined, name: string, entry: object): Insertion {
  const held = (text ?? '').trim() === '' ? '{}\n' : (text ?? '');
  const parsed = parseJson(held);
  if ('error' in parsed) return { is: 'refused', why: `it is not JSON (${parsed.error})` };
  const { data } = shape.safeParse(parsed.value);
  if (data === undefined) return { is: 'refused', why: 'it must hold a JSON object, and "mcpServers" another' };
  if (Object.hasOwn(data.mcpServers ?? {}, name)) return { is: 'present' };
  const at = openingOf(held, 'mcpServers');
  const added =
    at === undefined ? insert(held, held.indexOf('{') + 1, { mcpServers: { [name]: entry } }, 1) : undefined;
  return { is: 'added', text: added ?? insert(held, at ?? 0, { [name]: entry }, 2) };
}

/** The position behind the brace of a key's value in the outermost object; the last of several counts. */
export function openingOf(text: string, key: string): number | undefined {
  let depth = 0;
  let found: number | undefined;
  for (const token of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:\s*\{)?|[{}[\]]/g)) {
    const [whole, opening] = token;
    const isWanted = depth === 1 && opening !== undefined && keyOf(whole, opening) === key;
    if (isWanted) found = token.index + whole.length;
    if (opening !== undefined || whole === '{' || whole === '[') depth += 1;
    else if (whole === '}' || whole === ']') depth -= 1;
  }
  return found;
}

const keyOf = (whole: string, opening: string): unknown => JSON.parse(whole.slice(0, -opening.length));

/** Writes `members` first into the object whose brace ends before `at`, `depth` levels deep. */
export function insert(text: string, at: number, members: object, depth: number): string {
  const unit = unitOf(text);
  const [before, after] = [text.slice(0, at), text.slice(at)];
  const body = JSON.stringify(members, null, unit)
    .slice(1, -1)
    .trimEnd()
    .replaceAll('\n', `\n${unit.repeat(depth - 1)}`);
  const isEmpty = /^\s*\}/.test(after);
  const closing = `\n${unit.repeat(depth - 1)}`;
  return `${before}${body}${isEmpty ? `${closing}${after.trimStart()}` : `,${after}`}`;
}

/** What one level is indented by. */
export const unitOf = (text: string): string => /\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
