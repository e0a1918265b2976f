// YAML that somebody else may have written, as values and back.
import { parseDocument, stringify } from 'yaml';

export type ReadYaml = { readonly value: unknown } | { readonly error: string };

/** Never throws; aliases that would fill the memory are an error. */
export function readYaml(text: string): ReadYaml {
  try {
    const document = parseDocument(text, { logLevel: 'error', prettyErrors: false });
    const [error] = document.errors;
    return error === undefined ? { value: document.toJS({ maxAliasCount: 20 }) } : { error: firstLine(error.message) };
  } catch (thrown) {
    return { error: firstLine(String(thrown)) };
  }
}

const firstLine = (text: string): string => (text.split('\n')[0] ?? '').slice(0, 200);

/** Long texts stand in lines of their own, as they are. */
export const writeYaml = (value: unknown): string =>
  stringify(value, { lineWidth: 0, blockQuote: 'literal', aliasDuplicateObjects: false });
