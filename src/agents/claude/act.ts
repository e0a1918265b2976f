// What a tool call of Claude's does, in words the rules know.
import type { Act } from '../../model/act.ts';
import { type Fields, fieldsOf, listOf, wordOf } from '../../model/json.ts';

/** Where each tool says which file it is about. */
const pathFields: Readonly<Record<string, string>> = {
  Edit: 'file_path',
  Write: 'file_path',
  MultiEdit: 'file_path',
  NotebookEdit: 'notebook_path',
  NotebookRead: 'notebook_path',
  Read: 'file_path',
  LS: 'path',
};

export function actOf(tool: string, input: unknown, cwd: string): Act {
  const fields = fieldsOf(input);
  if (tool === 'Bash') return { tool, cwd, command: wordOf(fields.command) ?? '' };
  const field = Object.hasOwn(pathFields, tool) ? pathFields[tool] : undefined;
  if (field !== undefined) return { tool, cwd, paths: [wordOf(fields[field]) ?? ''].filter((path) => path !== '') };
  if (tool === 'Glob' || tool === 'Grep') return { tool, cwd, paths: searched(tool, fields, cwd) };
  if (tool === 'WebFetch') return { tool, cwd, url: wordOf(fields.url) ?? '' };
  return { tool, cwd };
}

/** The folder searched, and where a pattern leads out of it. */
function searched(tool: string, fields: Fields, cwd: string): readonly string[] {
  const folder = wordOf(fields.path) ?? cwd;
  const pattern = wordOf(tool === 'Glob' ? fields.pattern : fields.glob) ?? '';
  const fixed = pattern.replace(/[^/]*[*?[{][\s\S]*$/, '');
  if (/^[/~]/.test(pattern)) return [folder, fixed === '' ? '/' : fixed];
  return pattern.includes('..') ? [folder, `${folder}/${pattern}`] : [folder];
}

/** The lines that a file tool takes away and adds; undefined for every other tool. */
export function changeOf(tool: string, input: unknown): string | undefined {
  const { content, new_source, edits, ...fields } = fieldsOf(input);
  if (tool === 'Write') return marked('+', content);
  if (tool === 'NotebookEdit') return marked('+', new_source);
  if (tool === 'Edit') return edited(fields);
  return tool === 'MultiEdit' ? listOf(edits).map(fieldsOf).map(edited).join('\n') : undefined;
}

const edited = ({ old_string, new_string }: Fields): string =>
  [marked('-', old_string), marked('+', new_string)].filter((part) => part !== '').join('\n');

function marked(mark: '-' | '+', text: unknown): string {
  const lines = (wordOf(text) ?? '').replace(/\n$/, '');
  return lines === '' ? '' : lines.replace(/^/gm, `${mark} `);
}

/** The file as the tool would leave it; undefined where its edits do not fit, and for every other tool. */
export function afterOf(tool: string, input: unknown, before: string): string | undefined {
  const fields = fieldsOf(input);
  if (tool === 'Write') return wordOf(fields.content);
  const edits = tool === 'Edit' ? [fields] : tool === 'MultiEdit' ? listOf(fields.edits).map(fieldsOf) : [];
  const after = edits.reduce<string | undefined>((text, edit) => text && editedText(text, edit), before);
  return after === before ? undefined : after;
}

function editedText(text: string, { old_string, new_string, replace_all: isEvery }: Fields): string | undefined {
  const [old = '', now = ''] = [wordOf(old_string), wordOf(new_string)];
  if (old === '' || !text.includes(old)) return undefined;
  return isEvery === true ? text.replaceAll(old, () => now) : text.replace(old, () => now);
}

export const planOf = (input: unknown): string | undefined => wordOf(fieldsOf(input).plan);
