// The files of a project by which an agent starts programs outside of its sandbox.
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BuiltInAgent } from '../model/worker.ts';
import { type Agreements, agreedTo } from './agreements.ts';
import { type ProjectFile, readPlainFile } from './project-file.ts';

/** Hooks, MCP servers, status line, helpers, plugins and variables: crewmux does not judge which are harmless. */
const places: Readonly<Record<BuiltInAgent, readonly string[]>> = {
  claude: [
    '.claude/settings.json',
    '.mcp.json',
    ...words('agents commands skills workflows').map((a) => `.claude/${a}`),
  ],
  codex: words('config.toml hooks.json rules agents').map((name) => `.codex/${name}`),
};

/** Those that an agent takes from folders above a worktree as well. */
const above: Readonly<Record<BuiltInAgent, readonly string[]>> = { claude: ['.mcp.json'], codex: [] };

function words(text: string): readonly string[] {
  return text.split(' ');
}

/** They keep files of agents out of git. */
const ignoreList = '.gitignore';
const mostFiles = 500;

/** Those that are there, links and files that cannot be read too. Never throws. */
export function agentFilesIn(project: string, agent: BuiltInAgent): readonly ProjectFile[] {
  const paths = places[agent].flatMap((path) => pathsBelow(project, path));
  const files = paths.slice(0, mostFiles).map((path) => readPlainFile(project, path));
  const there = files.filter(({ held }) => held.is !== 'missing');
  return paths.length <= mostFiles ? there : [...there, tooMany(project, agent)];
}

/** Those of a main checkout that count in its worktrees. Never throws. */
export const agentFilesAbove = (project: string, agent: BuiltInAgent): readonly ProjectFile[] =>
  above[agent].map((path) => readPlainFile(project, path)).filter(({ held }) => held.is !== 'missing');

/** Paths of the files in a folder of a project, or of the one file. */
export function pathsBelow(project: string, path: string): readonly string[] {
  try {
    const at = join(project, path);
    if (!lstatSync(at).isDirectory()) return [path];
    const names = readdirSync(at).filter((name) => name !== ignoreList);
    return names.toSorted().flatMap((name) => pathsBelow(project, join(path, name)));
  } catch {
    // What cannot be looked at is told by the reading of it.
    return [path];
  }
}

function tooMany(project: string, agent: BuiltInAgent): ProjectFile {
  const message = `${project} has more than ${mostFiles} files for ${agent}; nobody can agree to them.`;
  return { file: project, held: { is: 'refused', message } };
}

/** Those to which nobody has agreed as they are. Pure. */
export const waitingFiles = (files: readonly ProjectFile[], agreements: Agreements): readonly ProjectFile[] =>
  files.filter((file) => agreedTo(agreements, file) !== 'agreed');

const mostNames = 3;

/** Names of files, from the project, for a sentence. Pure. */
export function namesOf(files: readonly ProjectFile[], project: string): string {
  const names = [
    ...new Set(files.map(({ file }) => (file.startsWith(`${project}/`) ? file.slice(project.length + 1) : file))),
  ];
  const more = names.length - mostNames;
  return [...names.slice(0, mostNames).map(plain), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** The repository's own words: what a terminal might obey stands there in quotes. */
const plain = (name: string): string => (/^[\w./@+ -]{1,80}$/.test(name) ? name : JSON.stringify(name.slice(0, 80)));
