// Compares what the log remembers with what tmux shows: once when a server starts, and for a look at the crew.

import type { PaneInfo } from '../../backends/terminal.ts';
import { readWhole } from '../../jsonl/slice.ts';
import type { Disposer } from '../../model/clock.ts';
import { defined } from '../../model/defined.ts';
import type { CrewEvent, EventDraft, RecordChange } from '../../model/event.ts';
import { isLiveOrSpawning, type WorkerRecord } from '../../model/worker.ts';
import { withLock } from '../../system/lock.ts';
import { repeat } from '../../system/pace.ts';
import { processStart } from '../../system/process.ts';
import { closeLeftRequests } from '../attention/close-requests.ts';
import { refreshRules } from '../attention/rule-file.ts';
import { awaitTurn } from '../messages/agent-queue.ts';
import { readKept } from '../messages/kept.ts';
import { type BegunSend, handedOver, noteSettled, readTyping, sendsPath, unsettled } from '../messages/send-journal.ts';
import { watchStart } from '../screen/dialog-watch.ts';
import { lookOnce } from '../screen/screen-look.ts';
import { type CrewContext, paneRef } from '../workers/crew-context.ts';
import type { Following } from '../workers/following.ts';
import { readLastWord } from '../workers/last-word.ts';
import { lookForVerdicts, noteVerdict, paneRecord, type VerdictOf } from '../workers/pane-facts.ts';
import { draftsOf, labelOf, missedEvents } from '../workers/publish.ts';
import { awaitFact } from '../workers/timing.ts';
import { endedDraft, unseenFailures } from './unseen-end.ts';

/**
 * Follows every live worker, or those named alone, logs those that have ended, and takes over those without a manager.
 * `taken`: those that are taken from a manager that is alive, too.
 */
export async function recover(
  context: CrewContext,
  named?: readonly string[],
  taken: readonly string[] = [],
): Promise<void> {
  const isMeant = ({ id }: WorkerRecord) => named?.includes(id) ?? true;
  const claimed = context.roster.records().filter((record) => isLiveOrSpawning(record) && isMeant(record));
  if (claimed.length === 0) return;
  const verdictOf = await lookForVerdicts(context, claimed);
  for (const record of claimed) {
    const verdict = verdictOf(record);
    const isThere = verdict.is === 'alive' || verdict.is === 'unknown';
    if (isThere && record.phase === 'live') noteVerdict(context.roster.follow(record), verdict, context.clock.now());
  }
  // What it did before is told already: only what comes after the claim is news of this server.
  await Promise.all(context.roster.all().map((following) => following.caughtUp()));
  const failures = await unseenFailures(context, claimed, verdictOf);
  await claimLeft(context, claimed, { verdictOf, taken, failures });
  for (const { id } of claimed) {
    const record = context.roster.record(id);
    if (record.phase === 'live' && context.roster.isMine(record)) context.roster.follow(record);
  }
  await Promise.all(context.roster.all().map((following) => following.caughtUp()));
  lookAtSilent(context);
  // The rules may have changed while no server ran.
  await refreshRules(context, () => true);
  await Promise.all(context.roster.all().map((following) => settleSends(context, following.workerId)));
  await Promise.all(claimed.map(({ id }) => closeLeftRequests(context, context.roster.record(id))));
  await relabel(context);
}

const claimMs = 10_000;

interface Looked {
  readonly verdictOf: VerdictOf;
  /** By the worker's id. */
  readonly failures: ReadonlyMap<string, RecordChange>;
}

/** Of servers that start at once, one alone claims what an ended one has left, and says what it found. */
function claimLeft(
  context: CrewContext,
  claimed: readonly WorkerRecord[],
  { verdictOf, taken, failures }: Looked & { readonly taken: readonly string[] },
): Promise<void> {
  const { roster, log, home, me } = context;
  const claim = async () => {
    await log.catchUp();
    await roster.lookAtManagers();
    const left = claimed.filter(
      (record) =>
        isUnchanged(record, roster.record(record.id)) && (taken.includes(record.id) || !roster.isOthers(record)),
    );
    const logged = await log.sinceTime(Math.min(...left.map(({ launch }) => launch.startedAt)));
    const drafts = left.map(async (record) => {
      const found = await foundDraft(context, record, { verdictOf, failures });
      return found?.type === 'reconciled' ? [found, ...missedDrafts(context, record, logged)] : [found];
    });
    const found = (await Promise.all(drafts)).flat().filter((draft) => draft !== undefined);
    if (found.length > 0) await log.append(found);
  };
  return withLock(home.lockPath('recover'), claim, { me, timeoutMs: claimMs });
}

/** What it has come to since the last word of its server. */
function missedDrafts(
  { roster }: CrewContext,
  record: WorkerRecord,
  logged: readonly CrewEvent[],
): readonly EventDraft[] {
  const turn = roster.turn(record.id);
  const own = logged.filter(({ workerId }) => workerId === record.id);
  return turn === undefined ? [] : draftsOf(missedEvents(turn, own), turn, { record: roster.present(record) });
}

const isUnchanged = (before: WorkerRecord, now: WorkerRecord): boolean =>
  JSON.stringify([before.phase, before.manager, before.launch.number, before.pane]) ===
  JSON.stringify([now.phase, now.manager, now.launch.number, now.pane]);

/** What to log of a worker without a manager; nothing of one that this server has already. */
async function foundDraft(
  context: CrewContext,
  record: WorkerRecord,
  { verdictOf, failures }: Looked,
): Promise<EventDraft | undefined> {
  const { clock, me } = context;
  const verdict = verdictOf(record);
  const isMine = context.roster.isMine(record);
  switch (verdict.is) {
    case 'ended':
      return endedDraft(record, { detail: verdict.detail, at: clock.now(), me, failure: failures.get(record.id) });
    case 'born':
      return notedBorn(context, record, verdict.pane);
    case 'unknown':
      // It keeps the server that has left it, and so is found again.
      if (record.phase === 'spawning') context.roster.cutOff.add(record.id);
      return record.phase === 'spawning' || isMine ? undefined : takeOver(context, record, verdict.detail);
    case 'alive':
      return isMine ? undefined : takeOver(context, record);
  }
}

/**
 * Workers of servers that have ended since, as `recover` does at the start of a server, and `taken`, whoever has them.
 * With `orphans`, of the first only these.
 */
export async function takeOverOrphans(
  context: CrewContext,
  taken: readonly string[],
  orphans?: readonly string[],
): Promise<void> {
  const { roster } = context;
  await roster.lookAtManagers();
  const isLeft = (record: WorkerRecord) => !roster.isOthers(record) && (orphans?.includes(record.id) ?? true);
  const isDue = (record: WorkerRecord) => taken.includes(record.id) || isLeft(record);
  const due = roster.records().filter((record) => isLiveOrSpawning(record) && !roster.isMine(record) && isDue(record));
  const ids = due.map(({ id }) => id);
  if (ids.length > 0) await recover(context, ids, taken);
}

const takeOver = (context: CrewContext, record: WorkerRecord, unknown?: string): EventDraft => ({
  type: 'reconciled',
  workerId: record.id,
  data: { took_over_from: record.manager.pid, ...defined({ unknown }) },
  set: { manager: context.me, ...(record.closing === true ? { closing: null } : {}) },
});

const notedBorn = async ({ me }: CrewContext, { id, name }: WorkerRecord, pane: PaneInfo): Promise<EventDraft> => ({
  type: 'worker_started',
  workerId: id,
  data: { name, pane: pane.ref.id, found: 'at start' },
  set: { phase: 'live', pane: await paneRecord(pane), manager: me },
});

/** Only its screen may show an agent that has had no message yet. */
function lookAtSilent(context: CrewContext): void {
  for (const following of context.roster.all()) {
    const record = context.log.records().get(following.workerId);
    if (record !== undefined && following.state.is === 'starting') watchStart(context, record, following);
  }
}

/** Settles what a killed server was typing: it arrived, or nobody knows. Nobody types it again. */
async function settleSends(context: CrewContext, workerId: string): Promise<void> {
  const following = context.roster.following(workerId);
  if (following === undefined || !context.roster.isMine(context.roster.record(workerId))) return;
  const path = await sendsPath(context, workerId);
  const lines = await readWhole(path);
  const isOfLaunch = (send: BegunSend) => send.launch === following.launch.number;
  const [open, handed] = [unsettled(lines).filter(isOfLaunch), handedOver(lines).filter(isOfLaunch)];
  if (open.length + handed.length === 0) return;
  await following.drain();
  // Whoever types kept messages tells of them.
  const kept = new Set((await readKept(context, workerId)).map(({ id }) => id));
  const record = context.roster.record(workerId);
  const typing = await readTyping(context, workerId);
  for (const send of handed) if (!following.hasShown(send)) awaitTurn({ context, record, following }, send);
  for (const send of open) {
    const isShown = following.hasShown(send);
    // Its beginning may stand in the prompt box: `settleTornSends` looks.
    if (!isShown && send.id === typing?.id) continue;
    const verdict = isShown ? 'submitted' : 'unconfirmed';
    await noteSettled(path, { id: send.id, at: context.clock.now(), verdict });
    const data = { verdict, chars: send.chars, detail: 'begun by a server that ended' };
    if (kept.has(send.id)) continue;
    await context.log.append([{ type: 'message_sent', workerId, data }]);
  }
}

async function relabel(context: CrewContext): Promise<void> {
  for (const following of context.roster.all()) {
    const record = context.roster.record(following.workerId);
    if (record.pane === undefined || !context.roster.isMine(record)) continue;
    await context.terminal.label(paneRef(record.pane), labelOf(record, following.state.is)).catch(() => undefined);
  }
}

/** An agent that only its screen shows counts as idle after a rest; how much longer than that is waited for. */
const restSlackMs = 700;

/** Resolves when what each of them shows now is known. */
export async function lookRound(context: CrewContext): Promise<void> {
  const live = context.roster.records().filter(({ phase }) => phase === 'live');
  await context.roster.lookAtManagers();
  if (live.length === 0) return;
  const isLed = ({ word, workerId }: Following) =>
    word !== undefined && context.roster.isOthers(context.roster.record(workerId));
  const followed = live.map((record) => ({ record, following: follow(context, record) }));
  const led = followed.filter(({ following }) => isLed(following));
  const alone = followed.filter(({ following }) => !isLed(following));
  // Their server sees their panes and screens, and has said what these show.
  await Promise.all(led.map(({ following }) => following.drain()));
  if (alone.length === 0) return;
  const verdictOf = await lookForVerdicts(
    context,
    alone.map(({ record }) => record),
  );
  await Promise.all(
    alone.map(async ({ record, following }) => {
      await following.caughtUp();
      const verdict = verdictOf(record);
      noteVerdict(following, verdict, context.clock.now());
      if (verdict.is === 'alive') await lookAtScreen(context, following);
    }),
  );
}

const againMs = 2_000;

/** Looks again at workers of which nobody could tell whether they live, until somebody can. */
export function watchUnseen(context: CrewContext): Disposer {
  const { roster, clock, logger } = context;
  const onTrouble = (error: unknown) => logger.write('error', 'workers that cannot be seen were not looked for', error);
  return repeat({ clock, delayMs: againMs, onTrouble }, async () => {
    const unseen = roster.records().filter((record) => isUnseen(context, record));
    if (unseen.length === 0) return;
    const verdictOf = await lookForVerdicts(context, unseen);
    const told = unseen.filter((record) => verdictOf(record).is !== 'unknown');
    for (const record of told) {
      const following = roster.following(record.id);
      if (following !== undefined && (await isProcessSeen(following)))
        noteVerdict(following, verdictOf(record), clock.now());
    }
    const spawning = told.filter(({ phase }) => phase === 'spawning').map(({ id }) => id);
    for (const id of spawning) roster.cutOff.delete(id);
    if (spawning.length > 0) await recover(context, spawning);
    lookAtSilent(context);
  });
}

/** The system tells whether its process runs. */
const isProcessSeen = ({ agentPid }: Following): Promise<boolean> =>
  processStart(agentPid ?? 0).then(
    () => true,
    () => false,
  );

const isUnseen = ({ roster }: CrewContext, record: WorkerRecord): boolean =>
  roster.turn(record.id)?.is === 'unknown' || (record.phase === 'spawning' && roster.cutOff.has(record.id));

function follow(context: CrewContext, record: WorkerRecord): Following {
  const word = readLastWord(record.launch.dir);
  if (word?.moved !== undefined) context.roster.movedTrees.set(record.id, word.moved);
  else context.roster.movedTrees.delete(record.id);
  return context.roster.follow(record, word);
}

async function lookAtScreen(context: CrewContext, following: Following): Promise<void> {
  const record = context.roster.record(following.workerId);
  const { onScreen } = context.agents.of(record);
  if (onScreen.tells === 'turns') {
    const options = { clock: context.clock, ceilingMs: onScreen.quietMs + restSlackMs };
    await awaitFact(following, options, () => (following.state.facts.screen?.rests === true ? true : undefined));
    return;
  }
  const { is } = following.state;
  if (onScreen.tells === 'dialogs' || is === 'starting' || is === 'waiting') await lookOnce(context, record, following);
}
