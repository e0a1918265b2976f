// Small files that are whole or absent, and never silently emptied.

import { readFileSync } from 'node:fs';
import { open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { z } from 'zod';
import { CrewError, messageOf } from '../model/errors.ts';
import { newNonce } from '../model/ids.ts';
import { fieldsIn, parseJson } from '../model/json.ts';
import { systemClock } from './clock.ts';
import { hasCode, unlessMissing } from './disk.ts';

/** Replaces a file in one step that survives a crash; on failure the old file stays, and nothing else is left. */
export const writeAtomic = (path: string, content: string | Buffer, mode = 0o600): Promise<void> =>
  replace(path, (draft) => writeSynced(draft, content, mode));

/** As `writeAtomic`, and cheaper: a crash of the machine may lose it. */
export const writeUnsynced = (path: string, text: string): Promise<void> =>
  replace(path, (draft) => writeFile(draft, text, { mode: 0o600, flag: 'wx' }));

/** What `writeUnsynced` wrote; undefined where it cannot be read or holds something else. */
export function readHeldSync<T>(path: string, isHeld: (held: unknown) => held is T): T | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
  const held: unknown = fieldsIn(text);
  return isHeld(held) ? held : undefined;
}

async function replace(path: string, write: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${path}.${newNonce()}.tmp`;
  try {
    await write(draft);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Removes a file, and what a process that was killed while it wrote that file has left. Nobody may be writing it. */
export async function removeAtomic(path: string): Promise<void> {
  const drafts = ((await unlessMissing(readdir(dirname(path)))) ?? []).filter(
    (name) => name.startsWith(`${basename(path)}.`) && name.endsWith('.tmp'),
  );
  await Promise.all([basename(path), ...drafts].map((name) => rm(join(dirname(path), name), { force: true })));
}

async function writeSynced(path: string, content: string | Buffer, mode: number): Promise<void> {
  const handle = await open(path, 'wx', mode);
  try {
    // What the mask of this process takes from a new file, the one to be replaced may have.
    await handle.chmod(mode);
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes a value as `readJson` reads it. Every such file says its version. */
export const writeJson = <T extends { readonly v: number }>(path: string, value: T): Promise<void> =>
  writeAtomic(path, `${JSON.stringify(value)}\n`);

export type OnTrouble = (message: string) => void;

/**
 * What a file holds; undefined when it is missing. One that holds something else is set aside, reported, and undefined.
 * Throws `state_unreadable` when the system does not let it be read: then nothing is moved.
 */
export async function readJson<T>(path: string, schema: z.ZodType<T>, onTrouble: OnTrouble): Promise<T | undefined> {
  const text = await readText(path);
  if (text === undefined) return undefined;
  const parsed = schema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const aside = await setAside(path);
  onTrouble(`${path} does not hold what it should (${firstIssue(parsed.error)}); it was set aside as ${aside}`);
  return undefined;
}

/** What a file holds; undefined when it is missing or holds something else, which stays where it is. */
export const readHeld = async <T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> =>
  schema.safeParse(parseJson((await readText(path)) ?? '')).data;

/** Moves a file out of the way, keeping it, and returns where it went. */
export async function setAside(path: string): Promise<string> {
  const time = new Date(systemClock.now()).toISOString().replaceAll(/[:.]/g, '-');
  const aside = `${path}.unreadable-${time}`;
  await rename(path, aside);
  return aside;
}

/** Undefined when the file is missing; `state_unreadable` when it cannot be read. */
export async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw unreadable(path, error);
  }
}

export const unreadable = (path: string, cause: unknown): CrewError =>
  new CrewError(
    'state_unreadable',
    `${path} could not be read: ${messageOf(cause)}`,
    'Make the file readable and writable for your user, or set CREWMUX_HOME to another folder.',
    { cause },
  );

const firstIssue = (error: z.ZodError): string => {
  const issue = error.issues[0];
  return issue ? `${issue.path.join('.') || 'the whole'}: ${issue.message}` : 'no detail';
};
