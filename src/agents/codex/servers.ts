// MCP servers in the form every client knows, as Codex wants them.
import { z } from 'zod';
import type { LaunchSpec } from '../agent.ts';
import { asToml, type TomlTable } from './toml.ts';

const server = z.record(z.string(), z.unknown());

/** `type` is what Codex tells by itself, and its word for `headers` is another. What is no server is left out. */
export function serverTable(servers: Readonly<Record<string, unknown>>): TomlTable {
  const tables = Object.entries(servers).flatMap(([name, value]) => {
    const { data } = server.safeParse(value);
    if (data === undefined) return [];
    const { type: _, headers, ...known } = data;
    const table = asToml({ ...known, ...(headers === undefined ? {} : { http_headers: headers }) });
    return table === undefined ? [] : [[name, table] as const];
  });
  return Object.fromEntries(tables);
}

// On a busy machine its start takes seconds, and many of them start together.
const longestStartSeconds = 120;

/**
 * The first turn waits for it: Codex begins a turn about a second after its start with what is there by then, and what
 * comes later is missing for as long as that turn runs. Codex ends at once where such a server does not start, so one
 * that cannot is not waited for.
 */
export function ownServer({ ownTools }: Pick<LaunchSpec, 'ownTools'>): TomlTable {
  if (ownTools === undefined) return {};
  const { name, command, args, env, longestCallSeconds, canStart } = ownTools;
  const table = { command, args, env, default_tools_approval_mode: 'approve', tool_timeout_sec: longestCallSeconds };
  const awaited = { required: true, startup_timeout_sec: longestStartSeconds };
  return { [name]: { ...table, ...(canStart ? awaited : {}) } };
}
