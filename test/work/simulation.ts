// Drives a book in the world of the mind until nothing moves, with a manager who decides, and kills of the driver.

import { defined } from '../../src/model/defined.ts';
import { type Book, emptyBook, type Plan, planHasEnded, type Task } from '../../src/model/task.ts';
import { stateOf } from '../../src/model/task-progress.ts';
import { errorKey, hasEnded, isActive, isSettled } from '../../src/model/task-state.ts';
import { type BookChange, foldLines } from '../../src/store/job-book.ts';
import { finishPlan } from '../../src/work/drive/finish.ts';
import { performTask } from '../../src/work/drive/perform.ts';
import { nextCallsOf } from '../../src/work/judge/calls.ts';
import { actionsAt, type Checkpoint, checkpointsOf } from '../../src/work/judge/checkpoint.ts';
import { type DriverStep, type Facts, jobsOf, mergeKey, planPrKey, workOf } from '../../src/work/judge/facts.ts';
import { nextDue, nextStep } from '../../src/work/judge/next-step.ts';
import { isHeldByPause } from '../../src/work/judge/pause.ts';
import { chance, type Trouble, World } from './world.ts';

export interface Simulated {
  readonly plan: Plan;
  readonly tasks: readonly Task[];
  /** Chooses outcomes. */
  readonly seed: number;
  /** Chooses what happens first. */
  readonly order: number;
  readonly limit: number;
  readonly roleMost?: number;
  /** How likely the driver is killed at a moment. */
  readonly kills: number;
  readonly folder: string;
  readonly trouble?: Trouble;
  /** All tests fail, with each job and without it. */
  readonly isRed?: boolean;
  /** The manager decides by the seed unless he takes the plainest way each time. */
  readonly isPlain?: boolean;
  /** Kills the driver once: at the first moment for which it says how. */
  readonly killAt?: (moment: { readonly book: Book; readonly acts: readonly Act['do'][] }) => Killing | undefined;
  /** Called at some moments: what somebody changes on the way. */
  readonly steer?: (book: Book, dice: () => number) => BookChange | undefined;
  /** How likely somebody talks at a moment to a worker whose work waits to land. */
  readonly talks?: number;
}

/** What is under way has not begun, or has happened and is not noted; a start may have left a worker that was never up. */
export type Killing = 'undone' | 'happened' | 'unborn';

type Act = Exclude<DriverStep, { readonly do: 'note' | 'note-plan' | 'judge' }>;

/** An act that has begun; `change` where it has happened, but is not noted yet. */
interface Begun {
  readonly act: Act;
  change?: BookChange;
}

const mostMoments = 20_000;
const mostNotes = 400;

export class Simulation {
  book: Book = emptyBook;
  readonly world: World;
  readonly offences: string[] = [];
  killed = 0;
  private readonly busy = new Map<string, Begun>();
  private readonly given: Simulated;
  private rolls = 0;

  constructor(given: Simulated) {
    this.given = given;
    this.world = new World(given.seed, () => this.book, given.trouble);
    this.world.isRed = given.isRed ?? false;
    this.write({ plans: [given.plan], tasks: given.tasks });
  }

  private dice = (): number => chance(this.given.order, 'roll', this.rolls++);

  write(change: BookChange) {
    this.book = foldLines(this.book, [JSON.stringify({ v: 3, ...change })]);
  }

  private facts = (): Facts => ({
    now: this.world.now(),
    book: this.book,
    works: this.world.works(),
    busy: new Set(this.busy.keys()),
    room: this.given.limit - this.active().length,
    ...{ startsSubtasks: false, accounts: new Map() },
    roles: new Map([...this.book.tasks.keys()].map((id) => [id, defined({ maxParallel: this.given.roleMost })])),
  });

  private active = (): readonly Task[] => [...this.book.tasks.values()].filter(isActive);

  /** Until nobody has anything to do or to decide. */
  async run(): Promise<this> {
    for (let moment = 0; moment < mostMoments; moment++) {
      this.drive();
      const killing = this.killingNow();
      if (killing !== undefined) await this.kill(killing);
      else if (!(await this.happen())) {
        if (this.book.pausedAt === undefined) this.checkRest();
        if (!this.decide()) return this;
      }
    }
    this.offences.push('it never comes to rest');
    return this;
  }

  private drive() {
    for (let notes = 0; notes < mostNotes; notes++) {
      const step = nextStep(this.facts());
      if (step === undefined) return;
      if (step.do === 'note') this.write({ tasks: [{ id: step.task.id, ...step.set }] });
      else if (step.do === 'note-plan') this.write({ plans: [{ id: step.plan.id, ...step.set }] });
      else if (step.do !== 'judge') this.begin(step);
      this.checkLimits();
    }
    this.offences.push(`it spins: ${JSON.stringify(nextStep(this.facts())).slice(0, 400)}`);
  }

  private begin(act: Act) {
    if (this.book.pausedAt && isHeldByPause(act)) this.offences.push(`${act.do} in a pause`);
    this.busy.set(act.do === 'finish' ? act.plan.id : act.task.id, { act });
    if (act.do === 'land' && act.task.planId !== undefined) this.checkApproval(act.task.decisions, mergeKey(act.task));
    if (act.do === 'finish')
      this.checkApproval(act.plan.decisions, act.plan.onComplete === 'pr' ? planPrKey(act.plan) : mergeKey(act.plan));
  }

  private checkApproval(decisions: Task['decisions'], key: string) {
    if (this.given.plan.mode === 'supervisor' && decisions[key]?.action !== 'continue')
      this.offences.push(`landed without ${key}`);
  }

  private checkLimits() {
    const { plan, limit, roleMost = limit } = this.given;
    const most = Math.min(limit, plan.maxParallel ?? limit);
    const [all, inRole] = [this.active(), this.active().filter(({ role }) => role !== undefined)];
    if (all.length > most || inRole.length > roleMost)
      this.offences.push(`${all.length} are at work (${most} may), ${inRole.length} in the role (${roleMost} may)`);
  }

  /** One thing of all that may happen now; false where nothing can. */
  private async happen(): Promise<boolean> {
    const acts = [...this.busy.values()].map((begun) => () => this.goOn(begun));
    const all = [...acts, ...this.world.happenings()];
    const steer = this.dice() < 0.05 ? this.given.steer?.(this.book, this.dice) : undefined;
    if (steer !== undefined) this.write(steer);
    if (this.dice() < (this.given.talks ?? 0)) this.talk();
    const [one] = all.splice(Math.floor(this.dice() * all.length), 1);
    if (one !== undefined) {
      await one();
      this.world.passTo(0);
      return true;
    }
    const due = nextDue(this.facts());
    if (due !== undefined) this.world.passTo(due);
    return due !== undefined || steer !== undefined;
  }

  private talk() {
    const landing = [...this.book.tasks.values()].filter((task) => stateOf(task) === 'landing');
    const worker = landing[Math.floor(this.dice() * landing.length)]?.worker;
    if (worker !== undefined) this.world.talk(worker.id);
  }

  /** First it happens, and later that is noted. */
  private async goOn(begun: Begun) {
    if (begun.change === undefined) begun.change = await this.perform(begun.act);
    else {
      this.busy.delete(begun.act.do === 'finish' ? begun.act.plan.id : begun.act.task.id);
      this.write(begun.change);
    }
  }

  private async perform(act: Act): Promise<BookChange> {
    const run = { signal: new AbortController().signal, tell: () => undefined };
    const { crew } = this.world;
    if (act.do === 'finish') {
      const reports = async () => ({ reports: [], count: 0 });
      const finishing = { crew: { ...crew, reports }, run, now: this.world.now, book: () => this.facts().book };
      const change = await finishPlan(finishing, act.plan);
      return change === undefined ? {} : { plans: [{ id: act.plan.id, ...change }] };
    }
    const acting = { crew, folder: this.given.folder, facts: this.facts, run, claimed: new Set<string>() };
    const change = await performTask(acting, act.do, act.task);
    return change === undefined ? {} : { tasks: [{ id: act.task.id, ...change }] };
  }

  /** What is under way has happened or not, and nobody has noted it. */
  private async kill(killing: Killing | 'any') {
    this.killed++;
    for (const { act, change } of this.busy.values()) {
      if (change !== undefined) continue;
      const dice = killing === 'any' ? this.dice() : { happened: 0, unborn: 0.5, undone: 1 }[killing];
      if (dice < 0.4) await this.perform(act);
      else if (dice < 0.6 && act.do === 'start') this.leaveUnborn(act.task);
    }
    this.busy.clear();
  }

  private killingNow(): Killing | 'any' | undefined {
    if (this.dice() < this.given.kills) return 'any';
    const begun = [...this.busy.values()].filter(({ change }) => change === undefined);
    return this.killed > 0 ? undefined : this.given.killAt?.({ book: this.book, acts: begun.map(({ act }) => act.do) });
  }

  private leaveUnborn({ id, attempt }: Task) {
    const agent = this.world.bear({ id, attempt }, '');
    agent.isUnborn = true;
    agent.status = 'dead';
  }

  /** Whatever stands still says what would let it go on. */
  private checkRest() {
    const { book } = this;
    for (const plan of book.plans.values()) {
      const jobs = jobsOf(book, plan);
      if (plan.state === 'completed' && !jobs.every(isSettled)) this.offences.push(`${plan.name} completed too early`);
      if (planHasEnded(plan) || checkpointsOf(book, plan).length > 0) continue;
      if (!jobs.some((job) => !hasEnded(job) && this.callsOf(job).length > 0))
        this.offences.push(`${plan.name} is ${plan.state} and stands still`);
    }
    this.checkClosed();
    for (const task of book.tasks.values()) {
      if (hasEnded(task) && !(stateOf(task) === 'failed' && !task.isSkipped)) continue;
      const plan = task.planId === undefined ? undefined : book.plans.get(task.planId);
      if (
        plan?.isCancelled ||
        ((stateOf(task) === 'queued' || stateOf(task) === 'landing') && plan?.state === 'paused')
      )
        continue;
      if (stateOf(task) === 'queued' && plan !== undefined && !planHasEnded(plan)) continue;
      if (this.callsOf(task).length === 0) this.offences.push(`${task.title} is ${stateOf(task)} with no call`);
    }
  }

  /** Of a job for which nothing can be tried again no worker is left open, but for starts of one that never had any. */
  private checkClosed() {
    for (const { id, task: tag, status, isUnborn } of this.world.agents) {
      const task = this.book.tasks.get(tag.id);
      const plan = this.book.plans.get(task?.planId ?? '');
      const isOver = task !== undefined && hasEnded(task) && (isSettled(task) || plan?.isCancelled);
      const isLeft = isUnborn && task !== undefined && stateOf(task) === 'cancelled';
      if (isOver && plan !== undefined && status !== 'closed' && !isLeft)
        this.offences.push(`${tag.id} is ${stateOf(task)}, and its worker ${id} is ${status}`);
    }
  }

  private callsOf(task: Task): readonly string[] {
    const plan = task.planId === undefined ? undefined : this.book.plans.get(task.planId);
    return nextCallsOf(task, { book: this.book, work: workOf(this.facts(), task), plan });
  }

  /** The manager's turn: the same decision for the same moment, whatever came before it. False where it leaves all as it is. */
  private decide(): boolean {
    const { book } = this;
    let hasDecided = book.pausedAt !== undefined;
    if (hasDecided) this.write({ pausedAt: null });
    for (const plan of book.plans.values()) {
      for (const point of checkpointsOf(book, plan)) {
        this.write(this.decisionAt(plan, point));
        hasDecided = true;
      }
    }
    for (const task of this.book.tasks.values()) {
      if (stateOf(task) === 'waiting' && task.worker !== undefined && this.world.happenings().length === 0) {
        this.world.talk(task.worker.id);
        hasDecided = true;
      }
      const isLeft = Object.hasOwn(task.decisions, errorKey(task)) || task.failures > 4;
      if (stateOf(task) === 'failed' && !task.isSkipped && !isLeft) {
        const action = chance(this.given.seed, task.id, task.failures) < 0.7 ? 'retry' : 'skip';
        this.write({ tasks: [{ id: task.id, decisions: { [errorKey(task)]: { action, at: 0 } } }] });
        hasDecided = true;
      }
    }
    return hasDecided;
  }

  private decisionAt(plan: Plan, point: Checkpoint): BookChange {
    const { job, key } = point;
    const actions = actionsAt(point);
    const isTired = (job?.failures ?? plan.round) > 4;
    const dice = this.given.isPlain ? 0 : chance(this.given.seed, job?.id ?? plan.id, key);
    const at_ = isTired ? actions.indexOf('skip') : Math.floor(dice * dice * actions.length);
    const decisions = { [key]: { action: actions[at_] ?? 'continue', at: 0 } };
    return job === undefined ? { plans: [{ id: plan.id, decisions }] } : { tasks: [{ id: job.id, decisions }] };
  }
}

export const offencesOf = ({ offences, world }: Simulation) =>
  [...new Set([...offences, ...world.offences])].slice(0, 5);

/** What it has come to, however it came there. */
export const endOf = ({ book, world }: Simulation) => ({
  jobs: [...book.tasks.values()].map((task) => ({
    ...{ id: task.id, state: stateOf(task), bounces: task.bounces, isSkipped: task.isSkipped },
  })),
  plan: book.plans.get('p')?.state,
  lane: world.landed.get('lane')?.toSorted(),
  main: world.landed.get('main')?.toSorted(),
  proposals: world.proposals,
  told: world.agents.flatMap(({ sent }) => [...sent.keys()]).toSorted(),
});
