// The role that an order names, as its file says it now.
import { CrewError } from '../../model/errors.ts';
import type { ScopeRules } from '../../model/rule.ts';
import { type FoundRole, type FoundRoles, findRoles } from '../../settings/roles/find.ts';
import { readBook } from '../../store/rule-book.ts';
import { once } from '../../system/once.ts';
import type { Context } from '../context.ts';

type Looking = Pick<Context, 'environment'>;

const rolesIn = ({ environment }: Looking, folders: readonly string[]): FoundRoles =>
  findRoles({ env: environment.server, userHome: environment.server.HOME ?? '/', folders: [...new Set(folders)] });

export interface RoleNow extends FoundRole {
  readonly rules: ScopeRules;
}

/** Undefined where no file has that name and none is built in. */
export function roleNow(context: Looking, name: string | undefined, folders: readonly string[]): RoleNow | undefined {
  return name === undefined ? undefined : chosen(rolesIn(context, folders), name);
}

function chosen({ roles }: FoundRoles, name: string): RoleNow | undefined {
  const found = roles.find(({ role }) => role.name === name);
  return found && { ...found, rules: { preset: found.role.preset, deny: found.role.deny } };
}

export interface ResolvedRole {
  /** Undefined for a role that rules alone make. */
  readonly found: RoleNow | undefined;
  /** What of it does not count. */
  readonly warnings: readonly string[];
}

/** Throws `invalid_argument` for a role that nobody has written down and no rule is for, naming those there are. */
export type ResolveRole = (name: string | undefined, folders: readonly string[]) => Promise<ResolvedRole>;

/** For the orders of one call: it reads the files once for the same folders, and none where no role is named. */
export function roleResolver(context: Pick<Context, 'environment' | 'settingsFor' | 'home'>): ResolveRole {
  const known = once<KnownRoles>();
  return async (name, folders) => {
    if (name === undefined) return { found: undefined, warnings: [] };
    const read = async () => ({ all: rolesIn(context, folders), ruled: await ruledRoles(context, folders) });
    return resolved(name, await known(JSON.stringify(folders), read));
  };
}

interface KnownRoles {
  readonly all: FoundRoles;
  /** Those that rules are for. */
  readonly ruled: readonly string[];
}

function resolved(name: string, { all, ruled }: KnownRoles): ResolvedRole {
  const found = chosen(all, name);
  const aside = all.aside.filter((one) => one.name === name).map(({ why }) => why);
  if (found === undefined && !ruled.includes(name)) {
    const known = [...new Set([...all.roles.map(({ role }) => role.name), ...ruled])];
    throw new CrewError(
      'invalid_argument',
      `There is no role ${JSON.stringify(name)}. Known: ${known.join(', ')}.${aside.map((why) => ` ${why}`).join('')}`,
      '`crewmux roles` lists them with their files; docs/roles.md says how to write one down.',
    );
  }
  const { leftOut = [] } = found?.role ?? {};
  return {
    found,
    warnings: [
      ...aside,
      ...(leftOut.length === 0 || found === undefined
        ? []
        : [`crewmux does not carry over from ${found.source}: ${leftOut.join(', ')}.`]),
    ],
  };
}

/** Those with rules of the configuration, or of set_permissions. */
async function ruledRoles(
  { settingsFor, home }: Pick<Context, 'settingsFor' | 'home'>,
  folders: readonly string[],
): Promise<readonly string[]> {
  const configured = folders.flatMap((folder) => Object.keys(settingsFor(folder).settings.permissions.roles));
  const scopes = Object.keys(await readBook(home).catch(() => ({})));
  const given = scopes.flatMap((scope) => (scope.startsWith('role:') ? [scope.slice('role:'.length)] : []));
  return [...new Set([...configured, ...given])];
}
