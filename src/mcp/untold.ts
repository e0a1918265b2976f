// Keeps the file from which the prompt's hook tells the manager what needs somebody and was told nowhere.
import { readFileSync, rmSync } from 'node:fs';
import { newNonce } from '../model/ids.ts';
import { readText, writeAtomic } from '../system/atomic.ts';
import { systemClock } from '../system/clock.ts';
import { gather } from '../system/pace.ts';
import type { Workshop } from '../work/api.ts';
import type { ClientDoor } from './profile.ts';
import type { ShownKeys } from './shown-keys.ts';
import { endedSince, pastKeys, untoldOf, untoldText } from './untold-text.ts';
import type { Waker } from './wake.ts';

// Changes within `gatherMs` share a look; a busy crew gets one every `restMs`.
const gatherMs = 50;
const restMs = 500;

/** Where the hook of the client's session looks, and the process that keeps it. */
export interface UntoldPlace {
  readonly path: string;
  readonly pid: number;
  /** Epoch ms; what ended before is no news. */
  readonly openedAt: number;
  readonly waker: Waker;
}

interface Keeping {
  /** Called after each look: whether anything is untold. */
  readonly onLook?: (isUntold: boolean) => void;
  readonly crew: Pick<Workshop, 'needs' | 'onChange'> & {
    readonly jobs: Pick<Workshop['jobs'], 'jobsSummary' | 'onChange'>;
  };
  readonly told: ShownKeys;
  readonly place: UntoldPlace;
  readonly client: Pick<ClientDoor, 'signal' | 'log'>;
}

interface Written {
  readonly nonce: string;
  readonly text: string;
  readonly keys: readonly string[];
}
const isSame = (a: Written, b: Written | undefined) => a.text === b?.text && a.keys.join() === b.keys.join();

/** The hook writes here which text it has shown. */
export const shownPath = (path: string): string => `${path}.shown`;

/** Until the client is gone; then the file is gone too. Returns what asks for another look. */
export function keepUntold(keeping: Keeping): () => void {
  const { crew, told, onLook = () => undefined } = keeping;
  const { path, pid } = keeping.place;
  const { signal, log } = keeping.client;
  const since = keeping.place.openedAt;
  let written: Written | undefined;
  const look = async () => {
    const shown = await readText(shownPath(path));
    if (written !== undefined && shown?.trim() === written.nonce) told.note(written.keys);
    // What an answer tells during the look may be of later than the glance.
    const before = told.keys();
    const glance = await crew.jobs.jobsSummary();
    told.forget(pastKeys(glance, before));
    const untold = untoldOf(crew.needs(), endedSince(glance, since), (key) => told.has(key));
    const text = untoldText(untold);
    if (text === undefined) {
      if (written !== undefined) remove(path);
      written = undefined;
      onLook(false);
      return;
    }
    const next = { nonce: newNonce(), text, keys: untold.flatMap(({ keys }) => keys) };
    if (!isSame(next, written) && !signal.aborted) {
      written = next;
      await writeAtomic(path, fileText(next, pid));
    }
    if (signal.aborted) end();
    else onLook(true);
  };
  const onTrouble = (thrown: unknown) => log.write('warn', 'the file for the prompt could not be kept', thrown);
  const pace = { clock: systemClock, gatherMs, restMs: () => restMs + gatherMs, onTrouble };
  const { request, stop } = gather(pace, look);
  const stops = [crew.onChange(request), crew.jobs.onChange(request), stop];
  told.onTold(request);
  const end = () => {
    for (const stop of stops) stop();
    // Another server of the same session may have put its own there.
    if (written !== undefined && held(path).startsWith(written.nonce)) remove(path);
    remove(shownPath(path));
  };
  signal.addEventListener('abort', end, { once: true });
  request();
  return request;
}

/** What the hooks read: the name of the text, the server, the very line that one prints, and the text. */
function fileText({ nonce, text }: Written, pid: number): string {
  const said = { hookEventName: 'UserPromptSubmit', additionalContext: text };
  return `${nonce} ${pid}\n${JSON.stringify({ hookSpecificOutput: said })}\n${text}\n`;
}

const remove = (path: string): void => rmSync(path, { force: true });

function held(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
