// `--watch`: the board of tmux, or plans, in a person's own terminal.

import { type BoardFacts, boardText } from '../draw/board-text.ts';
import { clipped } from '../draw/terminal-text.ts';
import { type Disposer, wallTime } from '../model/clock.ts';
import { defined } from '../model/defined.ts';
import { overScreen } from '../model/plain-text.ts';
import { oneAtATime } from '../system/pace.ts';
import type { JobsSummary, JobsView } from '../work/api.ts';
import { absenceWords } from './absence.ts';
import { paintsFor } from './paint.ts';
import { planRows, summaryLines } from './plan-text.ts';
import { namedFor, programName, wayAs } from './program-name.ts';
import { wholeLines } from './rows-to-copy.ts';
import type { CommandWorld, PersonScreen } from './world.ts';

/** Takes the terminal, and gives it back as it was. */
export const enter = '\u001b[?1049h\u001b[?25l\u001b[?7l';
export const leave = '\u001b[?7h\u001b[?25h\u001b[?1049l';
const colours = /\u001b\[[\d;]*m/g;

/** What draws a text over the one before; with no colours where the person wants none. */
export const frameOf = (text: string, env: CommandWorld['env']): string =>
  overScreen((env.NO_COLOR ?? '') === '' ? text : text.replace(colours, ''));

interface Watching extends Pick<CommandWorld, 'env' | 'write' | 'program'> {
  readonly screen: Pick<PersonScreen, 'size' | 'onResize' | 'left'>;
  readonly now: () => number;
  /** Since when no server is at work; undefined while one is. */
  readonly absence: () => Promise<number | undefined>;
}

interface Shown {
  /** What fits the terminal; undefined while nothing is known. */
  readonly text: () => string | undefined;
  /** Calls back at each change of what is shown. */
  readonly onChange: (draw: () => void) => Disposer;
}

/** Draws at each change and at each size of the terminal, until the person leaves; the terminal is as before then. */
async function watch({ text, onChange }: Shown, { screen, env, write }: Watching): Promise<number> {
  const draw = () => {
    const shown = text();
    if (shown !== undefined) write(frameOf(shown, env));
  };
  write(enter);
  const stops = [onChange(draw), screen.onResize(draw)];
  try {
    await screen.left();
  } finally {
    for (const stop of stops) stop();
    write(leave);
  }
  return 0;
}

const footAt = (now: number): string => `drawn ${wallTime(now)} · q or C-c ends`;

/** The board of the crew, with its tasks and plans. */
export async function watchStatus(
  {
    jobs,
    watch: watchCrew,
  }: {
    readonly watch: (show: (facts: BoardFacts) => void) => Disposer;
    readonly jobs: Pick<JobsView, 'jobsSummary' | 'onChange'>;
  },
  watching: Watching,
): Promise<number> {
  let facts: BoardFacts | undefined;
  let lines: readonly string[] = [];
  const { screen, now, absence } = watching;
  const program = programName(watching);
  const guide = namedFor('Use that command, or `crewmux answer`; `crewmux plan` shows more of a plan.', program);
  return watch(
    {
      text: () => facts && boardText({ ...facts, jobs: lines, ...screen.size(), guide, foot: footAt(now()) }),
      onChange(draw) {
        const reading = followJobs({ jobs, now, absence }, (summary, absent) => {
          const next = [...absent, ...summaryLines(summary)];
          const isNew = next.join('\n') !== lines.join('\n');
          lines = next;
          if (isNew) draw();
        });
        const stop = watchCrew((seen) => {
          const needs = seen.needs.map((need) => ({ ...need, way: wayAs(need.way, program) }));
          facts = { ...seen, needs };
          draw();
        });
        return () => {
          stop();
          reading();
        };
      },
    },
    watching,
  );
}

/** One plan, or all of them. */
export async function watchPlans(
  { jobs, planId }: { readonly jobs: Pick<JobsView, 'planStatus' | 'onChange'>; readonly planId?: string },
  watching: Watching & Pick<CommandWorld, 'columns'>,
): Promise<number> {
  const { screen, now, absence } = watching;
  const read = () => Promise.all([jobs.planStatus(defined({ planId })), absence()]);
  // What is not there is said before the terminal is taken.
  let [status, since] = await read();
  return watch(
    {
      text() {
        const { columns, rows } = screen.size();
        const paints = paintsFor(watching);
        const lines = planRows(status, { width: columns, paints, program: programName(watching), isFixed: true });
        const absent = since === undefined ? [] : [clipped(absenceWords(since, now()), columns)];
        const shown = wholeLines(lines, Math.max(rows - 2 - absent.length, 1));
        return [...absent, ...shown, '', footAt(now())].slice(0, rows).join('\n');
      },
      onChange: (draw) =>
        atEachChange(jobs, async () => {
          [status, since] = await read();
          draw();
        }),
    },
    watching,
  );
}

/** Tasks and plans now and after each change, with a line where no server is at work. */
export const followJobs = (
  {
    jobs,
    now,
    absence,
  }: { readonly jobs: Pick<JobsView, 'jobsSummary' | 'onChange'> } & Pick<Watching, 'now' | 'absence'>,
  show: (summary: JobsSummary, absent: readonly string[]) => void,
): Disposer =>
  atEachChange(jobs, async () => {
    const [summary, since] = await Promise.all([jobs.jobsSummary(), absence()]);
    show(summary, since === undefined ? [] : [absenceWords(since, now())]);
  });

/** Now and after each change, never twice at a time; a failure waits for the next change. */
function atEachChange({ onChange }: Pick<JobsView, 'onChange'>, read: () => Promise<void>): Disposer {
  const go = oneAtATime(() => read().catch(() => undefined));
  void go();
  return onChange(() => void go());
}
