// Which secrets and sockets every sandbox keeps from a command.
import { userInfo } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import type { Env } from '../git/repo.ts';

const agentFolders = ['.claude', '.codex'];
const secretsAtHome = [
  ...['.ssh', '.aws', '.gnupg', '.azure', '.kube', '.docker', '.git-credentials', '.Xauthority'],
  ...['.colima', '.lima', '.rd', '.orbstack'],
];
const secretsInConfig = ['gh', 'gcloud', 'git/credentials'];

/** Sockets of what acts outside for whoever asks: daemons of containers, agents of keys, buses, displays. */
const sockets = [
  ...['/run/user', '/run/WSL', '/run/podman', '/run/containerd', '/run/crio', '/run/docker.sock'],
  ...['/var/run/docker.sock', '/run/dbus/system_bus_socket', '/run/systemd/private'],
  ...['/tmp/.X11-unix', '/tmp/.ICE-unix', '/run/screen'],
];

/** They lead to such sockets, or to the tmux that a command stands in. */
export const reachingVariables: readonly string[] = [
  ...['SSH_AUTH_SOCK', 'SSH_AGENT_PID', 'GPG_AGENT_INFO', 'DBUS_SESSION_BUS_ADDRESS', 'DBUS_SYSTEM_BUS_ADDRESS'],
  ...['XDG_RUNTIME_DIR', 'DISPLAY', 'WAYLAND_DISPLAY', 'WAYLAND_SOCKET', 'XAUTHORITY'],
  ...['DOCKER_HOST', 'CONTAINER_HOST', 'CONTAINERD_ADDRESS', 'TMUX', 'TMUX_PANE', 'TMUX_TMPDIR', 'WSL_INTEROP'],
];

/** The path in what such a variable says: `unix:path=/x,guid=1`, `unix:///x`, `/x:12:1`, `/x,12,0`. */
const pathIn = (value: string): string | undefined => /(?:^|^unix:(?:path=|\/\/))(\/[^,;:]*)/.exec(value)?.[1];

/**
 * Where secrets and sockets lie, whatever of it is there. `env` is that of the server with the worker's own laid over
 * it. Of an agent's own folder a worker misses the keys alone: its agent needs the rest. Pure.
 */
export function secretPlaces(env: Env, agents: 'whole' | 'keys'): readonly string[] {
  const { HOME: home = '/' } = env;
  const config = env.XDG_CONFIG_HOME ?? join(home, '.config');
  const { CLAUDE_CONFIG_DIR: claude = join(home, '.claude'), CODEX_HOME: codex = join(home, '.codex') } = env;
  const ofAgents =
    agents === 'keys'
      ? [join(claude, '.credentials.json'), join(codex, 'auth.json')]
      : [claude, codex, ...agentFolders.map((name) => join(home, name))];
  const tmux = ['/tmp', env.TMUX_TMPDIR ?? '/tmp'].map((folder) => join(folder, `tmux-${userInfo().uid}`));
  const named = reachingVariables.flatMap((name) => (name === 'TMUX_TMPDIR' ? [] : (pathIn(env[name] ?? '') ?? [])));
  const around = pathIn(env.TMUX ?? '');
  const places = [
    ...secretsAtHome.map((name) => join(home, name)),
    ...[join(home, '.config'), config].flatMap((folder) => secretsInConfig.map((name) => join(folder, name))),
    ...ofAgents,
    ...sockets,
    ...tmux,
    ...named.filter((path) => path !== around),
    ...(around === undefined ? [] : [dirname(around)]),
    ...(env.GNUPGHOME === undefined ? [] : [env.GNUPGHOME]),
  ];
  const needed = ['/', '/tmp', home];
  return [...new Set(places.filter((path) => isAbsolute(path) && !needed.includes(path)))];
}
