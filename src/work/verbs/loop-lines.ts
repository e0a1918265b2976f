// A loop in a line, with the calls that go on with it. Pure.
import { nameOfGoal } from '../../model/goal-name.ts';
import { isToEnd, type Loop, loopHasEnded, mostIterations } from '../../model/loop.ts';
import type { Book, Plan } from '../../model/task.ts';
import type { DigestEntry } from '../../wire/digest.ts';
import type { LoopLine } from '../../wire/loops.ts';
import { call, planCallsOf } from '../judge/calls.ts';
import { plansIn } from '../judge/facts.ts';
import { isAtCap, landedIn, openLoop } from '../judge/loop.ts';
import { entry } from './digest-entry.ts';

export const usualIterations = 10;

export const shownLoopState = (loop: Loop): Loop['state'] =>
  isToEnd(loop) && !loopHasEnded(loop) ? 'stopped' : loop.state;

/** Of the one that has not ended. Calls come with a pause alone: else those of its plan go on. */
export function loopLines(book: Book): readonly LoopLine[] {
  const loop = openLoop(book);
  if (loop === undefined) return [];
  const says = `loop ${loop.id}: iteration ${loop.iteration} of ${loop.maxIterations}, ${doing(book, loop)}`;
  return [{ says, nextCalls: loop.state === 'paused' ? [...resumeCalls(loop), stopCall(loop)] : [] }];
}

const longestReason = 200;

function doing({ plans }: Book, { state, openPlan, isStopping, reason }: Loop): string {
  if (state === 'paused') return ['paused', reason?.split('\n')[0]?.slice(0, longestReason)].filter(Boolean).join(': ');
  const plan = plans.get(openPlan ?? '');
  const named = plan === undefined ? '' : ` ${state === 'running' ? 'plan ' : ''}${plan.name}`;
  return `${state}${named}${isStopping ? ', and stops then' : ''}`;
}

const stopCall = ({ project }: Loop, more: object = {}): string =>
  call('run_loop', { action: 'stop', project_path: project, ...more });

/** What a resume of it has to pass; undefined where it has had all iterations that a loop may have. */
function resumeWith(loop: Loop): { readonly max_iterations?: number } | undefined {
  if (!isAtCap(loop)) return {};
  return loop.iteration < mostIterations
    ? { max_iterations: Math.min(mostIterations, loop.iteration + usualIterations) }
    : undefined;
}

function resumeCalls(loop: Loop): readonly string[] {
  const more = resumeWith(loop);
  return more === undefined ? [] : [call('run_loop', { action: 'resume', project_path: loop.project, ...more })];
}

/** What a person types about one that is paused. */
export function wordsOfPause(loop: Loop): string {
  const more = resumeWith(loop);
  const most = more?.max_iterations === undefined ? '' : ` --max-iterations ${more.max_iterations}`;
  const goesOn = more === undefined ? '' : `\`crewmux loop resume${most}\` lets it go on, `;
  return `${goesOn}\`crewmux loop stop\` ends it`;
}

/** What is worth calling now, in the answer about the loop itself. */
export function loopCallsOf(book: Book, loop: Loop, plan: Plan | undefined): readonly string[] {
  const state = shownLoopState(loop);
  const proposal = plansIn(book, loop.plans)
    .filter((one) => landedIn(book, one).length > 0)
    .slice(-1)
    .map((one) => call('open_pull_request', { plan_id: one.id }));
  if (loopHasEnded({ state })) return proposal;
  if (state === 'paused') return [...resumeCalls(loop), stopCall(loop), ...proposal];
  return [
    ...(plan === undefined
      ? [call('run_loop', { action: 'status', project_path: loop.project })]
      : planCallsOf(book, plan)),
    stopCall(loop, loop.isStopping ? { now: true } : {}),
  ];
}

const entryOf = (book: Book, loop: Loop): DigestEntry =>
  entry({
    what: `loop ${loop.id} (${nameOfGoal(loop.goal)}) is ${loop.state}`,
    why: loop.reason,
    at: loop.endedAt,
    calls: loopCallsOf(book, loop, undefined),
  });

/** In a digest: those that wait for somebody. */
export const pausedLoopsIn = (book: Book): readonly DigestEntry[] =>
  [...book.loops.values()].filter((loop) => shownLoopState(loop) === 'paused').map((loop) => entryOf(book, loop));

/** In a digest: those that have ended so since then. */
export const endedLoopsIn = (book: Book, state: 'done' | 'failed', since: number): readonly DigestEntry[] =>
  [...book.loops.values()]
    .filter((loop) => loop.state === state && (loop.endedAt ?? 0) >= since)
    .map((loop) => entryOf(book, loop));
