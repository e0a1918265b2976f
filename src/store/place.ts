// Where a worker works, in a file that its hook reads on each request.
import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { defined } from '../model/defined.ts';
import { fieldsIn, wordOf } from '../model/json.ts';

export interface WorkerPlace {
  /** Where the worker works, links resolved. */
  readonly root: string;
  readonly userHome: string;
  /** Where crewmux keeps its state. */
  readonly stateHome: string;
  /** The branch that is the worker's own. */
  readonly branch?: string;
  readonly role?: string;
}

const pathIn = (workerDir: string): string => join(workerDir, 'place.json');

export async function writePlace(workerDir: string, place: WorkerPlace): Promise<void> {
  // A hook only reads, and has no time to load what writes.
  const { writeJson } = await import('../system/atomic.ts');
  await writeJson(pathIn(workerDir), { v: 1, ...place });
}

/** Undefined when there is none that can be read. Without zod, which takes longer to load than a hook to run. */
export function readPlace(workerDir: string): WorkerPlace | undefined {
  const held = fieldsIn(textOf(pathIn(workerDir)) ?? '');
  const [root, userHome, stateHome] = [wordOf(held.root), wordOf(held.userHome), wordOf(held.stateHome)];
  if (held.v !== 1 || root === undefined || userHome === undefined || stateHome === undefined) return undefined;
  return {
    root,
    userHome,
    stateHome,
    ...defined({ branch: wordOf(held.branch), role: wordOf(held.role) }),
  };
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

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
