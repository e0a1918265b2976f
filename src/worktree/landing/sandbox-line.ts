// The arguments of bubblewrap for a command that may run code of a worker's.
import { below } from '../../system/disk.ts';
import type { Env } from '../git/repo.ts';
import { reachingVariables } from './sandbox-places.ts';

export interface SandboxView {
  /** The path of bubblewrap. */
  readonly program: string;
  readonly cwd: string;
  /** A folder that the command has as its `/tmp`. */
  readonly temp: string;
  readonly writable: readonly string[];
  /** Folders that are empty inside. */
  readonly hidden: readonly string[];
  /** Files and sockets that nobody can open inside. */
  readonly masked: readonly string[];
  /** Readable also where a folder around it is hidden. */
  readonly kept: readonly string[];
  /** Read-only also where a folder around it is writable. */
  readonly fixed: readonly string[];
  /** False leaves it this machine's loopback, of its own. */
  readonly network: boolean;
  /** Laid over its environment; `TMPDIR` is `temp` as it sees it unless given. */
  readonly set: Env;
  /** Variables that it does not get. */
  readonly unset: readonly string[];
}

/** What holds for every command, and what a probe therefore tries. As root only the capabilities could lift it. */
export const walls: readonly string[] = [
  ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
  ...['--unshare-pid', '--unshare-ipc', '--cap-drop', 'ALL', '--new-session', '--die-with-parent'],
];

export const tempInside = '/tmp';

type Kind = 'kept' | 'fixed' | 'writable' | 'hidden' | 'masked' | 'own';

interface Mount {
  readonly path: string;
  readonly kind: Kind;
  readonly args: readonly string[];
}

/** What stands before the command; every path is real, absolute and there. Pure. */
export function sandboxLine(view: SandboxView): readonly string[] {
  const mounts = mountsOf(view).flatMap(({ args }) => args);
  const set = Object.entries({ TMPDIR: tempInside, ...view.set });
  const env = [
    ...set.flatMap(([name, value]) => ['--setenv', name, value]),
    ...[...reachingVariables, ...view.unset].flatMap((name) => ['--unsetenv', name]),
  ];
  const network = view.network ? [] : ['--unshare-net'];
  return [view.program, ...walls, ...network, ...mounts, ...env, '--chdir', view.cwd, '--'];
}

function mountsOf(view: SandboxView): readonly Mount[] {
  const bind = (path: string): readonly string[] => ['--bind', path, path];
  const show = (path: string): readonly string[] => ['--ro-bind', path, path];
  // Of the same path the last one counts.
  const wished: readonly Mount[] = [
    ...view.kept.map((path): Mount => ({ path, kind: 'kept', args: show(path) })),
    ...view.writable.map((path): Mount => ({ path, kind: 'writable', args: bind(path) })),
    ...view.fixed.map((path): Mount => ({ path, kind: 'fixed', args: show(path) })),
    ...view.hidden.map((path): Mount => ({ path, kind: 'hidden', args: ['--tmpfs', path] })),
    ...view.masked.map((path): Mount => ({ path, kind: 'masked', args: ['--ro-bind', '/dev/null', path] })),
    { path: tempInside, kind: 'own', args: ['--bind', view.temp, tempInside] },
    { path: view.cwd, kind: 'own', args: bind(view.cwd) },
  ];
  const byPath = new Map(wished.map((mount) => [mount.path, mount]));
  // A folder stands before what is below it, or would cover it again.
  const sorted = [...byPath.values()].sort((a, b) => depth(a.path) - depth(b.path) || (a.path < b.path ? -1 : 1));
  const placed: Mount[] = [];
  for (const mount of sorted) if (isNeeded(mount, placed)) placed.push(mount);
  return placed;
}

const depth = (path: string): number => path.split('/').filter((part) => part !== '').length;

/** `around` are the mounts of the folders above, the nearest last. */
function isNeeded({ path, kind }: Mount, placed: readonly Mount[]): boolean {
  const around = placed.filter((mount) => below(mount.path, path) !== undefined).at(-1);
  const isEmptyThere = around?.kind === 'hidden' || around?.path === tempInside;
  if (kind === 'kept') return isEmptyThere;
  if (kind === 'hidden' || kind === 'masked') return !isEmptyThere;
  return true;
}
