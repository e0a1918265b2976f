// The verbs of loops: start, look at, resume, stop.
import { defined, unlessEmpty } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import { newNonce } from '../../model/ids.ts';
import { type Loop, loopBranchName, loopHasEnded } from '../../model/loop.ts';
import { counted } from '../../model/plural.ts';
import { type Book, emptyBook, planHasEnded } from '../../model/task.ts';
import type { OpenBook } from '../../store/job-book.ts';
import type { RunLoopRequest, RunLoopResult } from '../../wire/loops.ts';
import { inward } from '../../wire/spoken.ts';
import { usage as usageShape } from '../../wire/usage.ts';
import { tasksOfLoop } from '../drive/loop-cost.ts';
import { call } from '../judge/calls.ts';
import { checkpointsOf, shownState } from '../judge/checkpoint.ts';
import { loopEvent } from '../judge/events.ts';
import { plansIn } from '../judge/facts.ts';
import { isAtCap, openLoop } from '../judge/loop.ts';
import { loopPauseWords, planPauseWords } from '../judge/pause.ts';
import { loopCallsOf, shownLoopState, usualIterations } from './loop-lines.ts';
import { checkPlan } from './plans.ts';
import type { TasksContext, TasksReader } from './tasks-context.ts';
import { refuseLongGoal } from './whole-order.ts';

export interface LoopOrder extends RunLoopRequest {
  readonly here?: string;
}

export async function runLoop(room: TasksContext, order: LoopOrder): Promise<RunLoopResult> {
  const { action, projectPath: project, here } = order;
  const place = await room.crew.place({ project, ...defined({ here }) });
  const book = await room.drive(place.crew);
  await book.catchUp();
  if (action === 'start') return startLoop(room, book, order);
  const loop = lastLoop(book.now(), place.project);
  if (action === 'resume') await resume(book, loop, order);
  if (action === 'stop') await stop(book, loop, order.now === true);
  if (action !== 'status') await tellChange(room, book, loop.id);
  return loopView(room, book.now(), loop.id);
}

/** Of the project that it stands in, where nothing is driven. */
export async function lookAtLoop(room: TasksReader): Promise<RunLoopResult> {
  const place = await room.crew.place({ project: 'auto' });
  const book = room.jobBooks.opened().find(({ crew }) => crew === place.crew);
  await book?.catchUp();
  const now = book?.now() ?? emptyBook;
  return loopView(room, now, lastLoop(now, place.project).id);
}

function lastLoop(book: Book, project: string): Loop {
  const loop = openLoop(book) ?? [...book.loops.values()].at(-1);
  if (loop !== undefined) return loop;
  throw wrong(`No loop was started in ${project}.`, 'run_loop with action "start" and a goal starts one.');
}

const wrong = (words: string, hint: string): CrewError => new CrewError('invalid_argument', words, hint);

async function startLoop(room: TasksContext, book: OpenBook, order: LoopOrder): Promise<RunLoopResult> {
  const { goal, projectPath: project, here, testCommand, maxCostUsd } = order;
  const { mode = 'autopilot', maxIterations = usualIterations } = order;
  refuseSecond(book);
  if (goal === undefined) throw wrong('goal is missing.', 'Say what is to be true in the end.');
  const { warnings } = await checkPlan(room, {
    ...{ goal, mode, projectPath: project, onComplete: 'none' },
    ...defined({ here, testCommand }),
  });
  const id = newNonce();
  const lane = await room.crew.openPlanBranch({ id, name: loopBranchName, project, ...defined({ here }) });
  const loop: Loop = {
    ...{ id, crew: lane.crew, project: lane.repoPath, goal, mode, maxIterations, branch: lane.branch },
    ...{ base: lane.base.ref, state: 'planning', iteration: 0, plans: [], failures: 0, isStopping: false },
    at: room.clock.now(),
    ...defined({ testCommand, maxCostUsd }),
  };
  await book.write({ loops: [loop] });
  const first = openLoop(book.now());
  if (first !== undefined && first.id !== id) {
    // Another server has started one at the same moment.
    await book.write({ loops: [{ id, state: 'stopped', endedAt: room.clock.now() }] });
    throw second(first);
  }
  await tellChange(room, book, id);
  const view = await loopView(room, book.now(), id);
  const told = unlessEmpty([...warnings.asking, ...(view.reason === undefined ? [] : [view.reason])]);
  return { ...view, ...defined({ reason: told?.join(' ') }) };
}

function refuseSecond(book: OpenBook): void {
  const open = openLoop(book.now());
  if (open !== undefined) throw second(open);
}

function second({ id, state, project, isStopping }: Loop): CrewError {
  const stop = (more: object) => call('run_loop', { action: 'stop', project_path: project, ...more });
  return wrong(
    `The loop ${id} of this project is ${state}${isStopping ? ' and stops then' : ''}, and a project has one at a time.`,
    isStopping
      ? `Wait until its plan has ended, or cancel that: ${stop({ now: true })}.`
      : `Stop it first: ${stop({})}.`,
  );
}

async function resume(book: OpenBook, loop: Loop, order: LoopOrder): Promise<void> {
  const { goal, maxIterations = loop.maxIterations, maxCostUsd, mode, testCommand } = order;
  if (loop.state !== 'paused' || loop.isStopping)
    throw wrong(
      `The loop ${loop.id} is ${shownLoopState(loop)}, not paused.`,
      'run_loop {"action":"status"} shows it.',
    );
  if (goal?.trim() === '') throw wrong('goal is empty.', 'Leave it out to go on with the old one.');
  if (goal !== undefined) refuseLongGoal(goal);
  if (isAtCap({ ...loop, maxIterations }))
    throw wrong(
      `The loop ${loop.id} has had ${counted(loop.iteration, 'iteration')}, and max_iterations is ${maxIterations}.`,
      'Pass a max_iterations that is more.',
    );
  const set = defined({ goal, maxCostUsd, mode, testCommand });
  await book.write({ loops: [{ id: loop.id, state: 'planning', failures: 0, maxIterations, ...set }] });
}

/** A plan that has not started yet has nothing to lose. */
async function stop(book: OpenBook, loop: Loop, isNow: boolean): Promise<void> {
  if (loopHasEnded(loop)) throw wrong(`The loop ${loop.id} is ${loop.state}.`, 'Nothing is left to stop.');
  const plan = book.now().plans.get(loop.openPlan ?? '');
  const isCalledOff = plan !== undefined && !planHasEnded(plan) && (isNow || plan.state === 'proposed');
  await book.write({
    loops: [{ id: loop.id, isStopping: true }],
    plans: isCalledOff ? [{ id: plan.id, isCancelled: true }] : [],
  });
}

const tellChange = async (room: TasksContext, book: OpenBook, id: string): Promise<void> =>
  room.crew.tell([loopEvent(loopIn(book.now(), id), 'loop_changed')]);

function loopIn(book: Book, id: string): Loop {
  const loop = book.loops.get(id);
  if (loop !== undefined) return loop;
  throw new CrewError('internal', `A bug in crewmux: the loop ${id} is gone.`, 'Please report it.');
}

async function loopView({ crew }: Pick<TasksReader, 'crew'>, now: Book, id: string): Promise<RunLoopResult> {
  const loop = loopIn(now, id);
  const plans = plansIn(now, loop.plans);
  const usage = await crew.usageOf({ tasks: tasksOfLoop(now, loop) });
  const plan = now.plans.get(loop.openPlan ?? '');
  const [point] = plan === undefined ? [] : checkpointsOf(now, plan);
  const state = shownLoopState(loop);
  const isAtRest = state === 'paused' || loopHasEnded({ state });
  const held = plan === undefined ? loopPauseWords(now) : planPauseWords(now, plan);
  return {
    ...{ loopId: id, state, iteration: loop.iteration },
    plans: plans.map((one) => ({ planId: one.id, name: one.name, state: shownState(now, one) })),
    nextCalls: loopCallsOf(now, loop, plan),
    ...defined({
      usage: usage && inward(usageShape, usage),
      reason: isAtRest ? loop.reason : (point?.why ?? held),
    }),
  };
}
