// The YAML at the head of a Markdown file, and the text below it.
import { z } from 'zod';
import { readYaml } from '../yaml.ts';

export interface FrontMatter {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
}

const record = z.record(z.string(), z.unknown());

/** Or why a text has none that can be used. */
export function frontMatter(text: string): FrontMatter | { readonly fault: string } {
  const found = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)([\s\S]*)$/m.exec(text);
  const [, head = '', body = ''] = found ?? [];
  if (found === null || found.index !== 0)
    return { fault: 'it does not begin with front matter between two lines ---' };
  const read = readYaml(head);
  // Claude Code takes `description: Use this: when`, which YAML does not.
  const fields = 'value' in read ? read : readYaml(quotedLines(head));
  if ('error' in fields)
    return { fault: `its front matter is no YAML (${'error' in read ? read.error : fields.error})` };
  const { data } = record.safeParse(fields.value);
  return data === undefined ? { fault: 'its front matter names no fields' } : { fields: data, body: body.trim() };
}

/** Takes a plain value on one line for text, whatever it holds. */
const quotedLines = (text: string): string =>
  text.replace(/^([A-Za-z][\w-]*): +([^\s"'[{|>&*].*)$/gm, (_, key: string, value: string) => {
    return `${key}: ${JSON.stringify(value.trimEnd())}`;
  });
