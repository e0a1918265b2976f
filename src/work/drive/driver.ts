// Drives the tasks and plans of one crew: holds its lease, and takes one step after the other while there is one.
import type { Crew, Run } from '../../crew/api.ts';
import type { Clock, Disposer } from '../../model/clock.ts';
import { defined } from '../../model/defined.ts';
import type { JobEventType } from '../../model/event.ts';
import type { Plan, Task } from '../../model/task.ts';
import { isPast } from '../../model/task-state.ts';
import type { OpenBook, TaskPatch } from '../../store/job-book.ts';
import { withLock } from '../../system/lock.ts';
import type { Log } from '../../system/log.ts';
import { oneAtATime } from '../../system/pace.ts';
import type { ProcessRef } from '../../system/process.ts';
import { taskEvent, tellsOf } from '../judge/events.ts';
import type { Facts } from '../judge/facts.ts';
import { isAtRest, nextDue } from '../judge/next-step.ts';
import { isHeldByPause, isStartNote } from '../judge/pause.ts';
import { nextLook } from '../rhythm/owed.ts';
import { finishPlan } from './finish.ts';
import { type Firing, fireAndNote, noteSchedule } from './fire.ts';
import { iterate, noteLoop } from './iterate.ts';
import { type JobBooks, worksIn } from './job-books.ts';
import { type Lease, openLease } from './lease.ts';
import { openCostLooks } from './loop-cost.ts';
import { notePlan } from './note-plan.ts';
import { performTask } from './perform.ts';
import { judgeAndNote } from './planning.ts';
import { accountsFor, othersIn, rolesFor, workersIn } from './start-facts.ts';
import { type AnyStep, idOf, nextOfAll } from './step.ts';

/** Of the settings, as they are now. */
export interface TaskLimits {
  readonly maxParallel: number;
  readonly startsSubtasks: boolean;
  readonly timeoutMinutes?: number;
}

export interface DriverParts {
  readonly crew: Crew;
  readonly book: OpenBook;
  readonly jobBooks: JobBooks;
  readonly clock: Clock;
  readonly me: ProcessRef;
  readonly logger: Log;
  /** One lease for the crew; one lock for all that would begin work. */
  readonly locks: { readonly lease: string; readonly room: string };
  /** For what tells of failures. */
  readonly folder: string;
  readonly limits: () => TaskLimits;
  /** Which workers of ended servers it takes over: all, or only those of its tasks. */
  readonly adopts: 'all' | 'its-own';
  /** Enters what a schedule is for. */
  readonly enter: Firing['enter'];
}

const gatherMs = 15;
const roomTimeoutMs = 2_000;
const retryMs = 2_000;
const longestWaitMs = 3_600_000;
// A full disk keeps what became of it from being noted, and its check would run again.
const fireAgainMs = 60_000;

export class Driver {
  readonly #parts: DriverParts;
  readonly #acts = new Map<
    string,
    { readonly do: AnyStep['do']; readonly ended: Promise<void>; readonly stop: AbortController }
  >();
  /** Workers that an act under way has taken for its task, by id. */
  readonly #claimed = new Set<string>();
  readonly #lease: Lease;
  readonly #stops: readonly Disposer[];
  readonly #look = oneAtATime(() =>
    this.#takeSteps().catch((error: unknown) => {
      this.#parts.logger.write('error', 'the tasks could not be driven', error);
      this.#wakeAfter(retryMs);
    }),
  );
  #cancelTimer: Disposer = () => undefined;
  #cancelSoon: Disposer | undefined;
  #cancelTakeOver: Disposer | undefined;
  #roles: Facts['roles'] = new Map();
  #spent: NonNullable<Facts['spent']> = new Map();
  readonly #lookAtCost: ReturnType<typeof openCostLooks>;
  #isClosed = false;
  /** What an ended server has left is known. */
  #isReady = false;

  constructor(parts: DriverParts) {
    this.#parts = parts;
    const { book, crew, jobBooks, clock, me, locks, logger } = parts;
    this.#lookAtCost = openCostLooks(crew);
    this.#lease = openLease({
      ...{ path: locks.lease, me, clock, onTaken: () => void this.#takeOver() },
      isWanted: () => !isAtRest({ book: book.now() }),
      onTrouble: (error) => logger.write('error', 'the lease of the tasks could not be taken', error),
    });
    this.#stops = [
      book.onChange(() => this.#lease.tryNow()),
      jobBooks.onChange(() => this.wake()),
      crew.onChange(() => this.#wakeSoon()),
    ];
  }

  /** Another server drives this crew, or nothing has to be driven, unless this is so. */
  get isDriving(): boolean {
    return this.#lease.isHeld;
  }

  /** Looks for steps again; what comes while it looks is looked at after it. */
  wake(): void {
    if (!this.#isClosed && this.#isReady) void this.#look();
  }

  /** The workers of the one that drove before are ours as well. */
  async #takeOver(workers: readonly string[] = []): Promise<void> {
    const { crew, logger, adopts } = this.#parts;
    await crew.takeOver(workers, adopts === 'all' ? undefined : workersIn(this.#facts())).catch((error: unknown) => {
      logger.write('error', 'the workers of an ended server could not be taken over', error);
    });
    this.#isReady = true;
    this.wake();
  }

  /**
   * Nobody but the driver brings their tasks on. Who lets go of the lease lives on for a moment, and keeps its workers
   * until its end; another server that starts meanwhile may have found them without a manager.
   */
  #takeOverSoon(facts: Facts): void {
    if (this.#cancelTakeOver !== undefined || othersIn(facts).length === 0) return;
    this.#cancelTakeOver = this.#parts.clock.after(retryMs, () => {
      this.#cancelTakeOver = undefined;
      if (!this.#isClosed) void this.#takeOver(othersIn(this.#facts()));
    });
  }

  /** Workers at work change many times a second. */
  #wakeSoon(): void {
    if (this.#cancelSoon !== undefined || this.#isClosed) return;
    this.#cancelSoon = this.#parts.clock.after(gatherMs, () => {
      this.#cancelSoon = undefined;
      this.wake();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelTimer();
    this.#cancelSoon?.();
    this.#cancelTakeOver?.();
    for (const stop of this.#stops) stop();
    for (const { stop } of this.#acts.values()) stop.abort();
    await this.#look();
    await Promise.allSettled([...this.#acts.values()].map(({ ended }) => ended));
    await this.#lease.close();
  }

  async #takeSteps(): Promise<void> {
    while (!this.#isClosed) {
      if (isAtRest({ book: this.#parts.book.now() })) return;
      this.#roles = await rolesFor(this.#parts.crew, this.#parts.book.now);
      this.#spent = await this.#lookAtCost(this.#parts.book.now());
      const facts = this.#facts();
      this.#stopCancelled(facts);
      const step = nextOfAll(facts);
      if (step === undefined) return this.#wakeWhenDue(facts);
      if (('plan' in step || 'task' in step) && isHeldByPause(step) && (await this.#hasNews(facts))) continue;
      await this.#take(step);
    }
  }

  #facts(): Facts {
    const { crew, book, clock, jobBooks, limits } = this.#parts;
    const { maxParallel, startsSubtasks, timeoutMinutes: taskTimeoutMinutes } = limits();
    return {
      now: clock.now(),
      book: book.now(),
      works: worksIn(
        { crew },
        [book],
        [...book.now().tasks.values()].filter((task) => !isPast(book.now(), task)),
      ),
      busy: new Set(this.#acts.keys()),
      room: maxParallel - jobBooks.active(),
      startsSubtasks,
      accounts: accountsFor(crew, book.now()),
      roles: this.#roles,
      spent: this.#spent,
      ...defined({ taskTimeoutMinutes }),
    };
  }

  /** Another server may have paused the project just now. */
  async #hasNews({ book: known }: Facts): Promise<boolean> {
    const { book } = this.#parts;
    await book.catchUp();
    return book.now() !== known;
  }

  #wakeWhenDue(facts: Facts): void {
    this.#cancelTimer();
    this.#takeOverSoon(facts);
    const times = [nextDue(facts), nextLook(facts)].filter((at) => at !== undefined);
    if (times.length > 0) this.#wakeAfter(Math.min(longestWaitMs, Math.max(1, Math.min(...times) - facts.now)));
  }

  #wakeAfter(delayMs: number): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#parts.clock.after(delayMs, () => this.wake());
  }

  /** What is cancelled while it lands need not run to its end. */
  #stopCancelled({ book: { tasks, plans }, busy }: Facts): void {
    for (const id of busy) {
      const task = tasks.get(id);
      const plan = plans.get(task?.planId ?? id);
      const act = this.#acts.get(id);
      if ((task?.isCancelled || plan?.isCancelled) && act?.do !== 'stop' && act?.do !== 'close') act?.stop.abort();
    }
  }

  async #take(step: AnyStep): Promise<void> {
    switch (step.do) {
      case 'note':
        return isStartNote(step)
          ? this.#noteStarting(step.task, step.set)
          : this.#noteTask(step.task, step.set, step.tell);
      case 'note-plan':
        return notePlan(this.#parts, step.plan, step);
      case 'judge':
        return this.#begin(step, () => judgeAndNote({ ...this.#parts, facts: () => this.#facts() }, step.plan));
      case 'finish':
        return this.#begin(step, (run) => this.#finish(step.plan, run));
      case 'note-loop':
        return noteLoop(this.#parts, step);
      case 'plan-again':
        return this.#begin(step, () => iterate(this.#parts, step.loop));
      case 'note-schedule':
        return noteSchedule(this.#parts, step);
      case 'fire':
        return this.#begin(step, (run) => fireAndNote(this.#parts, step, run));
      default:
        return this.#begin(step, (run) => this.#perform(step.do, step.task, run));
    }
  }

  #begin(step: AnyStep, act: (run: Run) => Promise<void>): void {
    const id = idOf(step);
    const { clock, logger } = this.#parts;
    const stop = new AbortController();
    const end = () => {
      this.#acts.delete(id);
      this.wake();
    };
    // It would fail again at once.
    const endLater = (error: unknown) => {
      logger.write('error', `a step of ${id} failed`, error);
      clock.after(step.do === 'fire' ? fireAgainMs : retryMs, end);
    };
    const ended = act({ signal: stop.signal, tell: () => undefined }).then(end, endLater);
    this.#acts.set(id, { do: step.do, ended, stop });
  }

  async #perform(act: Parameters<typeof performTask>[1], task: Task, run: Run): Promise<void> {
    // Its task may have been over when an ended server left it, and goes on by somebody's word.
    if (task.worker !== undefined) await this.#parts.crew.takeOver([], [task.worker.id]);
    const acting = { ...this.#parts, facts: () => this.#facts(), run, claimed: this.#claimed };
    const change = await performTask(acting, act, task);
    if (change === undefined) return;
    try {
      await this.#noteTask(task, change, tellsOf(task, change.progress));
    } finally {
      if (change.worker) this.#claimed.delete(change.worker.id);
    }
  }

  async #finish(plan: Plan, run: Run): Promise<void> {
    const { crew, clock, book } = this.#parts;
    const change = await finishPlan({ crew, run, now: clock.now, book: book.now }, plan);
    if (change !== undefined)
      await notePlan(this.#parts, plan, { set: change, ...(change.state === 'completed' && { tell: 'plan_ended' }) });
  }

  /** Whoever starts work counts all that is at work first, alone. */
  #noteStarting(task: Task, set: Omit<TaskPatch, 'id'>): Promise<void> {
    const { book, jobBooks, locks, me, limits } = this.#parts;
    const act = async () => {
      await jobBooks.openAll();
      const mayStart = book.now().pausedAt === undefined && jobBooks.active() < limits().maxParallel;
      if (mayStart) await this.#noteTask(task, set);
    };
    return withLock(locks.room, act, { me, timeoutMs: roomTimeoutMs });
  }

  async #noteTask(task: Task, set: Omit<TaskPatch, 'id'>, tell?: JobEventType): Promise<void> {
    const { book, crew } = this.#parts;
    await book.write({ tasks: [{ id: task.id, ...set }] });
    const now = book.now().tasks.get(task.id);
    if (tell !== undefined && now !== undefined) await crew.tell([taskEvent(now, tell)]);
  }
}
