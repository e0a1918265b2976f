// A worktree of the mind: a root, a home, and a few links, for the tables of rules.
import type { Ground, PolicyLayer, Ruling } from '../../src/model/permission.ts';
import { ruleOn } from '../../src/model/permission-ruling.ts';

export const root = '/place/tree';

/** Where links lead; everything else is what it seems. */
const links: readonly (readonly [string, string])[] = [
  [`${root}/to-home`, '/home/ada'],
  [`${root}/to-key`, '/home/ada/.ssh/id_rsa'],
  [`${root}/to-src`, `${root}/src`],
  [`${root}/deep`, '/srv/data/deep'],
  ['/outside/to-tree', root],
];

/** Follows links name by name, as the system does. */
const real = (path: string): string => {
  let at = '';
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    if (name === '..') at = at.slice(0, Math.max(0, at.lastIndexOf('/')));
    else at = links.find(([from]) => from === `${at}/${name}`)?.[1] ?? `${at}/${name}`;
  }
  return at === '' ? '/' : at;
};

export const ground: Ground = { root, userHome: '/home/ada', stateHome: '/home/ada/.local/state/crewmux', real };

export const layer = (rules: Partial<PolicyLayer>): PolicyLayer => ({
  scope: 'default',
  allow: [],
  confirm: [],
  deny: [],
  ...rules,
});

export const onLine = (rules: Partial<PolicyLayer>, command: string, cwd = root): Ruling =>
  ruleOn([layer(rules)], { tool: 'Bash', cwd, command }, ground);

export const onPath = (rules: Partial<PolicyLayer>, tool: string, path: string): Ruling =>
  ruleOn([layer(rules)], { tool, cwd: root, paths: [path] }, ground);

/** The lines of a table that are ruled otherwise than they should be. */
export const ruledOtherwise = (
  rules: Partial<PolicyLayer>,
  decision: Ruling['decision'] | 'person',
  lines: readonly string[],
): readonly string[] =>
  lines.flatMap((line) => {
    const ruling = onLine(rules, line);
    const found = ruling.catastrophic === undefined ? ruling.decision : 'person';
    return found === decision ? [] : [`${found}: ${line} (${ruling.reason})`];
  });
