// What workers ask that a person may answer by a form, where the user has chosen so.
import type { Disposer } from '../../model/clock.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { needDetail } from '../../wire/attention.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import { attentionFor } from './attention.ts';
import { questionsOf, type RequestQuestion } from './request-answer.ts';

/** A permission, a plan or a question that waits for its first answer. */
export interface UnansweredRequest {
  /** The id of the worker. */
  readonly worker: string;
  readonly name: string;
  readonly requestId: string;
  readonly title: string;
  readonly detail: string;
  /** None where it is to be allowed or denied. */
  readonly questions: readonly Pick<RequestQuestion, 'text' | 'labels'>[];
}

/** Calls back with all that is asked of workers of this server, oldest first: now, and after each change. */
export function watchAsked(context: CrewContext, listen: (asked: readonly UnansweredRequest[]) => void): Disposer {
  let open: readonly UnansweredRequest[] = [];
  const look = (workerId: string) => {
    const record = context.log.records().get(workerId);
    const now = record === undefined ? [] : askedOf(context, record);
    const before = open.filter(({ worker }) => worker === workerId);
    if (JSON.stringify(now) === JSON.stringify(before)) return;
    const kept = open.filter(({ worker, requestId }) => worker !== workerId || now.some(isRequest(requestId)));
    const latest = kept.map((one) => now.find(isRequest(one.requestId)) ?? one);
    open = [...latest, ...now.filter(({ requestId }) => !kept.some(isRequest(requestId)))];
    listen(open);
  };
  const stops = [
    context.roster.onChange(({ workerId }) => look(workerId)),
    context.log.onEvents((events) => {
      for (const { workerId, set } of events) {
        if (set?.phase !== undefined || set?.manager !== undefined) look(workerId);
      }
    }),
  ];
  for (const { id } of context.roster.records()) look(id);
  return () => {
    for (const stop of stops) stop();
  };
}

const isRequest = (id: string) => (one: UnansweredRequest) => one.requestId === id;

function askedOf(context: CrewContext, record: WorkerRecord): readonly UnansweredRequest[] {
  if (!context.roster.isMine(record)) return [];
  const turn = context.roster.turn(record.id);
  const asked = attentionFor(context, record).flatMap((need) => {
    const { request_id: requestId, title } = need;
    const questions = questionsAskedBy(turn, requestId);
    if (requestId === undefined || questions === undefined) return [];
    return [{ worker: record.id, name: record.name, requestId, title, detail: needDetail(need), questions }];
  });
  if (asked.length === 0) return [];
  const project = record.mainRepoPath ?? record.projectPath;
  return context.settingsFor(project).settings.attention.elicit ? asked : [];
}

type Turn = ReturnType<CrewContext['roster']['turn']>;

/** Undefined where no file takes the answer: the screen alone asks then, or the question cannot be read. */
function questionsAskedBy(turn: Turn, id: string | undefined): UnansweredRequest['questions'] | undefined {
  const own = turn?.questions.find(({ requestId }) => requestId === id);
  if (own !== undefined) return [{ text: own.text, labels: own.options }];
  const request = turn?.requests.find(({ requestId, held }) => requestId === id && held === true);
  if (request === undefined) return undefined;
  const questions = questionsOf(request).map(({ text, labels }) => ({ text, labels }));
  return questions.length === 0 && request.waitingFor === 'question' ? undefined : questions;
}
