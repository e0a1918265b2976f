// The ways a text can be sent: where the worker is brought first, and how it goes on afterwards.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../../src/model/errors.ts';
import type { Fields } from '../../support/mcp.ts';
import { answer, needOf } from '../asking.ts';
import type { Verdict } from './arrival.ts';
import type { Stage } from './stage.ts';
import { untilGo } from './stage-home.ts';

export interface Way {
  /** Goes on from "sent". */
  readonly name: string;
  /** The worker all texts are sent to. */
  readonly config: Fields;
  /** What goes with the message. */
  readonly more: Fields;
  /** What may be said of a text that the agent takes as one; the agents differ in what a steering message can do. */
  readonly verdicts: readonly Verdict[];
  readonly texts: 'all' | 'short' | 'few';
  /** Brings the worker there; `round` makes its names its own. */
  prepare(stage: Stage, round: string): Promise<unknown>;
  goOn(stage: Stage, round: string): Promise<unknown>;
}

const nothing = async () => undefined;
const free = { skip_permissions: true };

async function answering(stage: Stage, round: string): Promise<void> {
  const said = await stage.crew.message(stage.worker, `HOLD ${round}\nSAY ok`);
  await stage.asked(`HOLD ${round}\n`).catch((error: unknown) => {
    throw new Error(`${messageOf(error)}\n${JSON.stringify(said)}\n${stage.crew.screen(stage.worker).trimEnd()}`);
  });
}
const release = async (stage: Stage, round: string) => stage.crew.home.model.release(round);
const draft = 'half a thought';

export const ways: readonly Way[] = [
  {
    name: 'to an idle worker',
    config: free,
    more: {},
    verdicts: ['submitted'],
    texts: 'all',
    prepare: nothing,
    goOn: nothing,
  },
  {
    name: 'in the middle of an answer, to be queued',
    config: free,
    more: { delivery: 'queue' },
    verdicts: ['queued'],
    texts: 'short',
    prepare: answering,
    goOn: release,
  },
  {
    name: 'in the middle of an answer, to steer',
    config: free,
    more: { delivery: 'steer' },
    verdicts: ['submitted', 'queued'],
    texts: 'few',
    prepare: answering,
    goOn: release,
  },
  {
    name: 'in the middle of an answer, to interrupt',
    config: free,
    more: { delivery: 'interrupt' },
    verdicts: ['submitted'],
    texts: 'few',
    prepare: answering,
    goOn: release,
  },
  {
    name: 'while a tool runs',
    config: free,
    more: {},
    verdicts: ['queued'],
    texts: 'few',
    async prepare(stage, round) {
      await stage.crew.message(stage.worker, `BASH ${untilGo(round)}\nSAY done`);
      await stage.finds(`began${round}`);
    },
    async goOn(stage, round) {
      writeFileSync(join(stage.worker.project_path, `go${round}`), '');
    },
  },
  {
    name: 'while it asks for permission',
    config: {},
    more: {},
    verdicts: ['held', 'queued'],
    texts: 'few',
    async prepare(stage, round) {
      await stage.crew.message(stage.worker, `${stage.subject.asks(`touch never-${round}`)}\nSAY done`);
      await stage.sees(stage.subject.sees.permission);
    },
    goOn: async ({ crew, worker }) => answer(crew, await needOf(crew, worker), { decision: 'deny', message: 'No.' }),
  },
  {
    name: 'while a person is typing',
    config: free,
    more: {},
    verdicts: ['held', 'queued'],
    texts: 'few',
    async prepare(stage) {
      stage.press('-l', draft);
      await stage.sees(new RegExp(draft));
    },
    async goOn(stage) {
      await stage.sees(new RegExp(draft));
      stage.press('C-u');
      await stage.seesNot(new RegExp(draft));
    },
  },
];
