// Fires one occurrence of a schedule: its check runs, and where that agrees, its task or plan is entered.
import type { Crew, Landing, Run } from '../../crew/api.ts';
import type { Clock } from '../../model/clock.ts';
import { defined } from '../../model/defined.ts';
import { asCrewError, type ErrorCode } from '../../model/errors.ts';
import type { JobEventType } from '../../model/event.ts';
import type { Schedule } from '../../model/schedule.ts';
import type { Book } from '../../model/task.ts';
import type { BookChange, OpenBook, SchedulePatch } from '../../store/job-book.ts';
import { digestOf } from '../../system/digest.ts';
import { scheduleEvent } from '../judge/events.ts';
import { deferred, ended, failed, lateWords, pauses, type ScheduleStep } from '../rhythm/owed.ts';

/** What is entered, and what is noted of its schedule in the very same line of the book. */
export interface Entering {
  readonly id: string;
  readonly noted: SchedulePatch;
}

export const notedBy = (entering: Entering | undefined): Pick<BookChange, 'schedules'> =>
  entering === undefined ? {} : { schedules: [entering.noted] };

export interface Firing {
  readonly crew: Pick<Landing, 'check'>;
  /** When it resolves, both are on disk; when it rejects, neither is. */
  readonly enter: (schedule: Schedule, entering: Entering) => Promise<void>;
  readonly book: () => Book;
  readonly now: () => number;
  readonly run: Run;
}

/** Left to be noted, or nothing where it was entered or is not wanted any more. */
export interface Passed {
  readonly set: Omit<SchedulePatch, 'id'>;
  readonly tell: 'schedule_passed' | 'schedule_paused';
}

type Fire = Extract<ScheduleStep, { readonly do: 'fire' }>;

/** A server that is killed in its midst leaves nothing, or all of it: the id is that of the occurrence. */
export async function fire(firing: Firing, { schedule, occurrence }: Fire): Promise<'fired' | Passed | undefined> {
  const { book, now } = firing;
  try {
    const reason = await whyNot(firing, schedule);
    const current = book().schedules.get(schedule.id);
    if (firing.run.signal.aborted || current === undefined || current.isRemoved || !current.isEnabled) return undefined;
    if (reason !== undefined)
      return { set: ended(current, occurrence, { outcome: 'nothing_to_do', reason }), tell: 'schedule_passed' };
    const id = entryId(schedule, occurrence.at);
    const late = lateWords(occurrence, now());
    const noted = ended(current, occurrence, { outcome: 'fired', id, ...defined({ reason: late }) });
    await firing.enter(current, { id, noted: { id: schedule.id, ...noted } });
    return 'fired';
  } catch (thrown) {
    const { code, message } = asCrewError(thrown);
    if (!refusals.has(code))
      return { set: deferred(occurrence, message.slice(0, longest), now()), tell: 'schedule_passed' };
    const reason = `it was refused: ${message.slice(0, longest)}`;
    const set = { ...ended(schedule, occurrence, { outcome: 'missed', reason }), ...failed(schedule, message) };
    return { set, tell: pauses(schedule) ? 'schedule_paused' : 'schedule_passed' };
  }
}

interface Noting {
  readonly book: Pick<OpenBook, 'now' | 'write'>;
  readonly crew: Pick<Crew, 'check' | 'tell'>;
}

/** The event of what it says is told when it is on disk. */
export async function noteSchedule({ book, crew }: Noting, { schedule: { id }, set, tell }: Note): Promise<void> {
  await book.write({ schedules: [{ id, ...set }] });
  await tellOf({ book, crew }, id, tell);
}

type Note = Omit<Extract<ScheduleStep, { readonly do: 'note-schedule' }>, 'do'>;

async function tellOf({ book, crew }: Noting, id: string, tell: JobEventType | undefined): Promise<void> {
  const now = book.now().schedules.get(id);
  if (tell !== undefined && now !== undefined) await crew.tell([scheduleEvent(now, tell)]);
}

/** Rejects where what became of it cannot be written down; then it is as if nothing had been tried. */
export async function fireAndNote(
  { book, crew, clock, enter }: Noting & Pick<Firing, 'enter'> & { readonly clock: Clock },
  step: Fire,
  run: Run,
): Promise<void> {
  const passed = await fire({ crew, enter, run, book: book.now, now: clock.now }, step);
  if (passed === 'fired') await tellOf({ book, crew }, step.schedule.id, 'schedule_fired');
  else if (passed !== undefined) await noteSchedule({ book, crew }, { schedule: step.schedule, ...passed });
}

const longest = 500;
const idLength = 7;

/** Begins with a letter, as other ids do. */
const entryId = ({ id }: Schedule, at: number): string => `e${digestOf(`${id} ${at}`).slice(0, idLength)}`;

/** These are about the order itself, and a later try would meet them again. */
const refusals: ReadonlySet<ErrorCode> = new Set([
  'invalid_argument',
  'unknown_parameter',
  'not_a_repository',
  'base_not_found',
]);

/** Why its check does not let it fire. */
async function whyNot({ crew, run }: Firing, { id, project, check }: Schedule): Promise<string | undefined> {
  if (check === undefined) return undefined;
  const { exitCode, timedOut, isUnrun, output } = await crew.check({ id, project, command: check }, run);
  if (exitCode === 0) return undefined;
  const said = output.trimEnd().split('\n').at(-1)?.slice(0, 200) ?? '';
  const how = isUnrun ? 'could not run' : timedOut ? 'took too long' : `ended with ${exitCode ?? 'a signal'}`;
  return `its check ${how}${said === '' ? '' : `: ${said}`}`;
}
