// The crew at one look, and what its project offers it.
import { z } from 'zod';
import { type Status, statuses } from '../model/worker.ts';
import { attention } from './attention.ts';
import { digest } from './digest.ts';
import { escaped, event } from './events.ts';
import { foreseen } from './landing.ts';
import { loopLine } from './loops.ts';
import { list, path, type Shape, shortened, sinceText } from './parts.ts';
import { briefPlan } from './plans.ts';
import { word } from './reports.ts';
import { paused, task } from './tasks.ts';
import { usage } from './usage.ts';
import { worker } from './worker.ts';

const members = list(
  z.object({
    session_id: z.string(),
    name: z.string(),
    detail: z.string(),
    progress: worker.shape.progress,
  }),
);

/** A worker that the configuration declares. */
const slot = z.object({
  id: z.string(),
  role: z.string().exactOptional(),
  description: z.string().exactOptional(),
  worker: z.union([z.literal('free'), worker.pick({ session_id: true, name: true, status: true })]),
});
export type SlotView = Shape<typeof slot>;

export const statusInput = z.strictObject({
  since: sinceText.exactOptional().describe('ISO 8601 time or 12h: adds digest, what has come of the work since.'),
  scope: z.enum(['project', 'all']).exactOptional().describe('all adds each project in a line.'),
});

const projectLine = z.object({
  path: z.string(),
  /** How many are in each status that any is in. */
  workers: z.partialRecord(z.enum(statuses), z.number()),
  /** Open ones; a plan's jobs are not counted. */
  tasks: z.number(),
  plans: z.number(),
  /** Who needs somebody, and for what. */
  needs: list(z.string()),
});
export type ProjectLine = Shape<typeof projectLine>;

export const statusOutput = z.object({
  workers: z.object({
    starting: members,
    idle: members,
    working: members,
    waiting: members,
    unknown: members,
    dead: members,
    closed: members,
  } satisfies Record<Status, unknown>),
  slots: list(slot),
  attention: list(attention),
  counts: z.object({
    starting: z.number(),
    idle: z.number(),
    working: z.number(),
    waiting: z.number(),
    unknown: z.number(),
    dead: z.number(),
    closed: z.number(),
  } satisfies Record<Status, unknown>),
  recent: list(event),
  /** Merges of live branches that would stop; as of the last commit or turn. */
  conflicts: list(foreseen),
  /** Changes in main checkouts that appeared while workers worked elsewhere, and are still there. */
  escapes: list(escaped),
  /** Deaths, held messages, landings that were sent back and failed tasks of the last hour. */
  failures: list(event),
  reports: list(word),
  /** Plans and tasks that have not ended, and those that ended last. */
  plans: list(briefPlan),
  tasks: list(task),
  /** Tasks at work now, of all projects, and how many may be. */
  running: z.number(),
  limit: z.number(),
  paused: paused.exactOptional(),
  /** Those that have not ended. */
  loops: list(loopLine).exactOptional(),
  /** A line each: those that are paused, and the next run of any. */
  schedules: list(z.string()).exactOptional(),
  usage: usage.exactOptional(),
  /** With since alone. */
  digest: digest.exactOptional(),
  suggested_calls: list(z.string()),
  /** With scope all alone. */
  projects: list(projectLine).exactOptional(),
  attach: z.string().nullable(),
  ...shortened,
});
/** The part of plans and tasks. */
export const ofJobs = statusOutput.pick({
  plans: true,
  tasks: true,
  paused: true,
  loops: true,
  schedules: true,
  digest: true,
});
export type StatusResult = Shape<typeof statusOutput>;
/** The part that the crew knows by itself. */
export type CrewStatus = Omit<
  StatusResult,
  'plans' | 'tasks' | 'running' | 'limit' | 'paused' | 'loops' | 'schedules' | 'projects' | 'digest'
>;

export const trackerHelpInput = z.strictObject({
  project_path: path.default('auto').describe('The project.'),
});

export const trackerHelpOutput = z.object({
  tracker: z.string().nullable(),
  cli: z.string().nullable(),
  help: z.string(),
  quick_commands: z.record(z.string(), z.string()),
  worker_tip: z.string(),
  ...shortened,
});
export type TrackerHelpResult = Shape<typeof trackerHelpOutput>;
