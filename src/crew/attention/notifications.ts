// Notifies a person by the user's own command of what the manager has not seen already.
import pLimit from 'p-limit';
import type { Clock, Disposer } from '../../model/clock.ts';
import type { CrewEvent, JobEvent } from '../../model/event.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { run } from '../../system/exec.ts';
import { attentionKey } from '../../wire/attention.ts';
import { noticeEnvironment, passedIn } from '../environments.ts';
import { projectOf } from '../workers/budget.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import type { WorkerChange } from '../workers/roster.ts';
import { AlreadyShown, idleKey } from './already-shown.ts';
import { attentionFor } from './attention.ts';
import {
  idleNotice,
  jobNotice,
  type Notice,
  needNotice,
  reportNotice,
  secondNotice,
  secondNoticeMs,
  stuckNotice,
} from './notice.ts';
import { noteStuck, watchStuck } from './stuck.ts';

const commandMs = 10_000;
const minuteMs = 60_000;
const mostInAMinute = 12;
const mostWaiting = 20;
// A manager that waits sees it within this time; crewmux does not trouble a person with it then.
const graceMs = 2_000;

/** What this server's driver tells of tasks and plans: no other server does. */
export class JobNews {
  readonly #listeners = new Set<(events: readonly JobEvent[]) => void>();

  tell(events: readonly JobEvent[]): void {
    for (const listen of [...this.#listeners]) listen(events);
  }

  onTold(listen: (events: readonly JobEvent[]) => void): Disposer {
    this.#listeners.add(listen);
    return () => this.#listeners.delete(listen);
  }
}

/** Runs the user's command for what happens to workers of ours, but for what the manager has seen. */
export function notifyPerson(context: CrewContext, alreadyShown: AlreadyShown, jobNews: JobNews): Disposer {
  const notifier = openNotifier(context);
  const planned = new AlreadyShown(context.clock);
  const { after, cancelAll } = delayed(context.clock, notifier.notify);
  const afterGrace = (noticeNow: () => Notice | undefined) => after(graceMs, noticeNow);
  /** Once for each key, after the grace, if it still holds then and the manager has not seen it. */
  const later = (key: string, still: () => Notice | undefined) => {
    if (planned.has(key)) return;
    planned.noteKeys([key]);
    afterGrace(() => (alreadyShown.has(key) ? undefined : still()));
  };
  const needsLater = (record: WorkerRecord) => {
    const { waiting_minutes: minutes } = context.recentSettings(projectOf(record)).limits;
    for (const need of attentionFor(context, record)) {
      const key = attentionKey(need);
      const again = planned.has(key) ? undefined : secondNoticeMs(need, minutes);
      later(key, () => stillNeeded(context, record, key));
      // Whoever has seen it has not answered it by then.
      if (again !== undefined) after(again, () => stillNeeded(context, record, key, 'again'));
    }
  };
  const onChange = ({ workerId, before, after }: WorkerChange) => {
    const record = mine(context, workerId);
    if (record === undefined) return;
    needsLater(record);
    const turn = after.turn;
    if (after.is === 'idle' && before.is !== 'idle' && turn?.endedAt !== undefined)
      later(idleKey(record.id, turn.number), () => stillIdle(context, record, turn.number));
  };
  const onEvents = (events: readonly CrewEvent[]) => {
    for (const event of events) {
      const record = mine(context, event.workerId);
      if (event.type === 'report' && record !== undefined) notifier.notify(reportNotice(record, event.data));
      if ((event.type === 'ref_moved' || event.type === 'worker_dead') && record !== undefined) needsLater(record);
    }
  };
  const onJobs = (events: readonly JobEvent[]) => {
    for (const event of events) {
      const found = jobNotice(event, context.cwd);
      // A wait may tell it just before its event. What was told of its last end or wait tells nothing of this one.
      const since = context.clock.now() - graceMs;
      if (found !== undefined) afterGrace(() => (alreadyShown.hasSince(found.key, since) ? undefined : found.notice));
    }
  };
  const onStuck = async (record: WorkerRecord, silentMs: number) => {
    if (await noteStuck(context, record, silentMs)) notifier.notify(stuckNotice(record, silentMs));
  };
  const stops = [
    context.roster.onChange(onChange),
    context.log.onEvents(onEvents),
    jobNews.onTold(onJobs),
    watchStuck(context, (record, silentMs) => void onStuck(record, silentMs)),
    notifier.close,
    cancelAll,
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Notices that wait, each made when its time has come. */
function delayed(clock: Clock, notify: (notice: Notice) => void) {
  const timers = new Set<Disposer>();
  return {
    after(delayMs: number, noticeNow: () => Notice | undefined): void {
      const cancel = clock.after(delayMs, () => {
        timers.delete(cancel);
        const notice = noticeNow();
        if (notice !== undefined) notify(notice);
      });
      timers.add(cancel);
    },
    cancelAll(): void {
      for (const cancel of timers) cancel();
    },
  };
}

function mine(context: CrewContext, workerId: string): WorkerRecord | undefined {
  const record = context.log.records().get(workerId);
  return record !== undefined && context.roster.isMine(record) ? record : undefined;
}

function stillNeeded(
  context: CrewContext,
  { id }: WorkerRecord,
  key: string,
  time: 'first' | 'again' = 'first',
): Notice | undefined {
  const record = mine(context, id);
  const need = record && attentionFor(context, record).find((one) => attentionKey(one) === key);
  if (record === undefined || need === undefined) return undefined;
  return time === 'first' ? needNotice(record, need) : secondNotice(record, need, context.clock.now());
}

function stillIdle(context: CrewContext, { id }: WorkerRecord, turn: number): Notice | undefined {
  const record = mine(context, id);
  const state = context.roster.turn(id);
  if (record === undefined || record.phase !== 'live' || state?.is !== 'idle') return undefined;
  return state.turn?.number === turn ? idleNotice(record, state.turn.endedBy ?? 'completed') : undefined;
}

/** Whether one more command may run now, given when the earlier ones ran. Pure. */
export const hasRoom = (notifiedAt: readonly number[], now: number): boolean =>
  notifiedAt.filter((at) => now - at < minuteMs).length < mostInAMinute;

interface Notifier {
  /** Does nothing where no command is set, or where the settings leave out this kind. */
  notify(notice: Notice): void;
  /** Ends the command that runs. */
  close(): void;
}

/** Runs one command at a time, and only so many a minute. */
function openNotifier(context: CrewContext): Notifier {
  const stop = new AbortController();
  const inTurn = pLimit(1);
  let notifiedAt: readonly number[] = [];
  let skipped = 0;
  let lastFailure: string | undefined;
  const notifyNow = async (command: readonly string[], notice: Notice) => {
    const failure = await runCommand(context, { command, notice, skipped, signal: stop.signal });
    skipped = 0;
    if (failure !== undefined && failure !== lastFailure) context.logger.write('warn', failure);
    lastFailure = failure;
  };
  return {
    notify(notice) {
      const { command = [], on } = context.settingsFor(notice.projectPath).settings.notifications;
      const kind = [notice.kind, notice.also].find((one) => one !== undefined && on.includes(one));
      if (command.length === 0 || stop.signal.aborted || kind === undefined) return;
      const now = context.clock.now();
      notifiedAt = notifiedAt.filter((at) => now - at < minuteMs);
      if (!hasRoom(notifiedAt, now) || inTurn.pendingCount >= mostWaiting) {
        skipped += 1;
        return;
      }
      notifiedAt = [...notifiedAt, now];
      void inTurn(() => notifyNow(command, { ...notice, kind }));
    },
    close() {
      inTurn.clearQueue();
      stop.abort();
    },
  };
}

interface CommandRun {
  readonly command: readonly string[];
  readonly notice: Notice;
  readonly skipped: number;
  readonly signal: AbortSignal;
}

/** The text goes as the last two arguments, in the environment and as JSON on stdin; never through a shell. */
async function runCommand(
  context: CrewContext,
  { command, notice, skipped, signal }: CommandRun,
): Promise<string | undefined> {
  const [program = '', ...args] = command;
  const { kind, workerId, name, projectPath, title } = notice;
  const body = skipped === 0 ? notice.body : `${notice.body} (and ${skipped} more)`;
  const result = await run(program, [...args, title, body], {
    cwd: context.cwd,
    env: {
      ...noticeEnvironment(context.environment.server, passedIn(context, projectPath)),
      CREWMUX_NOTICE: kind,
      CREWMUX_NOTICE_WORKER: name,
    },
    input: `${JSON.stringify({ kind, session_id: workerId, name, project_path: projectPath, title, body })}\n`,
    timeoutMs: commandMs,
    signal,
    wholeTree: 'when-stopped',
  });
  if (result.exitCode === 0 || signal.aborted) return undefined;
  const why = result.startError ?? (result.timedOut ? `it took more than ${commandMs} ms` : `exit ${result.exitCode}`);
  return `notifications.command ${JSON.stringify(command)} failed: ${why} ${result.stderr.slice(0, 500)}`.trim();
}
