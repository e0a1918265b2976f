// Puts a question to somebody and waits with it.

import { newNonce } from '../model/ids.ts';
import type { OpenRequest, RequestAnswer } from '../model/request.ts';
import { parkRequest } from '../store/requests.ts';
import { systemClock } from '../system/clock.ts';
import { awaitAnswer } from './await-answer.ts';
import type { Asking } from './hook.ts';
import { type Put, whyOf } from './next.ts';

/** Resolves when the question was answered, or is nobody's any more. Time alone never answers one. */
export async function park(asking: Asking, put: Put): Promise<void> {
  const { place, question, hook, order } = asking;
  const request = requestOf(asking, put);
  await parkRequest(place.workerDir, request);
  const { suggestions } = question;
  await asking.signal(order.at, {
    decision: 'parked',
    request_id: request.id,
    ...whyOf(put),
    ...(suggestions === undefined ? {} : { suggestions }),
  });
  const answer = await awaitAnswer({ ...asking, id: request.id, clock: systemClock });
  asking.say(hook.say(question, answer));
  await asking.signal(systemClock.now(), endOf(asking, request.id, answer));
}

function requestOf({ place, question, order }: Asking, put: Put): OpenRequest {
  const { kind, tool, input, cwd, suggestions } = question;
  return {
    id: newNonce(),
    workerId: place.workerId,
    launch: place.launch,
    kind,
    from: 'hook',
    at: order.at,
    tool: { name: tool, input, cwd },
    ...put,
    ...(suggestions === undefined ? {} : { suggestions }),
  };
}

/** Let go of while the agent asks, it asks by its own dialog; before a tool that is a refusal. */
function endOf({ question }: Asking, request_id: string, { by, decision }: RequestAnswer) {
  if (decision === 'let-go' && question.when === 'asking') return { decision: 'handed-over', request_id };
  return { decision: 'answered', request_id, by, answer: decision === 'let-go' ? 'deny' : decision };
}
