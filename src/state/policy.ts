// The rules as they hold for one worker, in a file that a hook reads on each request.
import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Ground, Policy } from '../model/permission.ts';

/** Where a policy holds. */
export interface PolicyPlace {
  /** Where the worker works, links resolved. */
  readonly root: string;
  readonly userHome: string;
  /** Where crewmux keeps its state; no worker writes there unasked. */
  readonly stateHome: string;
  /** The branch that is the worker's own. */
  readonly branch?: string;
}

export interface PolicyFile extends PolicyPlace {
  readonly v: 1;
  /** Strongest layer first. */
  readonly layers: Policy;
}

export const policyPath = (workerDir: string): string => join(workerDir, 'policy.json');
/** Exists exactly when every act has to be judged, and not only what the agent itself would ask about. */
export const strictPath = (workerDir: string): string => join(workerDir, 'strict');

/** Undefined when there is none that can be read: then no rule holds, and everything is put to somebody. */
export function readPolicy(workerDir: string): PolicyFile | undefined {
  try {
    const held: unknown = JSON.parse(readFileSync(policyPath(workerDir), 'utf8'));
    return isPolicy(held) ? held : undefined;
  } catch {
    return undefined;
  }
}

// By hand, since loading zod takes longer than all the rest of a hook.
function isPolicy(held: unknown): held is PolicyFile {
  if (!isRecord(held) || held.v !== 1 || !Array.isArray(held.layers)) return false;
  return (
    ['root', 'userHome', 'stateHome'].every((name) => typeof held[name] === 'string') &&
    ['string', 'undefined'].includes(typeof held.branch) &&
    held.layers.every(isLayer)
  );
}

const isLayer = (held: unknown): boolean =>
  isRecord(held) && typeof held.scope === 'string' && [held.allow, held.confirm, held.deny].every(isTexts);

const isTexts = (held: unknown): boolean => Array.isArray(held) && held.every((one) => typeof one === 'string');

const isRecord = (held: unknown): held is Readonly<Record<string, unknown>> =>
  typeof held === 'object' && held !== null;

/** The ground of a policy on this disk. */
export const groundOf = ({ root, userHome, stateHome }: PolicyPlace): Ground => ({
  root,
  userHome,
  stateHome,
  real: realPath,
});

const mostLinks = 40;

/** Follows links as the system does, also in front of `..`, and goes on past what does not exist. */
export function realPath(path: string): string {
  let at = '';
  let links = 0;
  const rest = path.split('/').reverse();
  while (rest.length > 0) {
    const part = rest.pop() ?? '';
    if (part === '' || part === '.') continue;
    if (part === '..') {
      at = at.slice(0, Math.max(0, at.lastIndexOf('/')));
      continue;
    }
    const target = linkAt(`${at}/${part}`);
    if (target === undefined || links++ >= mostLinks) at = `${at}/${part}`;
    else {
      if (target.startsWith('/')) at = '';
      rest.push(...target.split('/').reverse());
    }
  }
  return at === '' ? '/' : at;
}

function linkAt(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}
