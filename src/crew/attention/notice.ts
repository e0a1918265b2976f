// What a person is notified of, about workers, tasks and plans, in two lines. Pure.

import { clipped } from '../../draw/terminal-text.ts';
import type { JobEvent } from '../../model/event.ts';
import { fieldsOf, wordOf } from '../../model/json.ts';
import { oneLine } from '../../model/plain-text.ts';
import { alarmStatuses } from '../../model/task.ts';
import { alarmTitle, type WorkerRecord } from '../../model/worker.ts';
import type { NoticeKind } from '../../settings/settings.ts';
import { type AttentionView, needDetail } from '../../wire/attention.ts';
import { endKey, waitKey } from '../../wire/shown-keys.ts';

export interface Notice {
  readonly kind: NoticeKind;
  /** What it counts as for who does not ask for its kind. */
  readonly also?: NoticeKind;
  readonly workerId: string;
  readonly name: string;
  readonly projectPath: string;
  /** Begins with our own name: a program must not take the text for one of its options. */
  readonly title: string;
  readonly body: string;
}

const titleColumns = 160;
const bodyColumns = 600;

export type About = Pick<WorkerRecord, 'id' | 'name' | 'crew' | 'projectPath' | 'mainRepoPath'>;

export function notice(kind: NoticeKind, about: About, { title, body }: { title: string; body: string }): Notice {
  return {
    kind,
    workerId: about.id,
    name: about.name,
    projectPath: about.mainRepoPath ?? about.projectPath,
    title: clipped(`crewmux: ${oneLine(title)}`, titleColumns),
    body: clipped(`${about.crew}: ${oneLine(body)}`, bodyColumns),
  };
}

export const needNotice = (about: About, need: AttentionView): Notice =>
  notice(need.waiting_for === 'dead' ? 'dead' : 'attention', about, { title: need.title, body: needDetail(need) });

const ownEnd: readonly AttentionView['waiting_for'][] = ['limit'];

/** How long after its first notice an unanswered need is told once more; undefined where it is not. Pure. */
export const secondNoticeMs = (
  { waiting_for }: Pick<AttentionView, 'waiting_for'>,
  waitingMinutes: number | undefined,
): number | undefined =>
  waitingMinutes === undefined || ownEnd.includes(waiting_for) ? undefined : waitingMinutes * 60_000;

export function secondNotice(about: About, need: AttentionView, now: number): Notice {
  const minutes = Math.floor((now - Date.parse(need.since)) / 60_000);
  const { kind } = needNotice(about, need);
  return notice(kind, about, { title: `${need.title} (for ${minutes} min)`, body: needDetail(need) });
}

export const idleNotice = (about: About, endedBy: string): Notice =>
  notice('idle', about, { title: `${about.name} is idle`, body: `its turn has ended (${endedBy})` });

export function reportNotice(about: About, data: unknown): Notice {
  const { kind, status, message, what_done } = fieldsOf(data);
  const body = wordOf(message) ?? wordOf(what_done) ?? wordOf(kind) ?? '';
  const alarm = alarmStatuses.find((one) => one === status);
  if (alarm !== undefined)
    return {
      ...notice('attention', about, { title: alarmTitle(about.name, { status: alarm }), body }),
      also: 'report',
    };
  const title = `${about.name} reports${wordOf(status) === undefined ? '' : ` ${wordOf(status)}`}`;
  return notice('report', about, { title, body });
}

export const stuckNotice = (about: About, silentMs: number): Notice =>
  notice('stuck', about, {
    title: `${about.name} may be stuck`,
    body: `it works, and has shown no sign of life for ${Math.round(silentMs / 60_000)} min`,
  });

interface JobNotice {
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
  if (type === 'schedule_paused')
    return {
      key: `${id} paused`,
      notice: notice('attention', about, { title: `The schedule ${id} is paused`, body: reason }),
    };
  if (type === 'loop_paused' || type === 'loop_ended') {
    const state = wordOf(fields.state) ?? 'over';
    const kind = type === 'loop_paused' ? 'attention' : 'plan_ended';
    return {
      key: `${id} ${state}`,
      notice: notice(kind, about, { title: `The loop ${id} is ${state}`, body: reason }),
    };
  }
  if (type === 'plan_ended' && planId !== undefined) {
    const title = `The plan ${name} is ${wordOf(fields.state) ?? 'over'}`;
    return { key: endKey(planId), notice: notice('plan_ended', about, { title, body: reason }) };
  }
  return undefined;
}
