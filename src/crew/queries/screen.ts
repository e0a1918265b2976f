// The text of a worker's pane, and whether it changed.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import { writeAtomic } from '../../system/atomic.ts';
import type { ScreenResult } from '../../wire/examine.ts';
import type { ScreenQuery } from '../orders.ts';
import { type CrewContext, paneRef } from '../workers/roster.ts';

const mostCharacters = 20_000;

export async function readWorkerScreen(context: CrewContext, query: ScreenQuery): Promise<ScreenResult> {
  const record = context.roster.resolve(query.worker);
  if (record.pane === undefined || record.phase === 'closed') {
    throw new CrewError(
      'worker_dead',
      `${record.name} has no pane: it is ${record.phase}.`,
      'read_worker_logs still shows its conversation.',
    );
  }
  const options = defined({ lines: query.lines });
  const screen = (await context.terminal.capture(paneRef(record.pane), options)).replace(/\s+$/, '');
  const token = createHash('sha256').update(screen).digest('hex').slice(0, 16);
  const changed = query.since !== token;
  const whole = { session_id: query.worker, token, changed };
  if (!changed) return { ...whole, screen: '', truncated: false };
  if (screen.length <= mostCharacters) return { ...whole, screen, truncated: false };
  const path = join(await context.home.workerDir(record.id), 'screen.txt');
  await writeAtomic(path, `${screen}\n`);
  // The newest part is what a caller looks for.
  return { ...whole, screen: screen.slice(-mostCharacters), truncated: true, path };
}
