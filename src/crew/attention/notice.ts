// One thing that a person may want to hear of, in words.

import { fieldsOf, wordOf } from '../../model/json.ts';
import { clipped, oneLine } from '../../model/terminal-text.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { NoticeKind } from '../../settings/settings.ts';
import type { AttentionView } from '../../wire/attention.ts';
import { needDetail } from './need-words.ts';

export interface Notice {
  readonly kind: NoticeKind;
  readonly workerId: string;
  readonly name: string;
  readonly projectPath: string;
  /** Begins with our own name: a program must not take the text for one of its options. */
  readonly title: string;
  readonly body: string;
}

const titleColumns = 160;
const bodyColumns = 600;

type About = Pick<WorkerRecord, 'id' | 'name' | 'crew' | 'projectPath' | 'mainRepoPath'>;

function notice(kind: NoticeKind, about: About, { title, body }: { title: string; body: string }): Notice {
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

export const idleNotice = (about: About, endedBy: string): Notice =>
  notice('idle', about, { title: `${about.name} is idle`, body: `its turn has ended (${endedBy})` });

export function reportNotice(about: About, data: unknown): Notice {
  const { kind, status, message, what_done } = fieldsOf(data);
  const title = `${about.name} reports${wordOf(status) === undefined ? '' : ` ${wordOf(status)}`}`;
  return notice('report', about, { title, body: wordOf(message) ?? wordOf(what_done) ?? wordOf(kind) ?? '' });
}
