// Keeps a project at work while no manager is there: has a process of its own drive it, and ends that for a manager.
import { type Clock, isoTime } from '../../model/clock.ts';
import { openBook } from '../../store/job-book.ts';
import { managersOf } from '../../store/orders.ts';
import { pause } from '../../system/clock.ts';
import type { HeldProgram } from '../../system/exec.ts';
import { type KeepFacts, keepStep, keepWords } from '../judge/keep.ts';
import { leftIn } from '../rhythm/left.ts';

export interface KeptProject {
  readonly home: string;
  readonly crew: string;
  readonly project: string;
  readonly clock: Clock;
  /** Starts what drives; it lets go of everything when it ends. */
  readonly drive: () => HeldProgram;
  readonly print: (line: string) => void;
  readonly onTrouble: (error: unknown) => void;
  /** Ends it. */
  readonly stop: AbortSignal;
}

const lookMs = 2_000;
/** Less than its next look: a manager that comes drives within two of them. */
const graceMs = 1_800;

/** Resolves to the exit code when nothing is left to do, when it is stopped, or when what drives cannot be opened. */
export async function keepProject(kept: KeptProject): Promise<number> {
  const { home, crew, project, clock, onTrouble, stop } = kept;
  const say = (words: string) => kept.print(`${isoTime(clock.now()).slice(0, 19)}Z keep: ${words}`);
  const book = await openBook({ home, crew }, { clock, onTrouble });
  const driver = driverOf(kept);
  say(`keeps ${project}; \`crewmux keep --stop\` ends it`);
  let before: KeepFacts['left'] | undefined;
  try {
    for (;;) {
      const managers = await managersOf(home, crew);
      const seen = leftIn(book.now(), clock.now() + lookMs);
      const isDriving = driver.isDriving();
      // The worker of the last task may just be closing.
      const left = isDriving && seen !== before ? 'now' : seen;
      before = seen;
      const facts = { managers: managers.length, left, isStopped: stop.aborted, isDriving };
      const step = keepStep(facts);
      if (step !== 'wait') say(keepWords(step, facts, managers[0]?.pid));
      if (step === 'end') return 0;
      if (step === 'drive') driver.begin();
      if (step === 'let-go') await driver.end();
      else await pause(lookMs, stop);
      if (driver.failed()) return 1;
    }
  } finally {
    await driver.end();
    await book.close();
  }
}

function driverOf({ drive }: KeptProject) {
  let held: HeldProgram | undefined;
  let hasFailed = false;
  return {
    isDriving: () => held !== undefined,
    /** It has ended by itself, and not by a signal: it would do so again. */
    failed: () => hasFailed,
    begin() {
      const begun = drive();
      held = begun;
      void begun.ended.then((code) => {
        if (held !== begun) return;
        held = undefined;
        hasFailed = code !== undefined;
      });
    },
    async end() {
      const ending = held;
      held = undefined;
      await ending?.end(graceMs);
    },
  };
}
