// The longest time for which one step of large plans keeps the event loop busy.

import type { Work } from '../src/crew/api.ts';
import { type Book, emptyBook, type Plan, type Task } from '../src/model/task.ts';
import { atWork, ended, landing, stateOf } from '../src/model/task-progress.ts';
import { type BookChange, foldLines, lineOf } from '../src/store/job-book.ts';
import { restingTask } from '../src/work/drive/job-tasks.ts';
import type { DriverStep, Facts } from '../src/work/judge/facts.ts';
import { nextStep } from '../src/work/judge/next-step.ts';
import type { Row } from './measure.ts';

const rounds = 5;

/** A supervisor's plan asks the most questions; each job depends on up to ten before it. */
export async function measurePlanning(jobs: number): Promise<Row[]> {
  const samples: number[] = [];
  for (let round = 0; round < rounds; round++) samples.push(...playThrough(jobs));
  return [
    {
      what: `one step of a plan of ${jobs} jobs, decided and folded into the book`,
      unit: 'ms',
      samples,
      target: { p99: 50 },
      note: `the longest of ${samples.length} steps took ${Math.max(...samples).toFixed(1)} ms`,
    },
  ];
}

function playThrough(count: number): readonly number[] {
  const samples: number[] = [];
  let book = fold(emptyBook, planOf(count));
  const works = new Map<string, Work>();
  for (;;) {
    const from = performance.now();
    const facts: Facts = {
      now: 0,
      book,
      works,
      busy: new Set(),
      room: count,
      startsSubtasks: false,
      accounts: new Map(),
      roles: new Map(),
    };
    const step = nextStep(facts);
    const change = step === undefined ? approvals(book) : outcomeOf(step, works);
    if (change === undefined) return samples;
    book = fold(book, change);
    samples.push(performance.now() - from);
  }
}

const fold = (book: Book, change: BookChange): Book => foldLines(book, [lineOf(change)]);

function planOf(count: number): BookChange {
  const ids = Array.from({ length: count }, (_, at) => `j${at}`);
  const tasks = ids.map((id, at): Task => {
    const dependsOn = ids.filter((_, before) => before < at && (at - before) % 7 === 0).slice(-10);
    const order = { id, title: id, prompt: 'x'.repeat(2_000), project: '/p', crew: 'crew', at: 0 };
    return { ...restingTask, ...order, kind: 'job', planId: 'p', dependsOn, touchSet: [`src/${id}/`] };
  });
  const plan: Plan = {
    ...{ id: 'p', name: 'plan', mode: 'supervisor', project: '/p', crew: 'crew', base: { ref: 'main', sha: 'a' } },
    ...{ branch: 'lane', onComplete: 'merge', jobs: ids, at: 0, state: 'running', isCancelled: false },
    ...{ decisions: {}, round: 0 },
  };
  return { tasks, plans: [plan] };
}

/** Of every job that waits for one. */
function approvals({ tasks, plans }: Book): BookChange | undefined {
  const decision = { action: 'continue', at: 0 } as const;
  const open = [...tasks.values()].filter((task) => stateOf(task) === 'landing' && !task.decisions['pre_merge:1']);
  if (open.length > 0) return { tasks: open.map(({ id }) => ({ id, decisions: { 'pre_merge:1': decision } })) };
  const isOpen = [...plans.values()].some(({ state, decisions }) => state === 'paused' && !decisions['pre_merge:0']);
  return isOpen ? { plans: [{ id: 'p', decisions: { 'pre_merge:0': decision } }] } : undefined;
}

/** Every act succeeds at once. */
function outcomeOf(step: DriverStep, works: Map<string, Work>): BookChange {
  if (step.do === 'note-plan') return { plans: [{ id: step.plan.id, ...step.set }] };
  if (step.do === 'judge') return {};
  if (step.do === 'finish') return { plans: [{ id: step.plan.id, state: 'completed' }] };
  const { id } = step.task;
  switch (step.do) {
    case 'note':
      return { tasks: [{ id, ...step.set }] };
    case 'start':
      works.set(id, finished(id, step.task.attempt));
      return { tasks: [{ id, progress: atWork, worker: { id, name: id }, branch: id }] };
    case 'check':
      return { tasks: [{ id, progress: landing(step.task) }] };
    case 'land':
      return { tasks: [{ id, progress: ended('landed') }] };
    default: {
      const { progress } = step.task;
      return progress.is === 'ended' ? { tasks: [{ id, progress: { ...progress, isSeenTo: true } }] } : {};
    }
  }
}

const finished = (id: string, attempt: number): Work => ({
  ...{ id, name: id, crew: 'crew', agentType: 'claude', status: 'idle', isUnborn: false, isIdle: true, turns: 1 },
  ...{ lastWords: 'done', attention: [], isOthers: false, task: { id, attempt } },
  turn: { id: `${id}:1`, startedAt: 0, endedAt: 0, endedBy: 'completed' },
});
