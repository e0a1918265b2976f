// `crewmux keep`: one process that looks, and one that it starts to drive while no manager is there.
import { openKeepPane } from '../backends/tmux/keep-pane.ts';
import { eventsText } from '../cli/events.ts';
import { environmentsFrom } from '../crew/environments.ts';
import { placeOf } from '../crew/place.ts';
import { buildCrew, optionsOf, tmuxEnvOf, type World } from '../graph.ts';
import { isoTime } from '../model/clock.ts';
import { definedOf } from '../model/defined.ts';
import { asCrewError } from '../model/errors.ts';
import { aloneAt, homeAt, openHome } from '../store/home.ts';
import { readBook } from '../store/job-book.ts';
import { keepLock } from '../store/keeper.ts';
import { pause, systemClock } from '../system/clock.ts';
import { startHeld } from '../system/exec.ts';
import { heldBy, withLock } from '../system/lock.ts';
import { gather } from '../system/pace.ts';
import { endProcesses, processRef } from '../system/process.ts';
import { keepProject } from '../work/drive/keep.ts';
import { leftIn } from '../work/rhythm/left.ts';

interface Terminal {
  readonly write: (text: string) => number;
  readonly complain: (text: string) => number;
}

/** The word of the program that drives; nobody but a keeper starts it. */
export const drivingWord = 'keep-driver';

const stopMs = 5_000;

/** The project and its crew, of which nothing is opened. */
function placeHere(world: World) {
  const { env, cwd, settingsFor } = optionsOf(world);
  const { pass_env: passes } = settingsFor(cwd).settings.defaults;
  return placeOf({ environment: environmentsFrom(env, passes), cwd, settingsFor }, { project: 'auto' });
}

/** Runs the word with the environment of whoever asks; resolves to whether there was a board. */
async function keepBelowBoard(world: World, crew: string): Promise<boolean> {
  const env = definedOf(world.env);
  const { socket } = optionsOf(world).settingsFor(world.project).settings.tmux;
  const alone = aloneAt(socket, homeAt(world.home), await processRef(world.pid));
  const address = { socket, env: tmuxEnvOf(env), clock: systemClock, alone };
  return openKeepPane(address, { tmuxSession: crew, argv: [...world.program, 'keep'], env, cwd: world.project });
}

export async function stopKeeping(world: World, { write, complain }: Terminal): Promise<number> {
  const { crew } = await placeHere(world);
  const keeper = await heldBy(keepLock(world.home, crew));
  if (keeper === undefined) {
    complain(`Nothing keeps ${world.project}: no crewmux keep runs for it.\n`);
    return 1;
  }
  await endProcesses([keeper], { graceMs: stopMs });
  return write(`Process ${keeper.pid} keeps ${world.project} no more.\n`);
}

/** The keeper is another process, in a pane of its own. */
export async function keepInPane(world: World, { write, complain }: Terminal): Promise<number> {
  const { crew } = await placeHere(world);
  const keeper = await heldBy(keepLock(world.home, crew));
  if (keeper !== undefined) return complainOf(keeper, world, complain);
  if (leftIn(await readBook({ home: world.home, crew }), 0) === 'nothing')
    return write('Nothing is left to do: no plan, task, loop or enabled schedule. No pane was opened.\n');
  if (await keepBelowBoard(world, crew))
    return write('It keeps in window 0, below the board; `crewmux attach` shows it.\n');
  complain('The crew has no board in tmux now. `crewmux keep` without --pane keeps the project in this terminal.\n');
  return 1;
}

export async function keep(world: World, { write, complain, stop }: Terminal & { readonly stop: AbortSignal }) {
  const { crew } = await placeHere(world);
  await openHome(world.home);
  const lock = keepLock(world.home, crew);
  const print = (line: string) => void write(`${line}\n`);
  const [file = '', ...args] = world.program;
  const env = definedOf(world.env);
  const drive = () => startHeld(file, [...args, drivingWord], { cwd: world.project, env });
  const onTrouble = (error: unknown) => world.log.write('warn', 'a project could not be looked at', error);
  const { home, project } = world;
  const act = () => keepProject({ home, crew, project, clock: systemClock, drive, print, onTrouble, stop });
  const me = await processRef(world.pid);
  return withLock(lock, act, { me, timeoutMs: 0 }).catch(async (error: unknown) => {
    const keeper = await heldBy(lock);
    if (asCrewError(error).code !== 'state_locked' || keeper === undefined) throw error;
    return complainOf(keeper, world, complain);
  });
}

function complainOf(keeper: { pid: number; at: number }, { project }: World, complain: Terminal['complain']): number {
  const since = isoTime(keeper.at);
  complain(`Process ${keeper.pid} keeps ${project} already, since ${since}.\n\`crewmux keep --stop\` ends it.\n`);
  return 1;
}

const gatherMs = 100;
/** It is gone before the next look of what has started it. */
const endMs = 1_500;

/** Drives until its input ends, and prints what happens. */
export async function driveKept(
  world: World,
  { write, inputEnds }: Pick<Terminal, 'write'> & { readonly inputEnds: Promise<void> },
): Promise<number> {
  const startedAt = systemClock.now();
  const crew = await buildCrew(world, 'keeper');
  let last = 0;
  const tell = async () => {
    const events = (await crew.happened({ sinceAt: startedAt })).filter(({ seq }) => seq > last);
    last = events.at(-1)?.seq ?? last;
    write(eventsText(events, Number.MAX_SAFE_INTEGER));
  };
  const onTrouble = (error: unknown) => world.log.write('warn', 'what happened could not be printed', error);
  const tellings = gather({ clock: systemClock, gatherMs, restMs: () => 0, onTrouble }, tell);
  const stop = crew.onChange(tellings.request);
  tellings.request();
  await inputEnds;
  stop();
  tellings.stop();
  const end = tell().then(() => crew.dispose());
  await Promise.race([end.catch(onTrouble), pause(endMs)]);
  return 0;
}
