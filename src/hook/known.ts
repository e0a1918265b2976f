// What is known of a question before anybody is asked.
import { dirname } from 'node:path';
import { personsReason } from '../permissions/tripwire-look.ts';
import { readPlace, realPath, type WorkerPlace } from '../store/place.ts';
import { rememberedFor } from '../store/remembered.ts';
import type { Asking } from './hook.ts';
import type { Known } from './next.ts';

export async function knownOf(asking: Asking): Promise<Known> {
  const { place, hook, question, env, order } = asking;
  const at = readPlace(place.workerDir) ?? guessed(asking);
  const act = hook.actOf(question.tool, question.input, question.cwd);
  const temporary = env.TMPDIR === undefined ? {} : { temporary: env.TMPDIR };
  return {
    persons: await personsReason(act, { ...at, real: realPath, isFenced: order.isFenced, ...temporary }),
    remembered: rememberedOf(asking, at),
  };
}

/** Where a worker seems to work whose file says nothing. */
const guessed = ({ place, env, question }: Asking): WorkerPlace => ({
  root: realPath(question.cwd),
  userHome: env.HOME ?? '/',
  stateHome: dirname(dirname(place.workerDir)),
});

/** What was denied in one scope is not allowed by another. */
function rememberedOf({ place, question }: Asking, { stateHome, role }: WorkerPlace): Known['remembered'] {
  const { workerId, launch } = place;
  const scopes = [
    `launch:${workerId}:${launch}`,
    `worker:${workerId}`,
    ...(role === undefined ? [] : [`role:${role}`]),
  ];
  const input = JSON.stringify(question.input);
  const decisions = scopes
    .flatMap((scope) => rememberedFor(stateHome, scope))
    .filter((one) => one.tool === question.tool && one.input === input)
    .map(({ decision }) => decision);
  return decisions.includes('deny') ? 'deny' : decisions[0];
}
