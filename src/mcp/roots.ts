// The client's first root: crewmux asks once, and again after each change.
import { fileURLToPath } from 'node:url';

export interface Roots {
  /** Asks again; the known root stays until the answer comes. */
  refresh(): void;
  /** The first root that is a folder here, once the client has answered or failed to. */
  first(): Promise<string | undefined>;
}

/** `ask` lists root URIs and may reject; it must settle by itself. */
export function watchRoots(ask: () => Promise<readonly string[]>): Roots {
  let latest: Promise<string | undefined> = Promise.resolve(undefined);
  return {
    refresh() {
      const before = latest;
      latest = ask().then(firstFolder, () => before);
    },
    first: () => latest,
  };
}

export function firstFolder(uris: readonly string[]): string | undefined {
  for (const uri of uris) {
    try {
      if (uri.startsWith('file:')) return fileURLToPath(uri);
    } catch {
      // The URI names no path of this machine.
    }
  }
  return undefined;
}
