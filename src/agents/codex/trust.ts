// Where Codex remembers the folders its user trusts.
import { join } from 'node:path';
import { parseJson } from '../../model/json.ts';
import type { Agent } from '../agent.ts';
import { codexHome } from './traces.ts';

const trustLine = /^\s*trust_level\s*=\s*(?:"trusted"|'trusted')\s*(?:#.*)?$/;
const anyHeader = /^\s*\[/;
/** The form that Codex writes: a table of its own for each folder. */
const folderHeader = /^\s*\[\s*projects\s*\.\s*("(?:[^"\\]|\\.)*"|'[^']*')\s*\]\s*(?:#.*)?$/;

export const trust: NonNullable<Agent['trust']> = {
  fileFor: (env) => join(codexHome(env), 'config.toml'),
  /** A folder in no repository is never asked about; a worktree is by its main repository. */
  isTrusted: (text, { folder, isRepository }) => !isRepository || trustedFolders(text).has(folder),
};

function trustedFolders(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  let folder: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    const name = folderHeader.exec(line)?.[1];
    if (anyHeader.test(line)) folder = name === undefined ? undefined : nameIn(name);
    else if (folder !== undefined && trustLine.test(line)) found.add(folder);
  }
  return found;
}

function nameIn(quoted: string): string | undefined {
  if (quoted.startsWith("'")) return quoted.slice(1, -1);
  const read = parseJson(quoted);
  return typeof read === 'string' ? read : undefined;
}
