// The verbs of schedules: add, list, remove, enable, disable; and what one of them enters when it fires.
import { z } from 'zod';
import { isoTime } from '../../model/clock.ts';
import { defined, unlessEmpty } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import { newNonce } from '../../model/ids.ts';
import type { Fields } from '../../model/json.ts';
import { mostSchedules, type Schedule, schedulesIn } from '../../model/schedule.ts';
import { hereZone } from '../../model/time-zone.ts';
import type { OpenBook, SchedulePatch } from '../../store/job-book.ts';
import { createPlanInput } from '../../wire/plans.ts';
import type { ScheduleTaskRequest, ScheduleTaskResult, ScheduleView } from '../../wire/schedules.ts';
import { inward } from '../../wire/spoken.ts';
import { submitTaskInput } from '../../wire/tasks.ts';
import type { Entering } from '../drive/fire.ts';
import { call } from '../judge/calls.ts';
import { refuseBadOccasion } from '../rhythm/cron.ts';
import { nextRuns } from '../rhythm/owed.ts';
import { checkPlan, createPlan } from './plans.ts';
import { checkTask, submitTask } from './tasks.ts';
import { findIn, type TasksContext, type TasksReader, unknown } from './tasks-context.ts';

/** `task` and `plan` are checked, and hold what their caller gave. */
export interface ScheduleOrder extends ScheduleTaskRequest {
  readonly here?: string;
}

type Enters = Pick<Schedule, 'enters' | 'order'>;

export async function scheduleTask(room: TasksContext, order: ScheduleOrder): Promise<ScheduleTaskResult> {
  const { action, id } = order;
  if (action === 'list') return listSchedules(room);
  if (action === 'add') return addSchedule(room, order);
  if (id === undefined) throw wrong(`${action} needs the id of a schedule.`, `${list} shows those there are.`);
  const { book, schedule } = await findSchedule(room, id);
  const set = changeTo(action, room.clock.now());
  await room.drive(book.crew);
  await book.write({ schedules: [{ id, ...set }] });
  await tellChange(room, schedule, action);
  return { id, schedules: viewsOf([book], room.clock.now(), (one) => one.id === id) };
}

const list = call('schedule_task', { action: 'list' });

/** What was due until then is not owed. */
function changeTo(action: 'remove' | 'enable' | 'disable', now: number): Omit<SchedulePatch, 'id'> {
  if (action === 'remove') return { isRemoved: true, isEnabled: false };
  const rest = { notBefore: null, pausedBecause: null };
  return action === 'disable' ? { isEnabled: false } : { isEnabled: true, since: now, failures: 0, ...rest };
}

async function addSchedule(room: TasksContext, order: ScheduleOrder): Promise<ScheduleTaskResult> {
  const { cron, timezone = hereZone(), task, plan, check, here } = order;
  const now = room.clock.now();
  if (cron === undefined) throw wrong('cron is missing.', 'Pass five fields, as in "30 2 * * 1-5".');
  refuseBadOccasion({ cron, timezone }, now);
  if ((task === undefined) === (plan === undefined))
    throw wrong(
      `${task === undefined ? 'Neither task nor plan is' : 'Both task and plan are'} given.`,
      'Pass one of them.',
    );
  const enters: Enters = task === undefined ? { enters: 'plan', order: plan ?? {} } : { enters: 'task', order: task };
  const { place, warnings } = await checkOrder(room, enters, here);
  if (check !== undefined && place.repoPath === undefined)
    throw notInRepository(
      `${place.project} is in no git repository, so no check can run on its commit.`,
      'Leave check out',
    );
  const book = await room.drive(place.crew);
  await book.catchUp();
  refuseMany(book);
  const id = newNonce();
  const schedule: Schedule = {
    ...{ id, crew: place.crew, project: place.project, cron: cron.trim().replace(/\s+/g, ' '), timezone, ...enters },
    ...{ isEnabled: true, isRemoved: false, at: now, since: now, missed: 0, failures: 0 },
    ...defined({ check }),
  };
  await book.write({ schedules: [schedule] });
  await tellChange(room, schedule, 'add');
  const schedules = viewsOf([book], now, (one) => one.id === id);
  return { id, schedules, ...defined({ warnings: unlessEmpty(warnings) }) };
}

/** Throws as submit_task and create_plan do. */
async function checkOrder(room: TasksContext, enters: Enters, here: string | undefined) {
  const at = defined({ here });
  if (enters.enters === 'task') return checkTask(room, { ...taskOrder(enters.order), ...at });
  const { place, warnings } = await checkPlan(room, { ...planOrder(enters.order), ...at });
  if (place.repoPath === undefined)
    throw notInRepository(
      `${place.project} is in no git repository, so the jobs of a plan could land nowhere.`,
      'Schedule a task',
    );
  return { place, warnings: [...warnings.template, ...warnings.asking] };
}

const notInRepository = (words: string, other: string): CrewError =>
  new CrewError('not_a_repository', words, `${other}, or run \`git init\` there and commit once.`);

const taskOrder = (order: Fields) => inward(submitTaskInput, understood(submitTaskInput, order));
const planOrder = (order: Fields) => inward(createPlanInput, understood(createPlanInput, order));

/** Another version may have checked it, and take other fields. */
function understood<Schema extends z.ZodType>(schema: Schema, order: Fields): z.output<Schema> {
  const read = schema.safeParse(order);
  if (read.success) return read.data;
  throw wrong(`What is scheduled is not understood: ${z.prettifyError(read.error)}.`, 'Remove it, and add it again.');
}

/** In the project it was made for, whichever server fires it. */
export async function enterScheduled(room: TasksContext, schedule: Schedule, entering: Entering): Promise<void> {
  const { enters, order, project: projectPath } = schedule;
  if (enters === 'task') await submitTask(room, { ...taskOrder(order), projectPath }, entering);
  else await createPlan(room, { ...planOrder(order), projectPath }, entering);
}

function refuseMany(book: OpenBook): void {
  const all = schedulesIn(book.now());
  if (all.length < mostSchedules) return;
  throw new CrewError(
    'limit_reached',
    `${all.length} schedules are there, and ${mostSchedules} is the most for a project.`,
    `Remove one that is not needed: ${call('schedule_task', { action: 'remove', id: all[0]?.id })}.`,
  );
}

async function findSchedule(room: TasksReader, id: string) {
  const found = await findIn(room, (book) => schedulesIn(book).find((one) => one.id === id));
  if (found !== undefined) return { book: found.book, schedule: found.value };
  const known = room.jobBooks.opened().flatMap((book) => schedulesIn(book.now()).map((one) => one.id));
  throw unknown('schedule', id, { known, list });
}

export async function listSchedules(room: Pick<TasksReader, 'jobBooks' | 'clock'>): Promise<ScheduleTaskResult> {
  const books = room.jobBooks.opened();
  await Promise.all(books.map((book) => book.catchUp()));
  return { schedules: viewsOf(books, room.clock.now(), () => true) };
}

const viewsOf = (
  books: readonly OpenBook[],
  now: number,
  isAsked: (schedule: Schedule) => boolean,
): readonly ScheduleView[] =>
  books
    .flatMap((book) => schedulesIn(book.now()))
    .filter(isAsked)
    .map((schedule) => scheduleView(schedule, now));

const runsShown = 3;

/** Pure. */
export function scheduleView(schedule: Schedule, now: number): ScheduleView {
  const { id, cron, timezone, enters, order, check, isEnabled, lastRun, missed, pausedBecause } = schedule;
  const { at, ...run } = lastRun ?? {};
  return {
    ...{ id, cron, timezone, [enters]: withoutSecrets(order), enabled: isEnabled, missed },
    nextRuns: nextRuns(schedule, now, runsShown).map(isoTime),
    ...defined({ check, pausedBecause }),
    ...(lastRun && { lastRun: { ...run, outcome: lastRun.outcome, at: isoTime(lastRun.at) } }),
    runsOnlyWhile: 'a server or crewmux keep lives',
  };
}

/** Values of these may be keys. */
const withoutSecrets = ({ env: _, mcp_config: __, ...order }: Fields): Fields => order;

const tellChange = ({ crew }: TasksContext, { id, cron, crew: name }: Schedule, action: string): Promise<void> =>
  crew.tell([{ type: 'schedule_changed', subject: id, crew: name, data: { schedule_id: id, cron, action } }]);

const wrong = (words: string, hint: string): CrewError => new CrewError('invalid_argument', words, hint);
