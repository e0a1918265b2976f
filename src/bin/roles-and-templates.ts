// The roles and templates that count in a project, and the watch over the files that they come from.
import { basename } from 'node:path';
import { projectFolders, type Surroundings } from '../graph.ts';
import { watchFolder } from '../jsonl/tail.ts';
import { followTrees } from '../jsonl/trees.ts';
import type { RoleOrTemplate, RolesAndTemplates } from '../mcp/roles-and-templates.ts';
import type { Disposer } from '../model/clock.ts';
import { defined, unlessEmpty } from '../model/defined.ts';
import { agreementsPath } from '../settings/agreements.ts';
import { type FoundRole, findRoles, roleFoldersOf } from '../settings/roles/find.ts';
import { findTemplateFiles, templateFoldersOf } from '../settings/templates.ts';
import { systemClock } from '../system/clock.ts';
import type { Log } from '../system/log.ts';
import { gather } from '../system/pace.ts';
import { job } from '../wire/plans.ts';
import { outward } from '../wire/spoken.ts';
import { type KnownTemplate, knownTemplates } from '../work/templates/known.ts';

/** An editor writes a file in several steps. */
const gatherMs = 200;

export function writtenIn(world: Surroundings & { readonly log: Log }): RolesAndTemplates {
  const listeners = new Set<() => void>();
  let known: string | undefined;
  let stopWatch: Disposer | undefined;
  const read = async () => {
    const here = { env: world.env, userHome: world.userHome, folders: await projectFolders(world) };
    return { here, roles: findRoles(here).roles, templates: knownTemplates(findTemplateFiles(here)).templates };
  };
  const onTrouble = (error: unknown) => world.log.write('warn', 'roles and templates could not be read', error);
  const looks = gather({ clock: systemClock, gatherMs, restMs: () => 0, onTrouble }, async () => {
    const before = known;
    known = digestOf(await read());
    if (known !== before) for (const listen of listeners) listen();
  });
  return {
    async read() {
      const found = await read();
      known ??= digestOf(found);
      stopWatch ??= watch([...roleFoldersOf(found.here), ...templateFoldersOf(found.here)], world.home, looks.request);
      return { roles: found.roles.map(ofRole), templates: found.templates.map(ofTemplate) };
    },
    onChange(listen) {
      listeners.add(listen);
      return () => {
        listeners.delete(listen);
        stopWatch?.();
        looks.stop();
      };
    },
  };
}

/** What a person agrees to may count from then on. */
function watch(folders: readonly string[], home: string, onChange: () => void): Disposer {
  const trees = followTrees(folders, { clock: systemClock, onChange });
  const agreements = basename(agreementsPath(home));
  const stop = watchFolder(home, systemClock, (name) => {
    if (name === undefined || name === agreements) onChange();
  });
  return () => {
    trees.close();
    stop();
  };
}

interface Found {
  readonly roles: readonly FoundRole[];
  readonly templates: readonly KnownTemplate[];
}

const digestOf = ({ roles, templates }: Found): string =>
  JSON.stringify([...roles, ...templates].map(({ source, sha256 }) => [source, sha256]));

/** What servers and variables hold may be a secret. */
const namesIn = (held: object | undefined) => held && Object.keys(held);

function ofRole({ role, source, sha256 }: FoundRole): RoleOrTemplate {
  const { name, description = '', text, agent, model, preset, sandbox, tools, deny, leftOut } = role;
  const { permissionMode, maxParallel, maxTurns, maxCostUsd, mcpServers } = role;
  return {
    ...{ name, description },
    whole: {
      ...{ name, description, source, sha256, text },
      ...defined({ agent, model, preset, sandbox, tools, deny: unlessEmpty(deny) }),
      ...defined({ permission_mode: permissionMode, mcp_servers: namesIn(mcpServers) }),
      ...defined({ max_parallel: maxParallel, max_turns: maxTurns, max_cost_usd: maxCostUsd }),
      ...defined({ not_carried_over: unlessEmpty(leftOut) }),
    },
  };
}

function ofTemplate({ template, source, sha256 }: KnownTemplate): RoleOrTemplate {
  const { name, description, params, jobs } = template;
  const shown = jobs.map((one) => {
    const { env, mcp_config: servers, ...rest } = outward(job, one);
    return { ...rest, ...defined({ env: namesIn(env), mcp_config: namesIn(servers) }) };
  });
  return {
    ...{ name, description },
    whole: { ...{ name, description, source, sha256 }, params: Object.fromEntries(params), jobs: shown },
  };
}
