// `crewmux attach`: shows a person a worker's pane, or the tmux session of the crew.
import { CrewError } from '../model/errors.ts';
import { quote } from '../model/quote.ts';
import type { PaneRecord } from '../model/worker.ts';
import { workerNamed, workersHere } from './roster.ts';
import type { CommandWorld } from './world.ts';

export interface AttachOrder {
  /** The whole crew unless given. */
  readonly worker?: string;
  readonly readOnly: boolean;
}

/** Returns tmux's exit code once the person leaves. */
export async function attach({ worker, readOnly }: AttachOrder, world: CommandWorld): Promise<number> {
  const pane = worker === undefined ? await crewsPane(world) : await workersPane(worker, world);
  return world.attach(pane, { readOnly, whole: worker === undefined });
}

async function workersPane(worker: string, world: CommandWorld): Promise<PaneRecord> {
  const { name, pane, phase } = await workerNamed(worker, world);
  if (pane !== undefined && phase !== 'closed') return pane;
  throw new CrewError(
    'worker_dead',
    `${name} has no pane: it is ${phase}.`,
    `\`crewmux restart ${quote(name)}\` starts it again.`,
  );
}

/** Of the worker that came last. */
async function crewsPane(world: CommandWorld): Promise<PaneRecord> {
  const here = (await workersHere(world)).filter(({ phase }) => phase === 'live');
  const newest = here.toSorted((a, b) => b.createdAt - a.createdAt).find(({ pane }) => pane !== undefined);
  if (newest?.pane !== undefined) return newest.pane;
  throw new CrewError(
    'unknown_worker',
    'No worker of this project runs.',
    'Name a worker of another with `crewmux attach`.',
  );
}
