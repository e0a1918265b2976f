// The worker's side of the crew: its tools write files, and the managing servers follow these files.
import { dirname } from 'node:path';
import type { Clock } from '../model/clock.ts';
import { checkToken } from '../store/worker-token.ts';
import { submitInput } from '../wire/desk.ts';
import { outward } from '../wire/spoken.ts';
import type { Desk } from './api.ts';
import { ask } from './ask.ts';
import { contextFor } from './context.ts';
import { handedIn, handIn } from './hand-in.ts';
import { type Me, say } from './me.ts';
import { sendNote } from './notes.ts';
import { openRateLimit } from './rate-limit.ts';
import { createSubtask, listSubtasks, requestReview } from './subtasks.ts';

export interface DeskOptions {
  readonly home: string;
  /** The file of the worker's token, where the environment names one. */
  readonly tokenPath: string | undefined;
  readonly clock: Clock;
}

export function openDesk({ home, tokenPath, clock }: DeskOptions): Desk {
  const count = openRateLimit(clock);
  const me = async (): Promise<Me> => ({
    ...(await checkToken(tokenPath, home)),
    home,
    clock,
    launchDir: dirname(tokenPath ?? ''),
  });
  /** For calls that somebody else reads; they count against the rate limit. */
  const speaking = async (): Promise<Me> => {
    const speaker = await me();
    count(speaker.limits.callsPerMinute);
    return speaker;
  };
  const asking = new Set<Promise<unknown>>();
  const during = <T>(call: Promise<T>): Promise<T> => {
    asking.add(call);
    return call.finally(() => asking.delete(call));
  };
  return {
    progress: async (progress) => say(await speaking(), { kind: 'progress', progress }),
    report: async (report) => say(await speaking(), { kind: 'report', report: outward(submitInput, report) }),
    send: async (note) => sendNote(await speaking(), note),
    ask: (question, call) => during(speaking().then((speaker) => ask(speaker, question, call))),
    createSubtask: async (request) => createSubtask(await speaking(), request),
    subtasks: async () => listSubtasks(await me()),
    requestReview: async (request) => requestReview(await speaking(), request),
    submitPlan: async (plan, call) => handIn(await speaking(), handedIn(plan), call),
    async unfitPlan({ message, hint }, call) {
      await handIn(await speaking(), { is: 'unfit', words: `${message} ${hint}` }, call);
    },
    context: async (request) => contextFor(await me(), request),
    // A question withdraws its request before the process ends.
    dispose: () => Promise.allSettled(asking).then(() => undefined),
  };
}
