// `crewmux roles`: the roles as they count here, where each comes from, and what is left aside.
import { plainJson } from '../model/plain-text.ts';
import { type FoundRole, type FoundRoles, findRoles } from '../settings/roles/find.ts';
import { shown } from './trust.ts';

interface RolesWorld {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
  readonly folders: readonly string[];
  readonly write: (text: string) => number;
}

/** Returns the exit code. */
export function roles({ json }: { readonly json: boolean }, world: RolesWorld): number {
  const found = findRoles(world);
  return world.write(json ? plainJson(asJson(found)) : `${report(found)}\n`);
}

const asJson = ({ roles: all, aside }: FoundRoles) => ({
  roles: all.map(({ role: { text: _, mcpServers, leftOut, ...role }, source, sha256 }) => ({
    ...role,
    // What else they hold may be a secret.
    mcp_servers: Object.keys(mcpServers ?? {}),
    source,
    sha256,
    not_carried_over: leftOut,
  })),
  left_aside: aside,
});

/** Pure. */
function report({ roles: all, aside }: FoundRoles): string {
  const width = Math.max(...all.map(({ role }) => role.name.length));
  const rows = all.flatMap((one) => [`${one.role.name.padEnd(width)}  ${shown(one.source)}`, ...details(one)]);
  const left = aside.map(({ name, why }) => `  ${shown(name)}: ${shown(why)}`);
  return [...rows, ...(left.length === 0 ? [] : ['', 'Left aside:', ...left])].join('\n');
}

function details({ role }: FoundRole): readonly string[] {
  const { description, agent, model, permissionMode, preset, maxParallel, leftOut } = role;
  const words = Object.entries({ agent, model, mode: permissionMode, preset, max_parallel: maxParallel }).flatMap(
    ([key, value]) => (value === undefined ? [] : [`${key} ${value}`]),
  );
  return [
    ...(description === undefined ? [] : [description.slice(0, longestDescription)]),
    ...(words.length === 0 ? [] : [words.join(', ')]),
    ...(leftOut.length === 0 ? [] : [`not carried over: ${leftOut.join(', ')}`]),
  ].map((line) => `  ${shown(line)}`);
}

const longestDescription = 200;
