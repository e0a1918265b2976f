// What a real worker asks, as its manager hears it, and the call that answers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { z } from 'zod';
import { defined } from '../../src/model/defined.ts';
import { messageOf } from '../../src/model/errors.ts';
import type { attention } from '../../src/wire/attention.ts';
import { event } from '../../src/wire/events.ts';
import { list } from '../../src/wire/parts.ts';
import type { Fields } from '../support/mcp.ts';
import { eventually } from '../support/sandbox.ts';
import type { RealCrew, Worker } from './crew.ts';

export type Need = z.infer<typeof attention>;

const changes = z.looseObject({ events: list(event), cursor: z.string() });
type Event = z.infer<typeof event>;

/** What has happened to the worker since a time in epoch milliseconds. */
export async function eventsOf(crew: RealCrew, of: Worker, since: number): Promise<readonly Event[]> {
  const found: Event[] = [];
  let from: Fields = { since: new Date(since).toISOString() };
  for (;;) {
    const { events, cursor } = await crew.call('poll_worker_changes', changes, from);
    if (events.length === 0) return found;
    found.push(...events.filter(({ worker_id }) => worker_id === of.session_id));
    from = { cursor };
  }
}

/** The dialog is drawn, and a message is held before it: nothing of it is typed. */
export async function holds(crew: RealCrew, worker: Worker, words: RegExp): Promise<void> {
  await eventually('the dialog is on the screen', () => words.test(crew.screen(worker)));
  expect(await crew.message(worker, 'SAY not now')).toMatchObject({ success: false, verdict: 'held' });
  expect(crew.screen(worker)).toMatch(words);
  expect(crew.screen(worker)).not.toContain('not now');
}

/** Makes a call again as long as it says that the machine was too busy for it and nothing was done. */
export async function patient<Output>(call: () => Promise<Output>): Promise<Output> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!/^This machine is too busy/.test(messageOf(error))) throw error;
    }
  }
}

const answered = z.looseObject({ success: z.boolean(), status: z.string() });
const fields = z.record(z.string(), z.unknown());

/** The agent's own word that it waits may come long before the hook that says for what. */
const isWhole = ({ waiting_for, request_id, options }: Need): boolean =>
  request_id !== undefined || options !== undefined || !/^(?:permission|question|plan_approval)$/.test(waiting_for);

/** The first thing the worker asks, as a wait tells it once it is known what that is. */
export const needOf = (crew: RealCrew, worker: Worker): Promise<Need> => needSuch(crew, worker, isWhole);

/** The first need of the worker that is such; it may come a while after the worker was last seen. */
export const needSuch = (crew: RealCrew, worker: Worker, is: (need: Need) => boolean): Promise<Need> =>
  eventually('what it waits for is told', async () => {
    const { attention } = await crew.wait([worker.session_id], { on_attention: 'any' });
    return attention.find((need) => need.session_id === worker.session_id && is(need));
  });

/** Makes the first call of the attention that denies nothing, with other fields where a test wants them. */
export const answer = (crew: RealCrew, need: Need, others: Fields = {}): Promise<z.infer<typeof answered>> =>
  patient(() => crew.call('answer_worker', answered, { ...allowing(need), ...others }));

const denial = z.union([
  z.looseObject({ decision: z.literal('deny') }),
  z.looseObject({ option: z.string().regex(/^(?:No\b|Back to )/) }),
]);

/** The denial where only a person may allow; where no call fits, the ids alone: the test has the answer. */
function allowing({ session_id, request_id, answer_with }: Need): Fields {
  const calls = answer_with.flatMap((call) => {
    const given = /^answer_worker (\{.*\})$/.exec(call)?.[1];
    return given === undefined ? [] : [fields.parse(JSON.parse(given))];
  });
  return calls.find((call) => !denial.safeParse(call).success) ?? calls[0] ?? defined({ session_id, request_id });
}

/** What the tools of the worker's model answered. */
export const resultsOf = (crew: RealCrew, of: Worker): string =>
  crew.home.model.requests
    .filter((request) => request.cwd === of.project_path)
    .flatMap((request) => request.results)
    .join('\n');

export const workerDir = (crew: RealCrew, of: Worker): string =>
  join(crew.home.env.CREWMUX_HOME ?? '', 'workers', of.session_id);

const answerFile = z.looseObject({ by: z.string(), decision: z.string() });

/** What stands in the answer file of a request; undefined as long as there is none. */
export function answerTo(crew: RealCrew, of: Worker, requestId: string): z.infer<typeof answerFile> | undefined {
  const path = join(workerDir(crew, of), 'requests', `${requestId}.answer.json`);
  try {
    return answerFile.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined;
  }
}
