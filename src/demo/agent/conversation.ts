// Which conversation this start goes on with, or begins.
import { copyFileSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { newUuid } from '../../model/ids.ts';
import type { Flags } from './flags.ts';

export interface Conversation {
  readonly agentSessionId: string;
  readonly path: string;
  readonly source: 'startup' | 'resume' | 'fork';
}

interface Where {
  readonly projects: string;
  /** Where a conversation begun here is written. */
  pathOf(agentSessionId: string): string;
}

/** The conversation, or the words with which the program would end. A fork is a copy. */
export function chooseConversation(flags: Flags, where: Where): Conversation | { readonly complaint: string } {
  const wanted = flags.resume ?? (flags.goesOnWithNewest ? newest(where) : undefined);
  if (wanted === undefined) {
    if (flags.goesOnWithNewest) return { complaint: 'No conversation found to continue' };
    return begun(flags.agentSessionId ?? newUuid(), where);
  }
  const path = find(wanted, where);
  if (path === undefined) return { complaint: `No conversation found with session ID: ${wanted}` };
  if (!flags.fork) return { agentSessionId: wanted, path, source: 'resume' };
  const fork = begun(flags.agentSessionId ?? newUuid(), where);
  if ('complaint' in fork) return fork;
  mkdirSync(dirname(fork.path), { recursive: true, mode: 0o700 });
  copyFileSync(path, fork.path);
  return { ...fork, source: 'fork' };
}

function begun(agentSessionId: string, where: Where): Conversation | { readonly complaint: string } {
  if (find(agentSessionId, where) !== undefined) {
    return { complaint: `Error: Session ID ${agentSessionId} is already in use.` };
  }
  return { agentSessionId, path: where.pathOf(agentSessionId), source: 'startup' };
}

/** It stays where it was begun, wherever it is gone on with. */
const find = (agentSessionId: string, { projects }: Where): string | undefined =>
  foldersIn(projects)
    .map((folder) => join(projects, folder, `${agentSessionId}.jsonl`))
    .find((path) => statSync(path, { throwIfNoEntry: false }) !== undefined);

function newest({ pathOf }: Where): string | undefined {
  const folder = dirname(pathOf('any'));
  const names = foldersIn(folder).filter((name) => name.endsWith('.jsonl'));
  const age = (name: string) => statSync(join(folder, name)).mtimeMs;
  return names.sort((a, b) => age(b) - age(a))[0]?.replace(/\.jsonl$/, '');
}

function foldersIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
