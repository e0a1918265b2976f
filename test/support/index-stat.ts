// What an index knows of its files on disk, brought up to date after they were copied, as `git update-index --refresh` does.
import { createHash } from 'node:crypto';
import { type BigIntStats, existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const billion = 1_000_000_000n;

/** The first fields of an entry: times, device, inode. */
export function statFields(stat: BigIntStats): Buffer {
  const times = [stat.ctimeNs / billion, stat.ctimeNs % billion, stat.mtimeNs / billion, stat.mtimeNs % billion];
  return bigEndian(...times, stat.dev, stat.ino);
}

/** Four bytes each, the lowest where there are more. */
export function bigEndian(...values: readonly (bigint | number)[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(Number(BigInt(value) & 0xffff_ffffn), at * 4);
  return bytes;
}

/** An index ends with it. */
export const sha1 = (bytes: Buffer): Buffer => createHash('sha1').update(bytes).digest();

export interface FreshEntries {
  readonly index: string;
  readonly entries: readonly { readonly offset: number; readonly file: string }[];
}

/** Of every index below a folder, the entries that are as their files are now. */
export function freshEntries(root: string): readonly FreshEntries[] {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => /(^|\/)(\.git|worktrees\/[^/]+)\/index$/.test(name))
    .map((name) => join(root, name))
    .map((index) => ({ index, entries: entriesOf(index).filter(isFresh(readFileSync(index))) }));
}

/** To be called once the same files lie there again. */
export function refreshEntries(all: readonly FreshEntries[]): void {
  for (const { index, entries } of all) {
    const bytes = readFileSync(index);
    for (const { offset, file } of entries) statFields(lstatSync(file, { bigint: true })).copy(bytes, offset);
    const body = bytes.subarray(0, -20);
    writeFileSync(index, Buffer.concat([body, sha1(body)]));
  }
}

const isFresh = (bytes: Buffer) => (entry: { offset: number; file: string }) =>
  existsSync(entry.file) &&
  statFields(lstatSync(entry.file, { bigint: true })).equals(bytes.subarray(entry.offset, entry.offset + 24));

const extended = 0x40;
/** Up to the flags, and with them. */
const fixedLength = 62;

function entriesOf(index: string): readonly { offset: number; file: string }[] {
  const bytes = readFileSync(index);
  const link = join(dirname(index), 'gitdir');
  const worktree = dirname(existsSync(link) ? readFileSync(link, 'utf8').trim() : dirname(index));
  const entries = [];
  let offset = 12;
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const start = offset + fixedLength + ((bytes[offset + fixedLength - 2] ?? 0) & extended ? 2 : 0);
    const end = bytes.indexOf(0, start);
    entries.push({ offset, file: join(worktree, bytes.toString('utf8', start, end)) });
    offset += Math.ceil((end + 1 - offset) / 8) * 8;
  }
  return entries;
}
