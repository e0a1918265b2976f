// The ports of its own that each worker gets, so that two workers can run the same server.

/** So many in a row: one for each of a project's servers. */
export const blockSize = 10;
// Systems hand out ports of their own from 32,768 on.
const first = 20_000;
const blocks = 1_200;

export interface PortsWanted {
  /** Decides where the search begins, so that two servers that search at once begin apart. */
  readonly workerId: string;
  /** The first ports of other workers. */
  readonly given: ReadonlySet<number>;
  /** Ports that a program listens on. */
  readonly listening: ReadonlySet<number>;
}

/** The first port of a free block; undefined where there is none. Pure. */
export function freeBlock({ workerId, given, listening }: PortsWanted): number | undefined {
  const start = Number.parseInt(workerId, 16) % blocks;
  return Array.from({ length: blocks }, (_, i) => first + ((start + i) % blocks) * blockSize).find(
    (base) => !given.has(base) && !Array.from({ length: blockSize }, (_, i) => base + i).some((p) => listening.has(p)),
  );
}

export const portVariable = ({ port }: { readonly port?: number }): Readonly<Record<string, string>> =>
  port === undefined ? {} : { CREWMUX_PORT: String(port) };
