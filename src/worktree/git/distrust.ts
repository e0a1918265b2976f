// Keeps git from running what a repository or a worktree names: every such setting is overruled by one of ours, or by
// the user's own.
import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { GitFolders } from './git-link.ts';

/** One value of git's configuration, as `listArgs` have it printed. */
export interface Setting {
  /** `system`, `global`, `local`, `worktree` or `command`. */
  readonly scope: string;
  /** `file:<path>`, relative to where git ran, or something without a file. */
  readonly origin: string;
  /** As git writes it: lower case but for the part in the middle. */
  readonly key: string;
  readonly value: string;
}

type Overrule = readonly [key: string, value: string];

export const listArgs = ['config', '--list', '-z', '--includes', '--show-scope', '--show-origin'] as const;

/** Throws on a listing that is not whole. */
export function decodeSettings(listing: string): readonly Setting[] {
  const parts = listing.split('\0').slice(0, -1);
  if (parts.length % 3 !== 0) throw new Error('git config --list printed half a setting.');
  return Array.from({ length: parts.length / 3 }, (_, at) => {
    const [scope = '', origin = '', text = ''] = parts.slice(at * 3, at * 3 + 3);
    const end = text.includes('\n') ? text.indexOf('\n') : text.length;
    return { scope, origin, key: text.slice(0, end), value: text.slice(end + 1) };
  });
}

/** Whatever the repository says. */
const always: readonly Overrule[] = [
  ['core.fsmonitor', 'false'],
  ['core.askPass', ''],
  ['core.alternateRefsCommand', 'true'],
  ['commit.gpgSign', 'false'],
  ['tag.gpgSign', 'false'],
  ['push.gpgSign', 'false'],
  ['log.showSignature', 'false'],
  ['merge.verifySignatures', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['submodule.recurse', 'false'],
  ['push.recurseSubmodules', 'no'],
];

/** Programs that a repository may name under a name of its choice, and what stands for each. */
const named: readonly (readonly [key: RegExp, instead: string])[] = [
  [/^filter\..+\.(clean|smudge|process)$/, ''],
  [/^filter\..+\.required$/, 'false'],
  // An empty driver would take any merge for a good one.
  [/^merge\..+\.driver$/, 'git merge-file -q --marker-size=%L %A %O %B'],
  [/^diff\..+\.(command|textconv)$/, 'false'],
  [/^diff\.external$/, 'false'],
  [/^remote\..+\.vcs$/, ''],
  [/^lfs\.(customtransfer\..+\.path|extension\..+\.(clean|smudge))$/, 'false'],
  [/^lfs\.standalonetransferagent$/, ''],
];

const isOwn = ({ scope }: Setting) => scope === 'local' || scope === 'worktree';
const isUsers = ({ scope }: Setting) => scope === 'system' || scope === 'global';
const asksForSecrets = ({ key }: Setting) => /^credential\.(.+\.)?helper$/.test(key);

/** What is laid over the configuration. Pure. A setting of the user's own stands, as that of Git LFS. */
export function overrules(settings: readonly Setting[], hooks: string): readonly Overrule[] {
  const users = settings.filter(isUsers);
  const usersValue = (key: string) => users.findLast((one) => one.key === key)?.value;
  const own = settings.filter(isOwn).flatMap(({ key }): readonly Overrule[] => {
    const instead = named.find(([pattern]) => pattern.test(key))?.[1];
    return instead === undefined ? [] : [[key, usersValue(key) ?? instead]];
  });
  return [
    ['core.hooksPath', hooks],
    ['core.sshCommand', usersValue('core.sshcommand') ?? 'ssh'],
    ...always,
    ...own,
    // An empty one lets go of all before it.
    ['credential.helper', ''],
    ...users.filter(asksForSecrets).map(({ key, value }): Overrule => [key, value]),
  ];
}

/** The program at the other end of a remote: the user's own, or git's. Pure. */
export const packProgram = (settings: readonly Setting[], key: string): string =>
  settings.find((one) => isUsers(one) && one.key === key)?.value ??
  (key.endsWith('.receivepack') ? 'git-receive-pack' : 'git-upload-pack');

/** The same as the environment that carries it, also to what git starts in its turn. */
export function overruling(settings: readonly Setting[], hooks: string): Readonly<Record<string, string>> {
  const all = overrules(settings, hooks);
  return {
    GIT_CONFIG_COUNT: String(all.length),
    ...Object.fromEntries(
      all.flatMap(([key, value], at) => [
        [`GIT_CONFIG_KEY_${at}`, key],
        [`GIT_CONFIG_VALUE_${at}`, value],
      ]),
    ),
    GIT_EDITOR: ':',
    GIT_SEQUENCE_EDITOR: ':',
    GIT_PROXY_COMMAND: '',
    // A transport of another name is a program; a helper could be any.
    GIT_ALLOW_PROTOCOL: 'file:git:http:https:ssh',
    // What is read is what lands, and not what somebody has put in its place.
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_GRAFT_FILE: '/dev/null',
  };
}

interface Read {
  readonly settings: readonly Setting[];
  /** All that they were read from, and what would be read if it were there. */
  readonly files: readonly string[];
  readonly stamp: string;
}

/** Remembers what a repository is configured to, as long as none of the files has changed. */
export class SettingsRead {
  readonly #read = new Map<string, Read>();

  /** `list` has git list it all where `path` lies. */
  async of(
    { gitDir, commonDir }: GitFolders,
    { path, asked, list }: { readonly path: string; readonly asked: string; readonly list: () => Promise<string> },
  ): Promise<readonly Setting[]> {
    const own = [join(commonDir, 'config'), join(gitDir, 'config.worktree')];
    const key = JSON.stringify([commonDir, existsSync(own[1] ?? '') ? gitDir : '', asked]);
    const known = this.#read.get(key);
    if (known !== undefined && known.stamp === stampOf(known.files)) return known.settings;
    const before = stampOf(own);
    const settings = decodeSettings(await list());
    const origins = settings.flatMap(({ origin }) =>
      origin.startsWith('file:') ? resolve(path, origin.slice(5)) : [],
    );
    const files = [...new Set([...own, ...origins])];
    // What another file is to say may come later, at a place that nobody looks at.
    const includes = settings.some((one) => isOwn(one) && /^include(if)?\./.test(one.key));
    if (includes || before !== stampOf(own)) this.#read.delete(key);
    else this.#read.set(key, { settings, files, stamp: stampOf(files) });
    return settings;
  }
}

function stampOf(files: readonly string[]): string {
  return files
    .map((file) => {
      try {
        const { ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
        return [ino, size, mtimeNs, ctimeNs].join(' ');
      } catch {
        return 'none';
      }
    })
    .join('\n');
}
