// The book of a crew's tasks and plans: an appended line changes some fields of some of them, and the last word counts.
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { appendLine } from '../jsonl/append.ts';
import { readWhole } from '../jsonl/slice.ts';
import { followFile } from '../jsonl/tail.ts';
import type { Clock, Disposer } from '../model/clock.ts';
import { defined } from '../model/defined.ts';
import { CrewError } from '../model/errors.ts';
import { fieldsOf, parseJson } from '../model/json.ts';
import type { Loop } from '../model/loop.ts';
import { planModes } from '../model/plan-mode.ts';
import type { Schedule } from '../model/schedule.ts';
import {
  type Book,
  brought,
  completions,
  decisions,
  emptyBook,
  type Plan,
  planStates,
  type Task,
  type TaskOrder,
  type TaskWishes,
  taskKinds,
} from '../model/task.ts';
import { askedFields } from '../model/task-asked.ts';
import { mergeStrategies, testOutcomes } from '../model/train.ts';
import { unlessMissing } from '../system/disk.ts';
import { handIn, verdict } from './hand-in-line.ts';
import { loop } from './loop-line.ts';
import { hold, ofVersion2, progress } from './progress-line.ts';
import { schedule } from './schedule-line.ts';

const worker = z.object({ id: z.string(), name: z.string() });
const decision = z.object({ action: z.enum(decisions), prompt: z.string().exactOptional(), at: z.number() });
const texts = z.array(z.string());
const steered = {
  isCancelled: z.boolean(),
  decisions: z.record(z.string(), decision),
  round: z.number(),
  reason: z.string().exactOptional(),
  endedAt: z.number().exactOptional(),
};
const landing = {
  strategy: z.enum(mergeStrategies).exactOptional(),
  testCommand: z.string().exactOptional(),
  testedSince: z.number().exactOptional(),
};

const task = z.object({
  ...steered,
  ...landing,
  ...askedFields,
  id: z.string(),
  kind: z.enum(taskKinds),
  title: z.string(),
  prompt: z.string(),
  priority: z.number(),
  dependsOn: texts,
  project: z.string(),
  crew: z.string(),
  from: worker.exactOptional(),
  afterFrom: z.boolean(),
  depth: z.number(),
  isHeld: z.boolean(),
  files: texts,
  tags: texts,
  base: z.string().exactOptional(),
  planId: z.string().exactOptional(),
  plansFor: z.string().exactOptional(),
  touchSet: texts,
  copyFiles: texts,
  symlinkDirs: texts,
  setupCommands: texts,
  maxRetries: z.number(),
  timeoutMinutes: z.number().exactOptional(),
  brings: z.enum(brought).exactOptional(),
  onComplete: z.enum(completions),
  keepWorker: z.boolean(),
  at: z.number(),
  progress,
  isSkipped: z.boolean(),
  lifted: z.string().exactOptional(),
  attempt: z.number(),
  repeats: z.number().exactOptional(),
  worker: worker.exactOptional(),
  isReused: z.boolean(),
  branch: z.string().exactOptional(),
  bounces: z.number(),
  failures: z.number(),
  notBefore: z.number().exactOptional(),
  evidence: z.object({
    claimed: z.boolean(),
    commits: texts,
    checkedAt: z.string().exactOptional(),
    landedAt: z.string().exactOptional(),
  }),
  lastWords: z.string().exactOptional(),
  tests: z
    .object({
      status: z.enum(testOutcomes),
      command: z.string().exactOptional(),
      output: z.string(),
      path: z.string().exactOptional(),
      commit: z.string().exactOptional(),
      isOld: z.literal(true).exactOptional(),
    })
    .exactOptional(),
  clashes: z.array(z.object({ with: z.string(), files: texts })).exactOptional(),
  artefacts: texts,
  startedAt: z.number().exactOptional(),
});

const plan = z.object({
  ...steered,
  ...landing,
  id: z.string(),
  name: z.string(),
  goal: z.string().exactOptional(),
  planner: z.string().exactOptional(),
  loop: z.string().exactOptional(),
  handIn: handIn.exactOptional(),
  verdict: verdict.exactOptional(),
  template: z.object({ name: z.string(), sha256: z.string() }).exactOptional(),
  mode: z.enum(planModes),
  project: z.string(),
  crew: z.string(),
  base: z.object({ ref: z.string(), sha: z.string() }),
  branch: z.string(),
  landsRed: z.boolean().exactOptional(),
  maxParallel: z.number().exactOptional(),
  onComplete: z.enum(completions),
  jobs: texts,
  at: z.number(),
  state: z.enum(planStates),
  hold: hold.exactOptional(),
  url: z.string().exactOptional(),
});

/** Fields to lay over what is known of an id; null removes one. An id that is new needs all that are not optional. */
type Patch<T extends { readonly id: string }> = {
  readonly [K in keyof T]?: undefined extends T[K] ? T[K] | null : T[K];
} & { readonly id: string };
export type TaskPatch = Patch<Task>;
/** What a verb may write of a task that another process may be driving. */
export type TaskWish = Patch<TaskOrder & TaskWishes> & { readonly reason?: null };
export type PlanPatch = Patch<Plan>;
export type SchedulePatch = Patch<Schedule>;
export type LoopPatch = Patch<Loop>;

/** One line: it is whole on disk or absent, however many it changes. */
export interface BookChange {
  readonly tasks?: readonly TaskPatch[];
  readonly plans?: readonly PlanPatch[];
  readonly schedules?: readonly SchedulePatch[];
  readonly loops?: readonly LoopPatch[];
  /** Null ends the pause. */
  readonly pausedAt?: number | null;
}

const version = 3;
const fields = z.looseObject({ id: z.string() });
const line = z.object({
  v: z.literal([2, version]),
  tasks: z.array(fields).default([]),
  plans: z.array(fields).default([]),
  schedules: z.array(fields).default([]),
  loops: z.array(fields).default([]),
  pausedAt: z.number().nullable().exactOptional(),
});

/** The ids that a line changes; undefined for a line that this version does not read. Pure. */
export function idsIn(text: string): readonly string[] | undefined {
  const read = line.safeParse(parseJson(text)).data;
  return read && [...read.tasks, ...read.plans, ...read.schedules, ...read.loops].map(({ id }) => id);
}

export const lineOf = (change: BookChange): string => JSON.stringify({ v: version, ...change });

/** A line, or a patch in it, that this version cannot read changes nothing. Pure. */
export function foldLines(book: Book, lines: readonly string[]): Book {
  // Copied once for all lines: a long book is read in one go.
  const [tasks, plans] = [new Map(book.tasks), new Map(book.plans)];
  const [schedules, loops] = [new Map(book.schedules), new Map(book.loops)];
  let { pausedAt } = book;
  for (const text of lines) {
    const read = line.safeParse(parseJson(text)).data;
    lay(tasks, task, { patches: read?.tasks, ofToday: read?.v === 2 ? ofVersion2 : asItIs });
    lay(plans, plan, { patches: read?.plans, ofToday: asItIs });
    lay(schedules, schedule, { patches: read?.schedules, ofToday: asItIs });
    lay(loops, loop, { patches: read?.loops, ofToday: asItIs });
    if (read?.pausedAt !== undefined) pausedAt = read.pausedAt ?? undefined;
  }
  return { tasks, plans, schedules, loops, ...defined({ pausedAt }) };
}

interface Steered {
  readonly id: string;
  readonly decisions?: Task['decisions'];
}

type AnyPatch = z.output<typeof fields>;
const asItIs = (_: unknown, patch: AnyPatch): Readonly<Record<string, unknown>> => patch;

interface Laid<T> {
  readonly patches: readonly AnyPatch[] | undefined;
  /** Undefined for one that cannot be read. */
  readonly ofToday: (before: T | undefined, patch: AnyPatch) => ReturnType<typeof asItIs> | undefined;
}

function lay<T extends Steered>(known: Map<string, T>, schema: z.ZodType<T>, { patches = [], ofToday }: Laid<T>): void {
  for (const written of patches) {
    const before = known.get(written.id);
    const patch = ofToday(before, written);
    if (patch === undefined) continue;
    const decided = { ...before?.decisions, ...fieldsOf(patch.decisions) };
    const merged = Object.entries({ ...before, ...patch, decisions: decided }).filter(([, value]) => value !== null);
    const whole = schema.safeParse(Object.fromEntries(merged)).data;
    if (whole !== undefined) known.set(whole.id, whole);
  }
}

export interface CrewPlace {
  readonly home: string;
  /** Name of the crew. */
  readonly crew: string;
}

const folderOf = (home: string): string => join(home, 'tasks');

export function bookPath({ home, crew }: CrewPlace): string {
  // Named after the folder of the project, in whatever letters.
  if (/^[^./\0][^/\0]*$/u.test(crew)) return join(folderOf(home), `${crew}.jsonl`);
  throw new CrewError('internal', `A bug in crewmux: ${JSON.stringify(crew)} names no crew.`, 'Please report it.');
}

/** On disk when it resolves. */
export async function writeBook(place: CrewPlace, change: BookChange): Promise<void> {
  const path = bookPath(place);
  await mkdir(folderOf(place.home), { recursive: true, mode: 0o700 });
  await appendLine(path, lineOf(change), { fsync: true });
}

/** As it stands now. */
export const readBook = async (place: CrewPlace): Promise<Book> =>
  foldLines(emptyBook, await readWhole(bookPath(place)));

/** Names of the crews that have a book. */
export async function crewsWithBooks(home: string): Promise<readonly string[]> {
  const names = (await unlessMissing(readdir(folderOf(home)))) ?? [];
  return names.flatMap((name) => (name.endsWith('.jsonl') ? [name.slice(0, -'.jsonl'.length)] : []));
}

/** A book that is followed as it grows, whoever writes it. */
export interface OpenBook {
  readonly crew: string;
  now(): Book;
  /** Resolves when `now` has the change. */
  write(change: BookChange): Promise<void>;
  /** Resolves when `now` has all that was written before the call. */
  catchUp(): Promise<void>;
  onChange(listen: () => void): Disposer;
  close(): Promise<void>;
}

export async function openBook(
  place: CrewPlace,
  { clock, onTrouble }: { readonly clock: Clock; readonly onTrouble: (error: unknown) => void },
): Promise<OpenBook> {
  let book = emptyBook;
  const listeners = new Set<() => void>();
  await mkdir(folderOf(place.home), { recursive: true, mode: 0o700 });
  const tail = followFile(bookPath(place), {
    clock,
    onTrouble,
    onLines: (lines) => {
      book = foldLines(book, lines);
      for (const listen of [...listeners]) listen();
    },
  });
  await tail.drain();
  return {
    crew: place.crew,
    now: () => book,
    async write(change) {
      await writeBook(place, change);
      await tail.drain();
    },
    catchUp: () => tail.drain(),
    onChange(listen) {
      listeners.add(listen);
      return () => listeners.delete(listen);
    },
    close: () => tail.close(),
  };
}
