// `crewmux board`: the crew on a person's terminal, with a cursor and a key for each word.

import type { BoardFacts, CrewRow } from '../draw/board-text.ts';
import type { Clock, Disposer } from '../model/clock.ts';
import { definedOf } from '../model/defined.ts';
import { oneLine } from '../model/plain-text.ts';
import { handOver } from '../system/exec.ts';
import { gather, repeat } from '../system/pace.ts';
import type { JobsSummary, WorkshopView } from '../work/api.ts';
import { type BoardNews, newsOf } from './board-items.ts';
import { type BoardAct, type BoardState, firstState, typed, withNews } from './board-keys.ts';
import { boardScreen, plainBoard } from './board-lines.ts';
import { programName } from './program-name.ts';
import { enter, followJobs, frameOf, leave } from './watch.ts';
import { type CommandWorld, isPopup, type Person, type PersonScreen } from './world.ts';

type Crew = Pick<WorkshopView, 'watch'> & { readonly jobs: Pick<WorkshopView['jobs'], 'jobsSummary' | 'onChange'> };

interface Seen extends Pick<CommandWorld, 'env' | 'program' | 'write'> {
  readonly clock: Clock;
  /** Since when no server is at work; undefined while one is. */
  readonly absence: () => Promise<number | undefined>;
}

interface BoardWorld extends Seen, Pick<CommandWorld, 'self'> {
  readonly screen: PersonScreen;
  readonly person: Person;
}

// At most ten drawings a second, and one look at the ages.
const restMs = 100;
const ageMs = 1_000;
// The end of a server is no change of a task.
const absenceMs = 3_000;

/** Returns once the person leaves; the terminal is as before then. */
export async function board(crew: Crew, world: BoardWorld): Promise<number> {
  const { clock, screen, env, write } = world;
  let state = firstState;
  let drawn: string | undefined;
  let isLent = false;
  const onTrouble = () => undefined;
  const drawing = gather({ clock, gatherMs: 0, restMs: () => restMs, onTrouble }, async () => {
    if (isLent) return;
    const text = boardScreen(state, { ...screen.size(), now: clock.now() });
    if (text !== drawn) write(frameOf(text, env));
    drawn = text;
  });
  const become = (next: BoardState) => {
    state = next;
    drawing.request();
  };
  const stops = [
    follow(crew, world, (news) => become(withNews(state, news))),
    screen.onResize(() => {
      drawn = undefined;
      drawing.request();
    }),
    repeat({ clock, delayMs: ageMs, onTrouble }, async () => drawing.request()),
    drawing.stop,
  ];
  write(enter);
  try {
    for (;;) {
      const act = await nextAct(screen, (text) => {
        const pressed = typed(state, text);
        become(pressed.state);
        return pressed.act;
      });
      if (act.is === 'end') return 0;
      isLent = true;
      write(leave);
      const isElsewhere = await screen.lend(() => perform(act, world));
      if (isElsewhere && isPopup(env)) return 0;
      write(enter);
      isLent = false;
      drawn = undefined;
      drawing.request();
    }
  } finally {
    for (const stop of stops) stop();
    write(leave);
  }
}

/** In lines, once. */
export async function boardOnce(crew: Crew, world: Seen): Promise<number> {
  let stop: Disposer = () => undefined;
  const news = await new Promise<BoardNews>((resolve) => {
    stop = follow(crew, world, (seen, isWhole) => isWhole && resolve(seen));
  });
  stop();
  return world.write(plainBoard(news, world.clock.now()));
}

/** Tells what there is, now and at each change. */
function follow(
  { watch, jobs }: Crew,
  { program, env, clock, absence }: Seen,
  tell: (news: BoardNews, isWhole: boolean) => void,
): Disposer {
  let facts: BoardFacts<CrewRow> | undefined;
  let summary: JobsSummary | undefined;
  let above: readonly string[] = [];
  const name = programName({ program, env });
  const tellAll = () => tell(newsOf({ facts, jobs: summary, above, program: name }), !!facts && !!summary);
  const often = {
    jobsSummary: () => jobs.jobsSummary(),
    onChange(listen: () => void) {
      const stop = repeat({ clock, delayMs: absenceMs, onTrouble: () => undefined }, async () => listen());
      const stopJobs = jobs.onChange(listen);
      return () => {
        stop();
        stopJobs();
      };
    },
  };
  const stops = [
    watch((seen) => {
      facts = seen;
      tellAll();
    }),
    followJobs({ jobs: often, now: clock.now, absence }, (seen, absent) => {
      summary = seen;
      above = absent;
      tellAll();
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** The end of the input ends the board. */
const nextAct = ({ onKeys }: PersonScreen, act: (text: string) => BoardAct | undefined): Promise<BoardAct> =>
  new Promise((resolve) => {
    const stop = onKeys((text) => {
      const done: BoardAct | undefined = text === '' ? { is: 'end' } : act(text);
      if (done === undefined) return;
      stop();
      resolve(done);
    });
  });

type Line = readonly string[];

// The choices of a person's `LESS` might end it before they have read. At its end node sets each terminal that it holds
// as it found it, and so must hold none of those that the pager has made raw.
const pager = (start: string) =>
  `page() { if command -v less > /dev/null; then LESS=-R less ${start}; else more; exit 1; fi; }
"$@" < /dev/null 2>&1 | page`;

/** Resolves with true where the person has gone to a worker's pane. */
async function perform(act: Exclude<BoardAct, { is: 'end' }>, world: BoardWorld): Promise<boolean> {
  const { person, write } = world;
  const wait = async () => {
    write('\nAny key leads back to the board. ');
    await person.key();
    write('\n');
    return false;
  };
  const run = (line: Line) => start([...world.self, ...line], world);
  switch (act.is) {
    case 'read': {
      const script = pager(act.from === 'end' ? '+G' : '');
      const code = await start(['/bin/sh', '-c', script, 'sh', ...world.self, ...act.line], world);
      return code === 0 ? false : wait();
    }
    case 'message': {
      const text = (await person.line(`Message to ${oneLine(act.name)} (an empty one is not sent): `))?.trim();
      if (text === undefined || text === '') return false;
      await run(['message', act.worker, '--', text]);
      return wait();
    }
    case 'run': {
      const code = await run(act.line);
      return code === 0 && act.line[0] === 'attach' ? true : wait();
    }
  }
}

const start = ([file = '', ...args]: Line, { env }: BoardWorld): Promise<number> =>
  handOver(file, args, { env: definedOf(env) });
