// Which folders a sandbox lets a command write, and which it keeps from it.
import { dirname, isAbsolute, join } from 'node:path';
import { below } from '../../system/disk.ts';
import type { Env } from '../repo.ts';

/** The caches of package managers; never the folders of their configuration and programs. Pure. */
export function cacheFolders(env: Env): readonly string[] {
  const { HOME: home = '/' } = env;
  const caches = env.XDG_CACHE_HOME ?? join(home, '.cache');
  const data = env.XDG_DATA_HOME ?? join(home, '.local/share');
  const cargo = env.CARGO_HOME ?? join(home, '.cargo');
  const goPath = env.GOPATH?.split(':')[0] ?? join(home, 'go');
  const gradle = env.GRADLE_USER_HOME ?? join(home, '.gradle');
  const folders = [
    env.npm_config_cache ?? env.NPM_CONFIG_CACHE ?? join(home, '.npm'),
    join(env.PNPM_HOME ?? join(data, 'pnpm'), 'store'),
    join(caches, 'pnpm'),
    env.YARN_CACHE_FOLDER ?? join(caches, 'yarn'),
    join(home, '.yarn/berry/cache'),
    join(env.BUN_INSTALL ?? join(home, '.bun'), 'install/cache'),
    env.PIP_CACHE_DIR ?? join(caches, 'pip'),
    env.UV_CACHE_DIR ?? join(caches, 'uv'),
    ...['registry', 'git'].map((name) => join(cargo, name)),
    env.GOMODCACHE ?? join(goPath, 'pkg/mod'),
    env.GOCACHE ?? join(caches, 'go-build'),
    ...['caches', 'daemon', 'native'].map((name) => join(gradle, name)),
    join(home, '.m2/repository'),
  ];
  return folders.filter((path) => isAbsolute(path) && path !== home && below(path, home) === undefined);
}

const secretsAtHome = [
  ...['.ssh', '.aws', '.gnupg', '.azure', '.kube', '.docker', '.git-credentials', '.claude', '.codex'],
  ...['.config/gh', '.config/gcloud', '.config/git/credentials'],
];
/** Credentials of the user, which no worker needs to see; an agent reads its own outside of its sandbox. Pure. */
export function credentialPlaces(env: Env): readonly string[] {
  const { HOME: home = '/' } = env;
  const config = env.XDG_CONFIG_HOME ?? join(home, '.config');
  const folders = secretsAtHome.filter((name) => !agentFolders.has(name)).map((name) => join(home, name));
  const inAgents = [
    join(env.CLAUDE_CONFIG_DIR ?? join(home, '.claude'), '.credentials.json'),
    join(env.CODEX_HOME ?? join(home, '.codex'), 'auth.json'),
  ];
  const named = [env.GNUPGHOME, ...['gh', 'gcloud', 'git/credentials'].map((name) => join(config, name))];
  return [...new Set([...folders, ...inAgents, ...named])].flatMap((path) => (path === undefined ? [] : [path]));
}

const agentFolders = new Set(['.claude', '.codex']);
const daemons = [
  ...['/run/user', '/run/WSL', '/run/docker.sock', '/run/podman/podman.sock', '/run/containerd/containerd.sock'],
];

/** Credentials, and sockets of what acts outside for whoever asks. `env` is that of the server. Pure. */
export function secretPlaces(env: Env): readonly string[] {
  const { HOME: home = '/' } = env;
  const config = env.XDG_CONFIG_HOME ?? join(home, '.config');
  const tmux = env.TMUX?.split(',')[0];
  const named = [
    ...[env.GNUPGHOME, env.CLAUDE_CONFIG_DIR, env.CODEX_HOME, env.SSH_AUTH_SOCK, env.XDG_RUNTIME_DIR],
    ...[join(config, 'gh'), join(config, 'gcloud'), join(config, 'git/credentials')],
    ...(tmux === undefined || tmux === '' ? [] : [dirname(tmux)]),
  ];
  const places = [...secretsAtHome.map((name) => join(home, name)), ...daemons, ...named];
  return [...new Set(places.filter((path) => path !== undefined && isAbsolute(path)))].flatMap((path) => path ?? []);
}
