// Claude Code's own sandbox: its settings, and the programs it needs on the machine.
import type { LaunchSpec } from '../agent.ts';
import type { SandboxProbe, SandboxSpec } from '../sandbox.ts';

/** bubblewrap and socat on Linux; macOS has what it needs. */
export function sandboxProbes(platform: string): readonly SandboxProbe[] {
  if (platform === 'darwin')
    return [
      { argv: ['/usr/bin/sandbox-exec', '-p', '(version 1)(allow default)', '/usr/bin/true'], fix: 'macOS brings it.' },
    ];
  const fix = 'Install both: `apt install bubblewrap socat`.';
  const walls = ['--unshare-pid', '--unshare-net', '--die-with-parent'];
  return [
    { argv: ['bwrap', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', ...walls, '--', 'true'], fix },
    { argv: ['socat', '-V'], fix },
  ];
}

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** While a command runs, the sandbox lays them over missing files of the worktree, as devices that git cannot add. */
export const standIns: readonly string[] = [
  ...words('.bash_profile .bashrc .gitconfig .gitmodules .idea .mcp.json .profile .ripgreprc .vscode .zprofile .zshrc'),
  ...words(`.cc-writes agents commands hooks launch.json loop.md output-styles routines scheduled_tasks.json
    settings.json settings.local.json skills workflows`).map((name) => `.claude/${name}`),
];

// Where no command may leave the sandbox, it keeps the host in the user's own settings, and its label says so.
export const hostOf = (label: string): string | undefined =>
  /^Yes, and don.t ask again for ([\w.*-]+)(?: in any project \(user settings\))?$/.exec(label)?.[1];

type Spec = Pick<LaunchSpec, 'skipPermissions'> & { readonly sandbox: SandboxSpec };

/**
 * The rules by which a worker with a sandbox and without prompts works unasked. Claude Code itself resolves links, and
 * asks where one leads elsewhere.
 */
export function unaskedRules({ root, temp, writable }: SandboxSpec): readonly string[] {
  const below = ['.', ...[root, temp, ...writable].map((folder) => `/${folder}`)];
  return [...below.flatMap((folder) => [`Read(${folder}/**)`, `Edit(${folder}/**)`]), 'WebFetch', 'WebSearch'];
}

/** The `sandbox` part of a settings file. */
export function sandboxSettings({ sandbox, skipPermissions }: Spec): object {
  const { excludedCommands, allowUnixSockets } = sandbox;
  return {
    enabled: true,
    // Otherwise it goes on without the sandbox where a program for it is gone, and commands that ask nobody run outside.
    failIfUnavailable: true,
    autoAllowBashIfSandboxed: true,
    // Otherwise a command that an `allow` rule names runs outside, unasked, where the model wants that.
    allowUnsandboxedCommands: false,
    ...(excludedCommands.length === 0 ? {} : { excludedCommands }),
    filesystem: {
      allowWrite: [sandbox.temp, ...sandbox.writable, ...sandbox.writableByCommands],
      denyWrite: sandbox.unwritable,
      denyRead: sandbox.unreadable,
    },
    network: {
      allowedDomains: skipPermissions ? ['*'] : sandbox.allowedDomains,
      // It tells sockets apart by path on macOS alone.
      ...(allowUnixSockets.length === 0 ? {} : { allowUnixSockets, allowAllUnixSockets: true }),
      ...(sandbox.allowLocalBinding ? { allowLocalBinding: true } : {}),
    },
  };
}
