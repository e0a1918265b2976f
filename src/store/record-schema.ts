// A worker's record in a file.
import { z } from 'zod';
import type { RecordChange } from '../model/event.ts';
import { presetNames } from '../model/rule.ts';
import { alarmStatuses } from '../model/task.ts';
import { workerSources } from '../model/worker.ts';

const text = z.string();
const count = z.number();

const manager = z.looseObject({ pid: count, processStart: text });

const launch = z.looseObject({
  number: count,
  dir: text,
  command: z.array(text),
  agentSessionId: text,
  transcriptPath: text,
  stateDir: text.exactOptional(),
  account: text.exactOptional(),
  process: manager.exactOptional(),
  skipPermissions: z.boolean(),
  sandbox: z.enum(['on', 'partial', 'off']).exactOptional(),
  holes: z.array(text).exactOptional(),
  writesRefs: z.boolean().exactOptional(),
  sandboxBroke: z.looseObject({ count, lastAt: count }).exactOptional(),
  startedAt: count,
  withPrompt: z.boolean(),
});

const pane = z.looseObject({
  socket: text,
  serverPid: count,
  serverStartedAt: count,
  serverProcessStart: text.exactOptional(),
  paneId: text,
  windowId: text,
  session: text,
  pid: count,
});

const landed = z.looseObject({ target: text, source: text, to: text });
const alarm = z.looseObject({ status: z.enum(alarmStatuses), message: text, at: count });
const task = z.looseObject({ id: text, attempt: count, plans: z.literal(true).exactOptional() });
const said = z.looseObject({ as: text, at: count });
const roleKept = z.looseObject({
  source: text,
  sha256: text,
  preset: z.enum(presetNames).exactOptional(),
  deny: z.array(text),
});
const base = z.looseObject({ ref: text, sha: text.exactOptional() });

const budget = z.looseObject({ maxTurns: count.exactOptional(), maxCostUsd: count.exactOptional() });
const limitNotice = z.looseObject({
  level: z.enum(['notice', 'stop']),
  limit: count,
  day: text.exactOptional(),
  at: count,
});

const always = {
  id: text,
  name: text,
  agentType: text,
  phase: z.enum(['spawning', 'live', 'dead', 'closed']),
  crew: text,
  projectPath: text,
  ownsWorktree: z.boolean(),
  permissionMode: text,
  colour: text,
  source: z.enum(workerSources),
  manager,
  createdAt: count,
  restarts: count,
  launch,
};

const sometimes = {
  mainRepoPath: text,
  worktreePath: text,
  worktreeGitDir: text,
  ownsBranch: z.boolean(),
  branch: text,
  branchFolder: text,
  base,
  begunAt: base,
  landed,
  annotation: text,
  bead: text,
  role: text,
  slot: text,
  roleKept,
  model: text,
  preset: z.enum(presetNames),
  port: count,
  choosesMode: z.boolean(),
  pane,
  outboxRead: count,
  alarm,
  progress: z.looseObject({ percent: count, at: count }),
  closing: z.boolean(),
  endedAt: count,
  endDetail: text,
  task,
  said,
  resumedLimit: count,
  spokenIn: text,
  failures: z.array(count),
  lostTurn: z.looseObject({
    at: count,
    detail: text,
    told: z.literal(true).exactOptional(),
    left: z.literal(true).exactOptional(),
  }),
  kept: z.array(text),
  budget,
  turnCount: z.looseObject({ launch: count, before: count, here: count }),
  grants: z.looseObject({
    turns: count.exactOptional(),
    cost: count.exactOptional(),
    day: z.looseObject({ day: text, times: count }).exactOptional(),
  }),
  contextSaid: text,
  limitNotices: z.looseObject({ turns: limitNotice, cost: limitNotice, day: limitNotice }).exactPartial(),
};

/** Fields this version does not know are kept. */
export const recordSchema = z.looseObject({ ...always, ...z.object(sometimes).exactPartial().shape });
const part = recordSchema.exactPartial();

/** Any fields of a record; null where one is taken away. */
export const changeSchema: z.ZodType<RecordChange> = z.record(z.string(), z.unknown()).transform((fields, context) => {
  const entries = Object.entries(fields);
  const set = part.safeParse(Object.fromEntries(entries.filter(([, value]) => value !== null)));
  if (!set.success) {
    context.addIssue({ code: 'custom', message: set.error.message });
    return z.NEVER;
  }
  const taken = entries.flatMap(([name, value]) => (value === null ? [[name, value] as const] : []));
  return { ...set.data, ...Object.fromEntries(taken) };
});
