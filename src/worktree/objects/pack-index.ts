// The ids that the index of a pack lists, and those of two lists that differ.

const head = Buffer.from([0xff, 0x74, 0x4f, 0x63, 0, 0, 0, 2]);
const fanoutBytes = 256 * 4;

/** Reads an index of version 2, the only one that crewmux has git write. Throws on anything else. Pure. */
export function idsIn(index: Buffer, idBytes: number): readonly string[] {
  const start = head.length + fanoutBytes;
  const isIndex = index.length >= start && index.subarray(0, head.length).equals(head);
  const count = isIndex ? index.readUInt32BE(start - 4) : 0;
  if (!isIndex || index.length < start + count * idBytes) throw new Error('This is no index of a pack that git wrote.');
  return Array.from({ length: count }, (_, at) =>
    index.toString('hex', start + at * idBytes, start + (at + 1) * idBytes),
  );
}

/** The asked ids that no content has. Pure. */
export function forgedAmong(asked: readonly string[], computed: readonly string[]): readonly string[] {
  const found = new Set(computed);
  return asked.filter((id) => !found.has(id));
}
