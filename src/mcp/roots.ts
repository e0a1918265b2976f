// The client's first root, asked for once and again when it says that it changed.
import { fileURLToPath } from 'node:url';

export interface Roots {
  /** Asks again; what is known stays until the answer is there. */
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
      // not a path of this machine
    }
  }
  return undefined;
}
