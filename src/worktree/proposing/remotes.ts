// Where a branch is pushed to, and which repository of GitHub that is.

import { CrewError } from '../../model/errors.ts';
import { run } from '../../system/exec.ts';
import { repoPlace } from '../git/branch.ts';
import type { Repo } from '../git/inspect.ts';
import { nulEnded } from '../git/porcelain.ts';
import { readGit, tryReadGit } from '../git/repo.ts';

/** As git configuration has it; names are in lower case but for what stands between the first and the last dot. */
export type Config = ReadonlyMap<string, string>;

export async function remoteConfig(repo: Repo): Promise<Config> {
  const result = await tryReadGit(repoPlace(repo), ['config', '-z', '--get-regexp', '^(remote|branch)\\.']);
  const entries = nulEnded(result.stdout);
  return new Map(
    entries.map((entry) => {
      const end = entry.indexOf('\n');
      return end === -1 ? [entry, 'true'] : [entry.slice(0, end), entry.slice(end + 1)];
    }),
  );
}

/** As git chooses it for a push. Rejects with `invalid_argument` where the one asked for is not there; undefined where none is. */
export async function chooseRemote(
  repo: Repo,
  config: Config,
  { asked, branch }: { readonly asked: string | undefined; readonly branch: string },
): Promise<string | undefined> {
  const names = (await readGit(repoPlace(repo), ['remote'])).split('\n').filter((name) => name !== '');
  if (asked !== undefined && !names.includes(asked)) {
    throw new CrewError(
      'invalid_argument',
      `${repo.mainRepoPath} has no remote ${JSON.stringify(asked)}.`,
      names.length === 0 ? 'Add one with git remote add.' : `Pass one of its remotes: ${names.join(', ')}.`,
    );
  }
  const [only, ...others] = names;
  const wishes = [
    asked,
    config.get(`branch.${branch}.pushremote`),
    config.get('remote.pushdefault'),
    config.get(`branch.${branch}.remote`),
    'origin',
    others.length === 0 ? only : undefined,
  ];
  return wishes.find((name) => name !== undefined && names.includes(name));
}

/** What a branch is called on the remote that it follows; its own name on any other. Pure. */
export function nameThere(config: Config, { remote, branch }: { remote: string; branch: string }): string {
  const upstream = config.get(`branch.${branch}.merge`)?.replace(/^refs\/heads\//, '');
  return config.get(`branch.${branch}.remote`) === remote && upstream !== undefined ? upstream : branch;
}

export interface HostedRepo {
  readonly host: string;
  readonly owner: string;
  readonly name: string;
}

/** As `gh` takes it. */
export const slugOf = ({ host, owner, name }: HostedRepo): string =>
  host === 'github.com' ? `${owner}/${name}` : `${host}/${owner}/${name}`;

/** Undefined for a path on disk, and for an address that is not `<host>/<owner>/<name>`. Pure. */
export function hostedRepo(url: string): HostedRepo | undefined {
  const [, web] = /^(?:https?|ssh|git|git\+ssh):\/\/(.+)$/i.exec(url) ?? [];
  const [, scpHost, scpPath] = web === undefined ? (/^([^/:]+):(?!\/\/)(.+)$/.exec(url) ?? []) : [];
  const address = web ?? (scpHost === undefined ? undefined : `${scpHost}/${scpPath}`);
  const [, authority = '', owner = '', name = ''] =
    /^([^/]+)\/+([^/]+)\/([^/]+?)(?:\.git)?\/?$/.exec(address ?? '') ?? [];
  const host = authority.replace(/^.*@/, '').replace(/:\d+$/, '').toLowerCase();
  if (!/^[a-z\d][a-z\d.-]*$/.test(host) || ![owner, name].every((word) => /^[\w.-]+$/.test(word))) return undefined;
  return { host: sameHost.get(host) ?? host, owner, name };
}

const sameHost = new Map([
  ['www.github.com', 'github.com'],
  ['ssh.github.com', 'github.com'],
]);

/** The repository a remote is a name for, by its address as git uses it, or as it is written. */
export async function repoOf(repo: Repo, config: Config, remote: string): Promise<HostedRepo | undefined> {
  const used = (await readGit(repoPlace(repo), ['remote', 'get-url', '--', remote])).trim();
  const found = hostedRepo(used) ?? hostedRepo(config.get(`remote.${remote}.url`) ?? '');
  return found === undefined || found.host.includes('.') ? found : { ...found, host: await realHost(repo, found.host) };
}

const sshTimeoutMs = 5_000;

/** A word of the user's ssh configuration may stand for a host. Connects to nothing. */
async function realHost(repo: Repo, alias: string): Promise<string> {
  const result = await run('ssh', ['-G', alias], { env: repo.env, timeoutMs: sshTimeoutMs });
  const name = /^hostname (\S+)$/m.exec(result.stdout)?.[1]?.toLowerCase() ?? alias;
  return sameHost.get(name) ?? name;
}

/** The remote whose repository pull requests are meant to go to by `gh repo set-default`; the pushed one otherwise. Pure. */
export function homeRemote(config: Config, pushed: string): string {
  const set = [...config].find(([key, value]) => value === 'base' && key.endsWith('.gh-resolved'));
  return set?.[0].replace(/^remote\.(.+)\.gh-resolved$/, '$1') ?? pushed;
}

/** Where pull requests are meant to go by `gh repo set-default`; the pushed repository itself where nothing is set. Pure. */
export function proposedTo(config: Config, pushed: HostedRepo): HostedRepo {
  for (const [key, value] of config) {
    const remote = /^remote\.(.+)\.gh-resolved$/.exec(key)?.[1];
    if (remote === undefined) continue;
    const found = hostedRepo(
      value === 'base' ? (config.get(`remote.${remote}.url`) ?? '') : `https://${fullSlug(value)}`,
    );
    if (found !== undefined) return found;
  }
  return pushed;
}

const fullSlug = (slug: string): string => (slug.split('/').length === 2 ? `github.com/${slug}` : slug);
