// The working folder: its repository, its branch, and whether it is trusted.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fieldsIn, fieldsOf } from '../../model/json.ts';

export interface Place {
  /** The main repository's root, also from inside one of its worktrees; the folder itself where there is none. */
  readonly root: string;
  readonly branch: string;
}

export function placeOf(cwd: string): Place {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const git = join(folder, '.git');
    if (existsSync(git)) return inRepository(folder, git);
    if (folder === dirname(folder)) return { root: cwd, branch: 'HEAD' };
  }
}

function inRepository(folder: string, git: string): Place {
  const pointed = readFileIfFile(git);
  const gitDir = pointed === undefined ? git : resolve(folder, pointed.replace(/^gitdir:\s*/, '').trim());
  const head = readFileIfFile(join(gitDir, 'HEAD')) ?? '';
  const root = pointed === undefined ? folder : dirname(gitDir.replace(/\/worktrees\/[^/]+$/, ''));
  return { root, branch: /^ref: refs\/heads\/(.*)$/m.exec(head)?.[1] ?? 'HEAD' };
}

function readFileIfFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

const settingsPath = (configDir: string): string => join(configDir, '.claude.json');

export function isTrusted(configDir: string, folders: readonly string[]): boolean {
  const projects = fieldsOf(fieldsIn(readFileIfFile(settingsPath(configDir)) ?? '').projects);
  return folders.some((folder) => fieldsOf(projects[folder]).hasTrustDialogAccepted === true);
}

export function trust(configDir: string, folder: string): void {
  const settings = fieldsIn(readFileIfFile(settingsPath(configDir)) ?? '');
  const projects = fieldsOf(settings.projects);
  const project = { ...fieldsOf(projects[folder]), hasTrustDialogAccepted: true };
  mkdirSync(configDir, { recursive: true, mode: 0o700 });
  const text = JSON.stringify({ ...settings, projects: { ...projects, [folder]: project } }, null, 2);
  writeFileSync(settingsPath(configDir), text, { mode: 0o600 });
}
