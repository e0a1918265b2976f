// The runs of experts, each noted while it goes on: what a killed server has left of one is ended by the next server.
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { defined } from '../../model/defined.ts';
import { readHeld, writeJson } from '../../system/atomic.ts';
import { unlessMissing } from '../../system/disk.ts';
import { endMarked, type ProcessMark } from '../../system/marked.ts';
import { isAlive } from '../../system/process.ts';
import type { Context } from '../context.ts';
import { forgetTemp } from '../lifecycle/worker-temp.ts';

/** Its server, and where its temporary files lie. */
const noted = z.object({
  v: z.literal(1),
  pid: z.number(),
  processStart: z.string(),
  tmpdir: z.string().exactOptional(),
});

interface ExpertRun {
  readonly id: string;
  readonly env: Readonly<Record<string, string>>;
}

type Place = Pick<Context, 'home'>;

const runsOf = ({ home }: Place): string => join(home.root, 'experts', 'runs');
const noteOf = (place: Place, { id }: Pick<ExpertRun, 'id'>): string => join(runsOf(place), `${id}.json`);
const dirOf = (place: Place, { id }: Pick<ExpertRun, 'id'>): string => join(runsOf(place), id);

export const markOf = ({ id }: Pick<ExpertRun, 'id'>): ProcessMark => ({
  name: 'CREWMUX_WORKER',
  value: `expert-${id}`,
});

const graceMs = 1_000;

/** Ends what is left of a run, wherever it went; resolves to how many processes do not end. */
export const endRun = async (run: Pick<ExpertRun, 'id'>): Promise<number> =>
  (await endMarked(markOf(run), { graceMs })).length;

/** Makes the folder for its files; from now on its server answers for it. */
export async function beginRun(context: Place & Pick<Context, 'me'>, run: ExpertRun): Promise<string> {
  const dir = dirOf(context, run);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await writeJson(noteOf(context, run), { v: 1, ...context.me, ...defined({ tmpdir: run.env.TMPDIR }) });
  return dir;
}

/** Removes all that it has written but its answer. */
export async function forgetRun(context: Place, run: ExpertRun): Promise<void> {
  await rm(dirOf(context, run), { recursive: true, force: true });
  await forgetTemp(run, run.env);
  await rm(noteOf(context, run), { force: true });
}

/** Ends and forgets the runs of servers that are gone. Never rejects. */
export async function endLeftRuns(context: Place & Pick<Context, 'logger'>): Promise<void> {
  const onTrouble = (error: unknown) =>
    context.logger.write('error', 'an expert of an ended server could not be ended', error);
  const names = await unlessMissing(readdir(runsOf(context))).catch(onTrouble);
  const ids = (names ?? []).flatMap((name) => /^([0-9a-f]{8})\.json$/.exec(name)?.[1] ?? []);
  await Promise.all(ids.map((id) => endLeft(context, id).catch(onTrouble)));
}

async function endLeft(context: Place & Pick<Context, 'logger'>, id: string): Promise<void> {
  const note = await readHeld(noteOf(context, { id }), noted);
  if (note === undefined || (await isAlive(note))) return;
  const left = await endRun({ id });
  if (left === 0) return forgetRun(context, { id, env: defined({ TMPDIR: note.tmpdir }) });
  context.logger.write('warn', `${left} processes of the expert ${id} do not end`);
}
