// Stand-ins for `bd` and `pb`: each closes an issue as its original does, by a file of its own that takes the old one's place.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface StandIn {
  readonly folder: '.beads' | '.pebbles';
  /** The line that closes an issue, from any folder. */
  close(checkout: string, id: string): string;
  /** Makes the folder with these issues, all open. */
  init(checkout: string, ids: readonly string[]): void;
  closed(checkout: string): readonly string[];
}

const script = `#!/bin/sh
case $0 in */bd) at=.beads/issues.jsonl ;; *) at=.pebbles/events.jsonl ;; esac
[ "$1" != --no-db ] || shift
[ "$1" = close ] || exit 2
# One at a time, as the lock of a tracker does.
until mkdir "\${at%/*}/.lock" 2>/dev/null; do [ -w "\${at%/*}" ] || { echo "cannot write \${at%/*}" >&2; exit 1; }; done
sed "/\\"id\\":\\"$2\\"/s/\\"open\\"/\\"closed\\"/" "$at" >"$at.tmp.$$" && mv -f "$at.tmp.$$" "$at"
code=$?
rmdir "\${at%/*}/.lock"
exit $code
`;

/** Writes the program into the folder. */
export function standInTracker(bin: string, name: 'bd' | 'pb'): StandIn {
  const program = join(bin, name);
  writeFileSync(program, script, { mode: 0o755 });
  const [folder, file] =
    name === 'bd' ? (['.beads', 'issues.jsonl'] as const) : (['.pebbles', 'events.jsonl'] as const);
  return {
    folder,
    close: (checkout, id) => `(cd ${checkout} && ${program} ${name === 'bd' ? '--no-db ' : ''}close ${id})`,
    init(checkout, ids) {
      mkdirSync(join(checkout, folder), { recursive: true });
      const lines = ids.map((id) => `{"id":"${id}","status":"open"}\n`);
      writeFileSync(join(checkout, folder, file), lines.join(''));
    },
    closed: (checkout) =>
      [...readFileSync(join(checkout, folder, file), 'utf8').matchAll(/"id":"([^"]+)","status":"closed"/g)].flatMap(
        ([, id]) => id ?? [],
      ),
  };
}
