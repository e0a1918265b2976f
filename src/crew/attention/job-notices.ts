// What of tasks and plans a person may want to be notified of. Pure.
import type { JobEvent } from '../../model/event.ts';
import { fieldsOf, wordOf } from '../../model/json.ts';
import { endKey, waitKey } from '../../wire/told.ts';
import { type Notice, notice } from './notice.ts';

export interface JobNotice {
  /** Under which a wait tells that the manager has seen it. */
  readonly key: string;
  readonly notice: Notice;
}

/** Undefined for any other event. */
export function jobNotice({ type, subject: id, crew, data }: JobEvent, projectPath: string): JobNotice | undefined {
  const fields = fieldsOf(data);
  const [planId, taskId, reason = ''] = [wordOf(fields.plan_id), wordOf(fields.task_id), wordOf(fields.reason)];
  const name = wordOf(fields.title) ?? wordOf(fields.name) ?? id;
  const about = { id, name, crew, projectPath };
  if (type === 'task_ended' && fields.state === 'failed' && taskId !== undefined)
    return { key: endKey(taskId), notice: notice('task_failed', about, { title: `${name} has failed`, body: reason }) };
  if (type === 'plan_checkpoint' && planId !== undefined) {
    const title = `The plan ${name} waits for a decision`;
    return { key: waitKey(planId, reason), notice: notice('checkpoint', about, { title, body: reason }) };
  }
  if (type === 'plan_ended' && planId !== undefined) {
    const title = `The plan ${name} is ${wordOf(fields.state) ?? 'over'}`;
    return { key: endKey(planId), notice: notice('plan_ended', about, { title, body: reason }) };
  }
  return undefined;
}
