// Puts a question to somebody and waits with it.
import { systemClock } from '../clock.ts';
import { newNonce } from '../model/ids.ts';
import type { OpenRequest, RequestAnswer } from '../model/request.ts';
import { parkRequest } from '../state/requests.ts';
import { awaitAnswer } from './await-answer.ts';
import type { Asking } from './hook.ts';

/** Resolves when the question was answered, or is nobody's any more. Time alone never answers one. */
export async function park(asking: Asking, rule?: string): Promise<void> {
  const { place, question, hook, order } = asking;
  const request = requestOf(asking, rule);
  await parkRequest(place.workerDir, request);
  const { suggestions } = question;
  await asking.signal(order.at, {
    decision: 'parked',
    request_id: request.id,
    ...(rule === undefined ? {} : { rule }),
    ...(suggestions === undefined ? {} : { suggestions }),
  });
  const answer = await awaitAnswer({ ...asking, id: request.id, clock: systemClock });
  const words = hook.say(question, answer);
  asking.say(words);
  await asking.signal(systemClock.now(), endOf(request.id, answer, words));
}

function requestOf({ place, question, order }: Asking, rule: string | undefined): OpenRequest {
  const { kind, tool, input, cwd, suggestions } = question;
  return {
    id: newNonce(),
    workerId: place.workerId,
    launch: place.launch,
    kind,
    from: 'hook',
    at: order.at,
    tool: { name: tool, input, cwd },
    ...(rule === undefined ? {} : { rule }),
    ...(suggestions === undefined ? {} : { suggestions }),
  };
}

const endOf = (request_id: string, { by, decision }: RequestAnswer, words: string) =>
  words === '' ? { decision: 'handed-over', request_id } : { decision: 'answered', request_id, by, answer: decision };
