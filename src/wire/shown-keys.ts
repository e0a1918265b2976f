// What an answer has told its reader: the keys of the needs, alarms and checkpoints that stand in it. Pure.
import { defined } from '../model/defined.ts';
import { fieldsOf, wordOf } from '../model/json.ts';
import { alarmStatuses, planHasEnded, planStates } from '../model/task.ts';
import { taskEnds } from '../model/task-progress.ts';
import { attentionKey } from './attention.ts';
import type { WordView } from './reports.ts';
import type { CheckpointView } from './tasks.ts';

const ends = new Set<string>([...taskEnds, ...planStates.filter((state) => planHasEnded({ state }))]);

type PointName = Pick<CheckpointView, 'planId' | 'job' | 'why'> & { readonly at: string };

export const checkpointKey = ({ planId, at, job, why }: PointName): string => JSON.stringify([planId, at, job, why]);

export const alarmKey = ({ session_id, at }: Pick<WordView, 'session_id' | 'at'>): string => `${session_id} says ${at}`;

/** The end of a plan or a task. */
export const endKey = (id: string): string => `${id} ended`;

/** A plan that waits for a decision, by the words that its event has. */
export const waitKey = (planId: string, why: string): string => `${planId} waits: ${why.slice(0, 300)}`;

/** Whether it is that of a checkpoint. */
export const isCheckpointKey = (key: string): boolean => key.startsWith('[');

/** Of everything in the structured content of an answer, however deep it lies; what was cut from it has told nobody. */
export function shownKeysIn(answer: unknown): readonly string[] {
  if (typeof answer !== 'object' || answer === null) return [];
  const own = Array.isArray(answer) ? [] : keysOf(answer);
  return [...own, ...Object.values(answer).flatMap(shownKeysIn)];
}

function keysOf(value: object): readonly string[] {
  const fields = fieldsOf(value);
  const word = (name: string) => wordOf(fields[name]);
  const [planId, session_id, at, why] = [word('plan_id'), word('session_id'), word('at'), word('why')];
  if (planId !== undefined && at !== undefined && why !== undefined && Array.isArray(fields.calls))
    return [checkpointKey({ planId, at, why, ...defined({ job: word('job') }) })];
  const id = word('task_id') ?? planId;
  if (id !== undefined && ends.has(word('state') ?? '')) return [endKey(id)];
  if (session_id === undefined) return [];
  const [waiting_for, since] = [word('waiting_for'), word('since')];
  if (waiting_for !== undefined && since !== undefined)
    return [attentionKey({ session_id, waiting_for, since, ...defined({ request_id: word('request_id') }) })];
  const isAlarm = fields.alarm === true || alarmStatuses.some((one) => one === fields.status);
  return isAlarm && at !== undefined ? [alarmKey({ session_id, at })] : [];
}
