// A running Claude Code by its command line; its state file identifies the conversation.

import { basename } from 'node:path';
import { defined } from '../../model/defined.ts';
import type { Agent } from '../agent.ts';
import { bypass } from '../permission-mode.ts';
import { unaskedSettings } from './settings.ts';

const subcommands = new Set(
  'agents auth auto-mode config doctor install mcp plugin plugins project remote-control setup-token update upgrade'.split(
    ' ',
  ),
);

export const readProcess: NonNullable<Agent['readProcess']> = ({ argv: [program = '', ...args] }) => {
  if (!/^claude(\.exe)?$/.test(basename(program))) return undefined;
  const end = args.indexOf('--');
  const flags = end < 0 ? args : args.slice(0, end);
  if (flags.includes('-p') || flags.includes('--print') || subcommands.has(flags[0] ?? '')) return undefined;
  const model = flagValue(flags, '--model');
  if (basename(flagValue(flags, '--settings') ?? '') === unaskedSettings)
    return { ...defined({ model }), permissionMode: bypass, skipPermissions: true };
  return {
    ...defined({ model, permissionMode: flagValue(flags, '--permission-mode') }),
    ...(flags.includes('--dangerously-skip-permissions') ? { skipPermissions: true } : {}),
  };
};

function flagValue(flags: readonly string[], name: string): string | undefined {
  const at = flags.findIndex((flag) => flag === name || flag.startsWith(`${name}=`));
  const flag = flags[at];
  return flag === name ? flags[at + 1] : flag?.slice(name.length + 1);
}
