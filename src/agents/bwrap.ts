// A `bwrap` of ours, first in a worker's PATH: it lays the worker's own view over git's folders, and runs the real one.
import { join } from 'node:path';
import { quoted } from '../model/quote.ts';
import type { WrittenFile } from './long-argv.ts';

/** What a command in a worker's sandbox sees of the repository's git folder. Paths are absolute and real. */
export interface GitWalls {
  /** The bubblewrap that does the work. */
  readonly bwrap: string;
  /** The git folder of the repository. */
  readonly commonDir: string;
  /** The git folder of the worktree, which lies in `commonDir`. */
  readonly gitDir: string;
  readonly worktree: string;
  /** The folder below `refs/heads` in which the worker makes branches. */
  readonly branches: string;
  /** The worker's own `refs` and `logs`, which last. No command can reach this folder. */
  readonly ownDir: string;
  /** Names of files that git never adds; it lies in `ownDir`. */
  readonly excludes: string;
  /** A folder outside of the worktree that its commands write. */
  readonly tracker?: OpenFolder;
}

/** A folder that commands write, but for what these names stand for in it. The path is real. */
export interface OpenFolder {
  readonly folder: string;
  readonly guarded: readonly Guarded[];
}

interface Guarded {
  /** Of letters, digits and full stops alone. */
  readonly name: string;
  /** What each command makes anew where it is gone: a folder, or a file with this text. */
  readonly made?: 'folder' | { readonly text: string };
}

/** Where git finds the names that it never adds, in the sandbox alone. */
const excludesInside = ({ commonDir }: GitWalls): string => join(commonDir, 'crewmux-excludes');

type Env = Readonly<Record<string, string>>;

interface Walled {
  readonly files: readonly WrittenFile[];
  readonly env: Env;
}

interface Launch {
  readonly launchDir: string;
  readonly signalsPath: string;
  readonly env: Env;
  readonly sandbox?: { readonly walls?: GitWalls };
}

/** What a launch with walls adds: the program, the PATH that finds it first, and settings of its git. Pure. */
export function walled({ sandbox, launchDir, signalsPath, env }: Launch): Walled {
  const walls = sandbox?.walls;
  if (walls === undefined) return { files: [], env: {} };
  const folder = join(launchDir, 'bin');
  const content = bwrapScript(walls, signalsPath);
  return {
    files: [{ path: join(folder, 'bwrap'), content, isProgram: true }],
    env: { PATH: [folder, ...(env.PATH ? [env.PATH] : [])].join(':'), ...gitSettingsEnv(walls, env) },
  };
}

/** Objects in packs of the worker's own would stay out of reach, and a packed branch would be lost with the command. */
const gitSettings: Readonly<Record<string, string>> = {
  'fetch.unpackLimit': '1000000000',
  'core.bigFileThreshold': '100g',
  'gc.auto': '0',
  'gc.packRefs': 'false',
  'maintenance.auto': 'false',
};

/** Settings of the worker's own git, after those that `env` has already. Pure. */
function gitSettingsEnv(walls: GitWalls, env: Env): Env {
  const settings = Object.entries({ 'core.excludesFile': excludesInside(walls), ...gitSettings });
  const first = Number(env.GIT_CONFIG_COUNT ?? 0);
  const pairs = settings.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${first + at}`, key],
    [`GIT_CONFIG_VALUE_${first + at}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(first + settings.length), ...Object.fromEntries(pairs) };
}

/** The event by which the script tells that it could not lay its view over git's folders. */
export const unwalledEvent = 'CrewmuxSandbox';

/**
 * Mounts in git's folder are ours alone: those that the agent names there are left out, and ours stand in their place.
 * Each command gets a top of its own, so that no two of them share a mount point on the disk. Where an argument is not
 * one of bubblewrap's as it is known here, the agent's line runs as it is, and the worker's signals say so.
 */
function bwrapScript(walls: GitWalls, signalsPath: string): string {
  const { bwrap, commonDir, gitDir, worktree, branches, ownDir, excludes, tracker } = walls;
  // No mount lies below a device.
  const open = tracker?.folder ?? '/dev/null/none';
  const names = { real: bwrap, common: commonDir, tree: gitDir, root: worktree, branches, own: ownDir, open };
  const variables = Object.entries({ ...names, excludes, signals: signalsPath, event: unwalledEvent });
  const set = variables.map(([name, value]) => `${name}=${quoted(value)}`);
  return ['#!/bin/sh', ...set, script.replace('@opening\n', () => opening(tracker?.guarded ?? []))].join('\n');
}

/** Lines that make what is guarded and gone, and put the mounts of the open folder together. Pure. */
function opening(guarded: readonly Guarded[]): string {
  const at = (name: string) => `"$open/${name}"`;
  const making = guarded.flatMap(({ name, made }) => {
    if (made === undefined) return [];
    const make = made === 'folder' ? `mkdir ${at(name)}` : `(set -C && printf %s ${quoted(made.text)} >${at(name)})`;
    return [`  [ -e ${at(name)} ] || ${make} 2>/dev/null`];
  });
  const mounts = guarded.map(({ name, made }) =>
    mount(made === undefined ? '--ro-bind-try' : '--ro-bind', `$open/${name}`),
  );
  return [
    '# A person may have removed, or a worker replaced, what is guarded. Through a link nothing is opened.',
    'if [ -d "$open" ] && [ ! -L "$open" ]; then',
    ...making,
    `  opened='${[mount('--bind', '$open'), ...mounts].join(' ')}'`,
    ...guarded.map(({ name }) => `  [ ! -L ${at(name)} ] || opened=`),
    'fi',
    '',
  ].join('\n');
}

const mount = (option: string, path: string, from = path): string => `${option} "${from}" "${path}"`;

/** The order counts: what lies below another place comes after it. `"$top"` and `"$below"` stand for what is found. */
const gitMounts: string = [
  '--tmpfs "$common"',
  '$top',
  '--perms 0644 --file "$fd" "$common/packed-refs"',
  mount('--ro-bind', '$common/crewmux-excludes', '$excludes'),
  mount('--bind', '$common/objects'),
  ...['pack', 'info'].map((name) => mount('--ro-bind-try', `$common/objects/${name}`)),
  mount('--ro-bind', '$common/worktrees'),
  mount('--bind', '$tree'),
  ...['commondir', 'gitdir', 'config.worktree'].map((name) => mount('--ro-bind', `$tree/${name}`)),
  mount('--ro-bind-try', '$tree/crewmux-worktree.json'),
  mount('--bind', '$common/refs', '$own/refs'),
  mount('--ro-bind', '$common/refs/notes', '$own/refs/notes'),
  mount('--bind', '$common/logs', '$own/logs'),
  '$below',
  ...['refs', 'logs/refs'].map((folder) => mount('--bind', `$common/${folder}/heads/$branches`)),
].join(' ');

/** `@{` stands for the shell's own, which a template would take for a hole of its own. */
const script: string = String.raw`
case @{1-} in --help | --version) exec "$real" "$@" ;; esac
n=0 more=0 whole= trouble= held= front= inside= back= opened=
for word do
  n=$((n + 1)) ref=" \"\@{$n}\""
  if [ "$back" ]; then
    back="$back$ref"
    continue
  elif [ "$more" -gt 0 ]; then
    more=$((more - 1)) op="$op$ref"
  else
    name=$word op=$ref place= holds=
    case $word in
    --) back=$ref && continue ;;
    --bind | --bind-try | --ro-bind | --ro-bind-try | --dev-bind | --dev-bind-try) more=2 place=1 ;;
    --bind-fd | --ro-bind-fd | --bind-data | --ro-bind-data | --file | --symlink | --chmod) more=2 place=1 ;;
    --tmpfs | --dev | --proc | --mqueue | --dir | --remount-ro) more=1 place=1 ;;
    --perms | --size) more=1 holds=1 ;;
    --setenv) more=2 ;;
    --unsetenv | --chdir | --hostname | --uid | --gid | --cap-add | --cap-drop | --lock-file | --argv0) more=1 ;;
    --sync-fd | --info-fd | --json-status-fd | --block-fd | --userns-block-fd | --seccomp | --add-seccomp-fd) more=1 ;;
    --userns | --userns2 | --pidns | --exec-label | --file-label) more=1 ;;
    --unshare-* | --share-net | --clearenv | --new-session | --die-with-parent | --as-pid-1) ;;
    --disable-userns | --assert-userns-disabled) ;;
    *) trouble='it passes an argument that crewmux does not know' && break ;;
    esac
  fi
  [ "$more" -eq 0 ] || continue
  if [ "$holds" ]; then
    held="$held$op"
    continue
  fi
  if [ "$place" ]; then
    case $word in
    /) [ "$name" != --ro-bind ] || whole=1 ;;
    "$root" | "$root"/*) inside="$inside$held$op" held= && continue ;;
    "$common" | "$common"/* | "$open" | "$open"/*) held= && continue ;;
    esac
  fi
  front="$front$held$op" held=
done
[ "$back" ] || : "@{trouble:=it names no command}"
[ "$whole" ] || : "@{trouble:=its view of the machine is not read-only}"
if [ "$trouble" ]; then
  case $word in
  true | */true) ;;
  *) printf '{"at":%s000,"payload":{"hook_event_name":"%s","reason":"%s"}}\n' "$(date +%s)" "$event" "$trouble" >>"$signals" ;;
  esac
  exec "$real" "$@"
fi
for folder in "$own/refs/notes" "$own/logs/refs" "$common/refs/heads/$branches" "$common/logs/refs/heads/$branches"; do
  [ -d "$folder" ] || mkdir -p "$folder"
done
# A pack-refs inside moves branches into its own copy of packed-refs; their logs tell where they stood.
for entry in "$common/logs/refs/heads/$branches"/*; do
  loose=$common/refs/heads/$branches/@{entry##*/}
  if [ -e "$loose" ] || [ -L "$loose" ] || [ -L "$entry" ] || [ ! -f "$entry" ]; then continue; fi
  grep -qsF " refs/heads/$branches/@{entry##*/}" "$common/packed-refs" && continue
  read -r _ tip _ <<LAST
$(tail -n 1 "$entry")
LAST
  case $tip in '' | *[!0-9a-f]*) ;; *) (set -C && echo "$tip" >"$loose") ;; esac
done
set -- "$@" "$common"/* "$common"/.[!.]* "$common/refs"/* "$common/logs"/* "$common/logs/refs"/*
at=0 top= below=
for entry do
  at=$((at + 1))
  [ "$at" -gt "$n" ] && [ -e "$entry" ] && [ ! -S "$entry" ] || continue
  ref="\"\@{$at}\" \"\@{$at}\""
  case @{entry#"$common/"} in
  objects | refs | logs | worktrees | packed-refs | crewmux-excludes | *.lock | gc.pid) ;;
  # Of the main checkout alone; each mount costs time.
  index | COMMIT_EDITMSG | ORIG_HEAD | FETCH_HEAD | description | branches | glab-cli | logs/HEAD) ;;
  refs/stash | logs/refs | logs/refs/stash) ;;
  refs/* | logs/*) below="$below --ro-bind-try $ref" ;;
  *) top="$top --ro-bind-try $ref" ;;
  esac
done
@opening
# Each deletion of a ref writes packed-refs anew; here it writes a copy that goes with the command.
for fd in 9 8 7 6 5 4; do [ -e "/dev/fd/$fd" ] || break; done
[ -e "$common/packed-refs" ] || : >>"$common/packed-refs"
eval "exec $fd<\"\$common/packed-refs\""
git="@mounts"
eval "exec \"\$real\"$front $git $opened $inside$back"
`
  .replaceAll('@{', '${')
  // The variables of a mount are the business of the `eval`; what was found is in it before.
  .replace('@mounts', () => gitMounts.replaceAll('"', '\\"').replace(/\$(?!top|below)/g, '\\$'));
