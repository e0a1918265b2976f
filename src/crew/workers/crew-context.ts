// What the acts on workers share: the context with the roster in it, and what is asked of it most.
import type { PaneRef } from '../../backends/terminal.ts';
import type { PaneRecord, WorkerRecord } from '../../model/worker.ts';
import type { Context } from '../context.ts';
import type { Roster } from './roster.ts';

/** What the crew's acts on workers share. */
export interface CrewContext extends Context {
  readonly roster: Roster;
}

/** Each call first reads the events of other servers, and looks which of them live. */
export async function upToDate<T>(context: CrewContext, act: () => Promise<T>): Promise<T> {
  await context.log.catchUp();
  await knowSockets(context);
  await context.roster.lookAtManagers();
  return act();
}

/** Another server may have adopted a worker of a tmux server that we have not looked at yet. */
export async function knowSockets({ roster, terminal }: CrewContext): Promise<void> {
  for (const record of roster.records()) {
    if (record.phase === 'live' && record.pane !== undefined) await terminal.know(record.pane.socket);
  }
}

export const paneRef = (pane: PaneRecord): PaneRef => ({
  socket: pane.socket,
  serverPid: pane.serverPid,
  serverStartedAt: pane.serverStartedAt,
  id: pane.paneId,
});

/** tmux counts its panes anew with each start of its server, so the id alone is not enough. */
export const hasPane = ({ pane }: Pick<WorkerRecord, 'pane'>, ref: PaneRef): boolean =>
  pane?.paneId === ref.id && pane.serverPid === ref.serverPid && pane.serverStartedAt === ref.serverStartedAt;

/** Workers of this server, of its project, and of no living manager; an id reaches the others too. */
export const visibleTo = ({ roster, cwd }: CrewContext): readonly WorkerRecord[] =>
  roster.records().filter((record) => !isFailedSpawn(record) && (!roster.isOthers(record) || isNear(cwd, record)));

/** A failed spawn leaves no worker: its own answer reported it. */
const isFailedSpawn = (record: WorkerRecord): boolean => record.phase === 'closed' && record.pane === undefined;

const isNear = (cwd: string, { mainRepoPath, projectPath }: WorkerRecord): boolean =>
  [mainRepoPath, projectPath].some((path) => path !== undefined && (cwd === path || cwd.startsWith(`${path}/`)));

export interface Activity {
  /** Resolves when everything that waited at the call is done. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** Keeps one activity for each live worker while this server manages it. */
export function forOwnWorkers(
  context: CrewContext,
  begin: (context: CrewContext, record: WorkerRecord) => Activity,
): Activity {
  const open = new Map<string, Activity>();
  const look = () => {
    for (const record of context.roster.records()) {
      const known = open.get(record.id);
      const isOwn = record.phase === 'live' && context.roster.isMine(record);
      if (isOwn && known === undefined) open.set(record.id, begin(context, record));
      if (isOwn || known === undefined) continue;
      open.delete(record.id);
      // Its last work may have come just before its end.
      void known.settled().then(() => known.close());
    }
  };
  const stop = context.log.onEvents((events) => {
    if (events.some(({ set }) => set?.phase !== undefined || set?.manager !== undefined)) look();
  });
  const all = async (act: (one: Activity) => Promise<void>) => {
    await Promise.all([...open.values()].map(act));
  };
  look();
  return {
    settled: () => all((one) => one.settled()),
    close: () => {
      stop();
      return all((one) => one.close());
    },
  };
}
