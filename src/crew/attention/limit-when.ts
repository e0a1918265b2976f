// Who may go on when after a usage limit. Pure.

/** A worker that a limit has stopped, and of which the time is known. */
export interface Limited {
  readonly workerId: string;
  /** Workers of one account share its allowance. */
  readonly account: string;
  /** When it was stopped; tells one limit from the next. */
  readonly stoppedAt: number;
  readonly resetsAt: number;
  /** Its agent goes on by itself. */
  readonly goesOn: boolean;
}

export interface Resume {
  readonly workerId: string;
  readonly stoppedAt: number;
  /** Epoch ms. */
  readonly dueAt: number;
}

/** Other clocks, and a server that opens its gates a moment late. */
const lateMs = 10_000;
const minuteMs = 60_000;
/** Claude Code goes on by itself between one and two minutes after the reset. */
const ownWayMs = 180_000;
/** So that a crew does not fall upon a fresh allowance at once. */
const apartMs = 5_000;

/** Words give the time to the minute; whoever counts gives it to the second. */
const certainAfter = ({ resetsAt, goesOn }: Limited): number => {
  if (goesOn) return resetsAt + ownWayMs;
  return resetsAt + lateMs + (resetsAt % minuteMs === 0 ? minuteMs : 0);
};

/**
 * The first to be sent on, and when. A reset that lay in the past when the limit was met is no reset, and is waited for
 * by nobody; where one of an account was stopped later, its time counts for all of that account.
 */
export function nextResume(limited: readonly Limited[], lastResumeAt: number): Resume | undefined {
  const resumes = limited.flatMap((one): readonly Resume[] => {
    const newest = limited
      .filter(({ account }) => account === one.account)
      .reduce((a, b) => (b.stoppedAt > a.stoppedAt ? b : a));
    if (one.resetsAt <= one.stoppedAt || newest.resetsAt <= newest.stoppedAt) return [];
    const dueAt = Math.max(certainAfter(one), newest.resetsAt + lateMs, lastResumeAt + apartMs);
    return [{ workerId: one.workerId, stoppedAt: one.stoppedAt, dueAt }];
  });
  const [first, ...others] = resumes;
  if (first === undefined) return undefined;
  return others.reduce((a, b) => (b.dueAt < a.dueAt ? b : a), first);
}
