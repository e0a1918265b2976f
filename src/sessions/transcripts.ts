// An index over transcripts, kept in memory: of a file known by path, size and time nothing is read, of one that grew only what is new.
import { readdirSync, type Stats, statSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentSessions, SessionFile } from '../agents/agent-sessions.ts';
import { isMissing } from '../model/errors.ts';
import { openPlain } from '../system/plain-file.ts';
import { linesIn, textAt } from './bytes.ts';
import { addLines, noFacts, type SessionFacts, tellingLines } from './facts.ts';

export interface TranscriptFile extends SessionFile {
  readonly path: string;
  /** Epoch ms. */
  readonly modifiedAt: number;
  readonly size: number;
  /** The end of the last whole line that was read. */
  readonly readTo: number;
  readonly endsTorn: boolean;
  readonly facts: SessionFacts;
}

export interface TranscriptsRead {
  readonly transcripts: readonly TranscriptFile[];
  /** Files and folders that could not be read. */
  readonly unread: readonly string[];
}

const headBytes = 16 * 1024;
/** A first line may hold the instructions of a whole session. */
const longestHead = 1024 * 1024;
const tailBytes = 48 * 1024;
const endBytes = 256 * 1024;
const readers = 16;
const deepest = 8;

export class TranscriptIndex {
  readonly #known = new Map<string, TranscriptFile>();

  /** Opens what is new or has changed, for reading alone. */
  async read(agent: AgentSessions, folders: readonly string[]): Promise<TranscriptsRead> {
    const unread: string[] = [];
    const found = folders.flatMap((folder) => filesBelow(folder, agent, unread));
    const stale = found.filter(({ path, stats }) => !isSame(this.#known.get(path), stats));
    await eachOf(stale, async (file) => {
      try {
        this.#known.set(file.path, await readTranscript(file, agent, this.#known.get(file.path)));
      } catch (error) {
        this.#known.delete(file.path);
        if (!isMissing(error)) unread.push(file.path);
      }
    });
    return { transcripts: found.flatMap(({ path }) => this.#known.get(path) ?? []), unread };
  }
}

interface Found {
  readonly path: string;
  readonly session: SessionFile;
  readonly stats: Stats;
}

const isSame = (known: TranscriptFile | undefined, { size, mtimeMs }: Stats): boolean =>
  known?.size === size && known.modifiedAt === mtimeMs;

function filesBelow(root: string, agent: AgentSessions, unread: string[]): readonly Found[] {
  const found: Found[] = [];
  const look = (folder: string, depth: number): void => {
    for (const entry of entriesOf(folder, unread)) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (depth < deepest) look(path, depth + 1);
        continue;
      }
      const session = agent.fileAt(path.slice(root.length + 1));
      const stats = session && statSync(path, { throwIfNoEntry: false });
      if (session === undefined || stats === undefined) continue;
      const { ending } = session;
      found.push({ path, session: ending === undefined ? session : { ...session, ending: join(root, ending) }, stats });
    }
  };
  look(root, 0);
  return found;
}

function entriesOf(folder: string, unread: string[]) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (!isMissing(error)) unread.push(folder);
    return [];
  }
}

async function eachOf<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  const work = async () => {
    for (const item of left) await act(item);
  };
  await Promise.all(Array.from({ length: readers }, work));
}

async function readTranscript(
  file: Found,
  agent: AgentSessions,
  known: TranscriptFile | undefined,
): Promise<TranscriptFile> {
  const { path, session } = file;
  const handle = await openPlain(path, Number.MAX_SAFE_INTEGER);
  if (handle === undefined) throw Object.assign(new Error(`${path} is gone`), { code: 'ENOENT' });
  try {
    const { size, mtimeMs: modifiedAt } = await handle.stat();
    const grew = known !== undefined && size > known.size && known.readTo > 0;
    const head = grew ? { facts: known.facts, readTo: known.readTo } : await readHead(handle, size, agent);
    const rest = await readTail(handle, { from: head.readTo, size });
    const facts = addLines(head.facts, tellingLines(rest.lines, agent), agent);
    return { ...session, path, modifiedAt, size, facts, ...rest.end };
  } finally {
    await handle.close();
  }
}

async function readHead(handle: FileHandle, size: number, agent: AgentSessions) {
  for (let bytes = headBytes; ; bytes *= 8) {
    const text = await textAt(handle, 0, Math.min(bytes, size));
    const readTo = text.lastIndexOf(0x0a) + 1;
    const facts = addLines(noFacts, linesIn(text.subarray(0, readTo)), agent);
    if (facts.projectPath !== undefined || bytes >= Math.min(size, longestHead)) return { facts, readTo };
  }
}

/** The lines at the end, without one that is cut at either side. */
async function readTail(handle: FileHandle, { from, size }: { readonly from: number; readonly size: number }) {
  const start = Math.max(from, size - tailBytes);
  const text = await textAt(handle, start, size - start);
  const first = start === from ? 0 : text.indexOf(0x0a) + 1;
  const last = text.lastIndexOf(0x0a) + 1;
  return {
    lines: linesIn(text.subarray(first, Math.max(first, last))),
    end: { readTo: last === 0 ? from : start + last, endsTorn: last < text.length },
  };
}

/** The whole lines at the end of a transcript, as far as they tell of its last turn. */
export async function endLines(path: string): Promise<readonly string[]> {
  const handle = await openPlain(path, Number.MAX_SAFE_INTEGER);
  if (handle === undefined) return [];
  try {
    const { size } = await handle.stat();
    const start = Math.max(0, size - endBytes);
    const lines = linesIn(await textAt(handle, start, size - start));
    return lines.slice(start === 0 ? 0 : 1, -1);
  } finally {
    await handle.close();
  }
}
