// Tells the first turn of a worker that its tools are there.
import { constants, existsSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { connectedPathOf } from '../store/worker-token.ts';
import { pause } from '../system/clock.ts';

/** Claude Code takes listed tools up a moment after it has read them, and tells nobody when. */
const takenUpMs = 500;

/** Makes the file beside the token and wakes whoever waits for it. Rejects where the disk refuses. */
export async function noteConnected(tokenPath: string): Promise<void> {
  await pause(takenUpMs);
  const path = connectedPathOf(tokenPath);
  writeFileSync(path, '', { mode: 0o600 });
  const gate = `${path}.gate`;
  if (!existsSync(gate)) return;
  // Open for both ways it waits for no reader, and one that comes later finds the line: it stays open with the process.
  writeSync(openSync(gate, constants.O_RDWR | constants.O_NONBLOCK), '\n');
}
