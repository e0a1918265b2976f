// What has come of the work since a time: landed, failed, waiting, skipped and spent, with the calls that go on. Pure.
import { isoTime } from '../../model/clock.ts';
import { wordOf } from '../../model/json.ts';
import { type Book, type Plan, planHasEnded, type Task } from '../../model/task.ts';
import { stateOf } from '../../model/task-progress.ts';
import { hasEnded, isDecided, isSettled } from '../../model/task-state.ts';
import { type AttentionView, needLine } from '../../wire/attention.ts';
import type { Digest, DigestEntry } from '../../wire/digest.ts';
import type { EventView } from '../../wire/events.ts';
import type { WordView } from '../../wire/reports.ts';
import type { Works } from '../drive/job-books.ts';
import { call, callsAt, nextCallsOf, planCallsOf } from '../judge/calls.ts';
import { checkpointsOf } from '../judge/checkpoint.ts';
import { isUnmerged, jobsOf, workOf } from '../judge/facts.ts';
import { pauseWords } from '../judge/pause.ts';
import { entry } from './digest-entry.ts';
import { restingIn, skippedIn } from './digest-schedules.ts';
import { endedLoopsIn, pausedLoopsIn } from './loop-lines.ts';

export interface DigestFacts {
  /** Epoch ms. */
  readonly since: number;
  readonly books: readonly Book[];
  readonly works: Works;
  /** Since then, oldest first. */
  readonly events: readonly EventView[];
  readonly attention: readonly AttentionView[];
  readonly alarms: readonly WordView[];
  readonly spent: Digest['spent'];
}

export function digestOf(facts: DigestFacts): Digest {
  const { since, books, attention, alarms, spent } = facts;
  const isNewDeath = (need: AttentionView) => need.waiting_for === 'dead' && Date.parse(need.since) >= since;
  const of = (entriesOf: (book: Book) => readonly DigestEntry[]) => books.flatMap(entriesOf);
  return {
    since: isoTime(since),
    landed: newest([...of((book) => landedIn(book, facts)), ...mergedByHand(facts)]),
    failed: newest([...of((book) => failedIn(book, facts)), ...attention.filter(isNewDeath).map(needEntry)]),
    waiting: first([
      ...of((book) => heldIn(book)),
      ...attention.filter((need) => !isNewDeath(need)).map(needEntry),
      ...alarms.map(alarmEntry),
      ...of((book) => openIn(book, facts)),
    ]),
    skipped: newest(of((book) => skippedIn(book, facts))),
    spent,
  };
}

const mostEntries = 30;

const left = (count: number): readonly DigestEntry[] => (count <= 0 ? [] : [entry({ what: `and ${count} more` })]);

/** By time; what is oldest gives way. */
function newest(entries: readonly DigestEntry[]): readonly DigestEntry[] {
  const sorted = entries.toSorted((a, b) => (a.at ?? '').localeCompare(b.at ?? ''));
  return [...sorted.slice(-mostEntries), ...left(sorted.length - mostEntries)];
}

const first = (entries: readonly DigestEntry[]): readonly DigestEntry[] => [
  ...entries.slice(0, mostEntries),
  ...left(entries.length - mostEntries),
];

const isSince = ({ endedAt }: { readonly endedAt?: number }, { since }: Pick<DigestFacts, 'since'>): boolean =>
  endedAt !== undefined && endedAt >= since;

/** Neither jobs of plans nor planners: those are told of with their plan. */
const singleTasks = ({ tasks }: Book): readonly Task[] =>
  [...tasks.values()].filter(({ planId, plansFor }) => planId === undefined && plansFor === undefined);

const taskName = ({ title, id }: Task): string => `task ${title} [${id}]`;
const planName = ({ name, id }: Plan): string => `plan ${name} [${id}]`;

function landedIn(book: Book, facts: DigestFacts): readonly DigestEntry[] {
  const tasks = singleTasks(book).filter((task) => isSettled(task) && !isUnmerged(task) && isSince(task, facts));
  return [
    ...endedLoopsIn(book, 'done', facts.since),
    ...[...book.plans.values()].flatMap((plan) => landedOf(book, plan, facts)),
    ...tasks.map((task) =>
      entry({
        what: `${taskName(task)}: ${stateOf(task)}`,
        at: task.endedAt,
        calls: task.worker === undefined ? [] : [call('read_worker_logs', { session_id: task.worker.id })],
      }),
    ),
  ];
}

function landedOf(book: Book, plan: Plan, facts: DigestFacts): readonly DigestEntry[] {
  const jobs = jobsOf(book, plan).filter((job) => isSettled(job) && !job.isSkipped && isSince(job, facts));
  const isCompleted = plan.state === 'completed' && isSince(plan, facts);
  if (jobs.length === 0 && !isCompleted) return [];
  const own = plan.state === 'completed' ? planCallsOf(book, plan) : [];
  const said = jobs.map(({ title }) => title).join(', ');
  return [
    entry({
      what: `${planName(plan)}: ${[...(said === '' ? [] : [said]), ...(isCompleted ? ['completed'] : [])].join('; ')}`,
      at: plan.endedAt ?? Math.max(...jobs.map(({ endedAt = 0 }) => endedAt)),
      calls: own.length > 0 ? own : [call('plan_status', { plan_id: plan.id })],
    }),
  ];
}

/** Landings of workers that have no task; the last of each. */
function mergedByHand({ books, events }: DigestFacts): readonly DigestEntry[] {
  const ofTasks = new Set(books.flatMap(({ tasks }) => [...tasks.values()].flatMap(({ worker }) => worker?.id ?? [])));
  const landings = new Map<string, EventView>();
  for (const event of events) {
    const isOwn = event.type === 'landed' && event.data.plan_id === undefined && !ofTasks.has(event.worker_id);
    if (isOwn) landings.set(`${event.worker_id} ${event.data.target}`, event);
  }
  return [...landings.values()].map(({ worker_id, name = worker_id, ts, data }) =>
    entry({
      what: `${name} landed on ${wordOf(data.target) ?? 'its target'}`,
      at: Date.parse(ts),
      calls: [call('read_worker_logs', { session_id: worker_id })],
    }),
  );
}

function failedIn(book: Book, facts: DigestFacts): readonly DigestEntry[] {
  const tasks = singleTasks(book).filter((task) => hasFailed(task, facts));
  return [
    ...endedLoopsIn(book, 'failed', facts.since),
    ...[...book.plans.values()].flatMap((plan) => failedOf(book, plan, facts)),
    ...tasks.map((task) => taskEntry(book, facts, task)),
  ];
}

const hasFailed = (task: Task, facts: DigestFacts): boolean =>
  stateOf(task) === 'failed' && !task.isSkipped && !isDecided(task) && isSince(task, facts);

/** A plan that has failed, or the jobs that have and are no open question of it. */
function failedOf(book: Book, plan: Plan, facts: DigestFacts): readonly DigestEntry[] {
  if (plan.isCancelled) return [];
  const calls = planCallsOf(book, plan);
  if (plan.state === 'failed')
    return isSince(plan, facts)
      ? [entry({ what: `${planName(plan)} failed`, why: plan.reason, at: plan.endedAt, calls })]
      : [];
  if (planHasEnded(plan)) return [];
  const asked = new Set(checkpointsOf(book, plan).map(({ job }) => job?.id));
  return jobsOf(book, plan)
    .filter((job) => hasFailed(job, facts) && !asked.has(job.id))
    .map((job) =>
      entry({
        what: `${planName(plan)}, job ${job.title}: failed`,
        why: job.reason,
        at: job.endedAt,
        calls: nextCallsOf(job, { book, work: workOf(facts, job), plan }),
      }),
    );
}

const taskEntry = (book: Book, facts: Pick<DigestFacts, 'works'>, task: Task): DigestEntry =>
  entry({
    what: `${taskName(task)}: ${task.isHeld ? 'not started yet' : stateOf(task)}`,
    why: task.reason,
    at: task.endedAt,
    calls: nextCallsOf(task, { book, work: workOf(facts, task), plan: undefined }),
  });

/** What stands still until somebody decides: the project, its plans, its loop, its schedules. */
function heldIn(book: Book): readonly DigestEntry[] {
  const { pausedAt, plans } = book;
  const points = [...plans.values()].flatMap((plan) =>
    checkpointsOf(book, plan).map((point) =>
      entry({
        what: `${planName(plan)} waits at ${point.at}`,
        why: point.why,
        calls: callsAt(plan, point),
      }),
    ),
  );
  return [
    ...(pausedAt === undefined
      ? []
      : [
          entry({
            what: 'the project is paused: no task starts, and nothing lands',
            at: pausedAt,
            calls: [call('update_task', { action: 'resume' })],
          }),
        ]),
    ...points,
    ...pausedLoopsIn(book),
    ...restingIn(book),
  ];
}

/** Single tasks that somebody has to bring on; what their workers ask stands in the attention. */
function openIn(book: Book, facts: DigestFacts): readonly DigestEntry[] {
  const asking = new Set(facts.attention.map(({ session_id }) => session_id));
  return singleTasks(book)
    .filter((task) => (hasEnded(task) ? isUnmerged(task) && isSince(task, facts) : true))
    .filter((task) => pauseWords(book, task) === undefined && !asking.has(task.worker?.id ?? ''))
    .map((task) => taskEntry(book, facts, task))
    .filter(({ nextCalls }) => nextCalls.length > 0);
}

const needEntry = (need: AttentionView): DigestEntry =>
  entry({
    what: `${need.name}, ${need.waiting_for}`,
    why: needLine(need),
    at: Date.parse(need.since),
    calls: need.answer_with,
  });

const alarmEntry = ({ session_id, name, at, kind, says }: WordView): DigestEntry =>
  entry({
    what: `${name} reports ${kind}`,
    why: says,
    at: Date.parse(at),
    calls: [call('read_reports', { worker: session_id }), call('read_worker_logs', { session_id })],
  });
