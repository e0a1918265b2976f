// Where the crew's files lie below CREWMUX_HOME; every folder is its owner's alone.
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CrewError, messageOf } from '../model/errors.ts';
import { isWorkerId } from '../model/ids.ts';
import { withLock } from '../system/lock.ts';
import type { ProcessRef } from '../system/process.ts';

export interface Home {
  readonly root: string;
  /** Where the lock of this name lies; it exists while it is held. */
  lockPath(name: string): string;
  /** Makes the worker's folder when it is missing. */
  workerDir(id: string): Promise<string>;
  /** Where the refs and logs lie that a worker's sandbox shows it in place of the repository's. */
  ownRefsPath(id: string): string;
  /** Makes the folder for files of a plan when it is missing. */
  planDir(id: string): Promise<string>;
  /** Makes the folder of a worker's n-th launch when it is missing. */
  launchDir(id: string, launch: number): Promise<string>;
}

/** Makes the folder, 0700, when it is missing; one that exists keeps its mode. */
export async function openHome(root: string): Promise<Home> {
  await mkdir(join(root, 'locks'), { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw new CrewError(
      'state_unreadable',
      `crewmux cannot keep its state in ${root}: ${messageOf(error)}`,
      'Make that folder writable for your user, or set CREWMUX_HOME to another one.',
      { cause: error },
    );
  });
  return homeAt(root);
}

/** Makes nothing by itself. */
export function homeAt(root: string): Home {
  const make = async (...below: readonly string[]) => {
    const path = join(root, ...below);
    await mkdir(path, { recursive: true, mode: 0o700 });
    return path;
  };
  return {
    root,
    lockPath: (name) => join(root, 'locks', checkWord(name)),
    workerDir: (id) => make('workers', checkId(id)),
    ownRefsPath: (id) => join(root, 'workers', checkId(id), 'git'),
    planDir: (id) => make('plans', checkWord(id)),
    launchDir: (id, launch) => make('workers', checkId(id), 'launches', String(Math.trunc(launch))),
  };
}

function checkId(id: string): string {
  if (isWorkerId(id)) return id;
  throw new CrewError('internal', `A bug in crewmux: ${JSON.stringify(id)} is no worker id.`, 'Please report it.');
}

function checkWord(name: string): string {
  if (/^[a-z0-9][a-z0-9-]*$/i.test(name)) return name;
  throw new CrewError(
    'internal',
    `A bug in crewmux: ${JSON.stringify(name)} names no file of its own.`,
    'Please report it.',
  );
}

const aloneMs = 5_000;

/**
 * Runs acts on the tmux server of a socket one at a time, across every process with this home. An act that waits too
 * long for the others runs all the same.
 */
export function aloneAt(socket: string, home: Home, me: ProcessRef): <T>(act: () => Promise<T>) => Promise<T> {
  const name = createHash('sha256').update(socket).digest('hex').slice(0, 16);
  return async (act) => {
    let done: ReturnType<typeof act> | undefined;
    const once = () => {
      done = act();
      return done;
    };
    return withLock(home.lockPath(`tmux-${name}`), once, { me, timeoutMs: aloneMs }).catch(() => done ?? act());
  };
}
