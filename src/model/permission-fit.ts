// Whether a rule is about an act. A rule that forbids reaches wider than one that permits.
import { pathFits, textFits } from './glob.ts';
import type { Ground, RuleList } from './permission.ts';
import { editTools, type Rule, readTools } from './permission-rule.ts';
import { below, type Whereabouts } from './place.ts';

/** Permits only what is meant for certain; forbids and holds whatever may be meant. */
export type Reach = 'narrow' | 'wide';
export const reachOf = (list: RuleList): Reach => (list === 'allow' ? 'narrow' : 'wide');

/** `Edit` is about every tool that changes files, `Read` about every tool that looks at them. */
export function toolFits(wanted: string, tool: string, reach: Reach): boolean {
  if (wanted === tool) return true;
  for (const [family, lead] of [
    [editTools, 'Edit'],
    [readTools, 'Read'],
  ] as const) {
    if (family.includes(wanted) && family.includes(tool)) return reach === 'wide' || wanted === lead;
  }
  return /^mcp__/.test(wanted) && mcpFits(wanted, tool);
}

function mcpFits(wanted: string, tool: string): boolean {
  return textFits(wanted, tool) || (!wanted.includes('*') && tool.startsWith(`${wanted}__`));
}

/** A pattern of a command: `npm test:*` and `npm test *` also mean `npm test` alone. */
export function commandFits(pattern: string, text: string): boolean {
  const prefix = /^([\s\S]*?)(?::\*| \*)$/.exec(pattern)?.[1];
  if (prefix === undefined) return textFits(pattern, text);
  return textFits(prefix, text) || textFits(`${prefix} *`, text);
}

type PathRule = Extract<Rule, { over: 'path' }>;

/** For a folder that is forbidden, everything in it is. */
export function placeFits(
  rule: PathRule,
  place: Whereabouts,
  { ground, reach }: { ground: Ground; reach: Reach },
): boolean {
  const root = { root: ground.root, home: ground.userHome, disk: '/' }[rule.from];
  const fits = (path: string) => {
    const inside = below(root, path);
    if (inside === undefined) return false;
    return reach === 'narrow' ? globFits(rule.glob, inside) : forbids(rule.glob, inside);
  };
  return reach === 'narrow' ? place.real.every(fits) : place.every.some(fits);
}

function globFits(glob: string, path: string): boolean {
  return pathFits(glob, path) && (!isOwned(path) || isOwned(glob));
}

/** Written by a worker, these make git or an agent run things of its choice; a rule must name them. */
const isOwned = (path: string): boolean => /(^|\/)(\.git|\.claude|\.codex|\.crewmux|\.mcp\.json)(\/|$)/i.test(path);

// A disk that does not tell capitals apart must not let them past.
function forbids(glob: string, path: string): boolean {
  const names = path.toLowerCase().split('/');
  const lower = glob.toLowerCase();
  return names.some((_, at) => pathFits(lower, names.slice(0, at + 1).join('/'))) || pathFits(`${lower}/**`, path);
}

export function hostFits(rule: Extract<Rule, { over: 'domain' }>, url: string, reach: Reach): boolean {
  const host = hostOf(url);
  if (host === undefined) return false;
  const isBelow = host.endsWith(`.${rule.host}`);
  return reach === 'wide' ? isBelow || host === rule.host : rule.below ? isBelow : host === rule.host;
}

/** Undefined for what is no address of the web. */
export function hostOf(url: string): string | undefined {
  try {
    const { protocol, hostname } = new URL(url);
    return /^https?:$/.test(protocol) ? hostname.replace(/\.$/, '') : undefined;
  } catch {
    return undefined;
  }
}
