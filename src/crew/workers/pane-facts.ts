// Whether a worker still has its pane: by what tmux lists, and by the process of its server where that does not answer.

import type { PaneInfo, PaneList } from '../../backends/terminal.ts';
import { advise, call } from '../../model/advice.ts';
import { defined } from '../../model/defined.ts';
import { CrewError, messageOf } from '../../model/errors.ts';
import type { PaneSignal } from '../../model/turn.ts';
import type { PaneRecord, WorkerRecord } from '../../model/worker.ts';
import { tryUntil } from '../../system/pace.ts';
import { isAlive, processStart } from '../../system/process.ts';
import { type CrewContext, hasPane } from './crew-context.ts';
import type { Following } from './following.ts';

export interface PaneFacts {
  /** Of the tmux server at the worker's socket, or why there is none. */
  readonly listing: PaneList | { readonly failed: string };
  /** Of the process of the server that had its pane, where another one answered, or nobody. */
  readonly server: 'runs' | 'ended' | 'unknown';
}

/** As its signal has it. */
type PaneEnd = Pick<Extract<PaneSignal, { kind: 'gone' }>, 'detail' | 'exit'>;

export type PaneVerdict =
  | { readonly is: 'alive' }
  /** Its server ended after it had started the agent, and before it had written that down. */
  | { readonly is: 'born'; readonly pane: PaneInfo }
  | ({ readonly is: 'ended' } & PaneEnd)
  | { readonly is: 'unknown'; readonly detail: string };

/** None where they could not be listed. */
export const panesOf = ({ listing }: PaneFacts): readonly PaneInfo[] => ('failed' in listing ? [] : listing.panes);

/** Whether the worker of a live record still has its pane. Pure. */
export function verdictOn(record: WorkerRecord, { listing, server }: PaneFacts): PaneVerdict {
  if ('failed' in listing) return { is: 'unknown', detail: `its pane could not be listed: ${listing.failed}` };
  const { panes } = listing;
  if (record.pane === undefined) {
    const born = panes.find(({ marks, dead }) => marks.worker === record.id && !dead);
    if (born !== undefined && record.launch.number > 0) return { is: 'born', pane: born };
    return { is: 'ended', detail: 'the server ended while it was being spawned' };
  }
  const pane = panes.find(({ ref }) => hasPane(record, ref));
  if (pane === undefined) return isFrom(listing, record.pane) ? paneIsGone : unlisted(record.pane, server);
  if (pane.marks.worker !== undefined && pane.marks.worker !== record.id)
    return { is: 'ended', detail: 'its pane is another worker’s by now' };
  const isItsOwn = pane.pid === record.pane.pid;
  if (pane.dead)
    return { is: 'ended', ...(isItsOwn ? exitOf(pane) : { detail: 'its pane ran another program since' }) };
  return isItsOwn ? { is: 'alive' } : { is: 'ended', detail: 'its pane runs another program by now' };
}

const paneIsGone: PaneVerdict = { is: 'ended', detail: 'its pane is gone' };

const isFrom = ({ server }: PaneList, pane: Pick<PaneRecord, 'serverPid' | 'serverStartedAt'>): boolean =>
  server?.serverPid === pane.serverPid && server.serverStartedAt === pane.serverStartedAt;

/** Its server did not answer: its socket may be gone, or another server may have taken its place there. */
function unlisted({ serverPid, socket }: PaneRecord, server: PaneFacts['server']): PaneVerdict {
  if (server === 'ended') return paneIsGone;
  const detail =
    server === 'runs'
      ? `its tmux server, process ${serverPid}, runs and is not to be reached at socket ${socket}; \`kill -USR1 ${serverPid}\` makes it listen there again`
      : `nobody answers for its tmux server, and whether process ${serverPid} runs could not be read`;
  return { is: 'unknown', detail };
}

type Exited = Pick<PaneInfo, 'exitCode' | 'exitSignal'>;

export const exitOf = (pane: Exited): PaneEnd => ({
  detail: exitDetail(pane),
  exit: defined({ code: pane.exitCode, by: pane.exitSignal }),
});

function exitDetail(pane: Exited): string {
  if (pane.exitSignal !== undefined) return `ended by signal ${pane.exitSignal}`;
  return pane.exitCode === undefined ? 'ended' : `exit code ${pane.exitCode}`;
}

/** Looks once at each tmux server that these workers need. Never rejects. */
export function lookAtPanes(
  { terminal, tmux, logger }: CrewContext,
  records: readonly WorkerRecord[],
): Promise<(record: WorkerRecord) => PaneFacts> {
  const list = (socket: string) =>
    terminal
      .of(socket)
      .listWithServer()
      .catch((error: unknown) => {
        logger.write('error', `tmux could not be asked which panes live at ${socket}`, error);
        throw error;
      });
  return paneFactsOf(records, { socket: tmux.socket, list });
}

export type VerdictOf = (record: WorkerRecord) => PaneVerdict;

/** tmux shows a pane as dead a moment before it knows how its process ended. */
const reapedWithin = { tries: 10, pauseMs: 60 };

/** What such a look shows of each of them. Never rejects. */
export function lookForVerdicts(context: CrewContext, records: readonly WorkerRecord[]): Promise<VerdictOf> {
  const look = async (): Promise<VerdictOf> => {
    const factsOf = await lookAtPanes(context, records);
    return (record) => verdictOn(record, factsOf(record));
  };
  return tryUntil(look, (verdictOf) => !records.some((record) => isUnreaped(verdictOf(record))), reapedWithin);
}

/** Its exit will be known in a moment. Pure. */
export const isUnreaped = (verdict: PaneVerdict): boolean =>
  verdict.is === 'ended' &&
  verdict.exit !== undefined &&
  verdict.exit.code === undefined &&
  verdict.exit.by === undefined;

/** As `lookAtPanes`; `socket` is that of a worker without a pane. */
export async function paneFactsOf(
  records: readonly WorkerRecord[],
  from: { readonly socket: string; readonly list: (socket: string) => Promise<PaneList> },
): Promise<(record: WorkerRecord) => PaneFacts> {
  const socketOf = ({ pane }: WorkerRecord) => pane?.socket ?? from.socket;
  const listed = async (socket: string): Promise<[string, PaneFacts['listing']]> => [
    socket,
    await from.list(socket).catch((error: unknown) => ({ failed: messageOf(error) })),
  ];
  const listings = new Map(await Promise.all([...new Set(records.map(socketOf))].map(listed)));
  const listingOf = (record: WorkerRecord) => listings.get(socketOf(record)) ?? { failed: 'nobody asked tmux' };
  const silent = records.filter((record) => isSilent(record, listingOf(record)));
  const servers = new Map(await Promise.all(silent.map(async ({ id, pane }) => [id, await serverOf(pane)] as const)));
  return (record) => ({ listing: listingOf(record), server: servers.get(record.id) ?? 'ended' });
}

const isSilent = ({ pane }: WorkerRecord, listing: PaneFacts['listing']): boolean =>
  pane !== undefined && !('failed' in listing) && !isFrom(listing, pane);

/** A record of an earlier version does not tell one process of this pid from the next. */
async function serverOf(pane: PaneRecord | undefined): Promise<PaneFacts['server']> {
  if (pane?.serverProcessStart === undefined) return 'ended';
  const server = { pid: pane.serverPid, processStart: pane.serverProcessStart };
  return isAlive(server).then(
    (alive) => (alive ? 'runs' : 'ended'),
    () => 'unknown',
  );
}

export async function paneRecord({ ref, windowId, session, pid }: PaneInfo): Promise<PaneRecord> {
  const { socket, serverPid, serverStartedAt, id: paneId } = ref;
  const serverProcessStart = await processStart(serverPid).catch(() => undefined);
  return { socket, serverPid, serverStartedAt, paneId, windowId, session, pid, ...defined({ serverProcessStart }) };
}

/** Notes what a look has shown of a worker that is followed. */
export function noteVerdict(following: Following, verdict: PaneVerdict, at: number): void {
  const { is, facts } = following.state;
  if (verdict.is === 'unknown') noteUnseen(following, verdict.detail, at);
  else if (verdict.is === 'ended' && is !== 'gone') {
    const { is: _, ...end } = verdict;
    following.apply({ from: 'pane', kind: 'gone', at, ...end });
  } else if (verdict.is !== 'ended' && facts.unseen !== undefined) following.apply({ from: 'pane', kind: 'seen', at });
}

export function noteUnseen(following: Following, detail: string, at: number): void {
  const { is, facts } = following.state;
  if (is !== 'gone' && facts.unseen?.detail !== detail) following.apply({ from: 'pane', kind: 'unseen', at, detail });
}

/** The refusal of an act that would rest on a guess. */
export const cannotTell = (name: string, detail: string): CrewError =>
  new CrewError(
    'tmux_failed',
    `Nobody can tell whether ${name} lives: ${detail}. Nothing was changed.`,
    advise`Do what the message says, or see ${call('doctor', '`crewmux doctor`')}; then try again.`,
  );
