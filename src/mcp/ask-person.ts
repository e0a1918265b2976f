// Puts what workers ask, and what plans wait for, to the person at the client, one form at a time.
import type { Crew } from '../crew/api.ts';
import type { Disposer } from '../model/clock.ts';
import { asCrewError } from '../model/errors.ts';
import { checkpointKey } from '../wire/shown-keys.ts';
import type { Jobs } from '../work/api.ts';
import { checkpointForm, decisionOf } from './checkpoint-form.ts';
import { type Form, formOf, orderOf } from './person-form.ts';
import type { ClientDoor } from './profile.ts';

type Client = Pick<ClientDoor, 'signal' | 'log'> & { readonly elicit: NonNullable<ClientDoor['elicit']> };

/** Something that waits for its first answer. */
interface Open {
  readonly id: string;
  /** For our log. */
  readonly about: string;
  readonly form: () => Form;
  /** Undefined where the filled-in form holds no answer. */
  readonly act: (content: unknown) => Promise<unknown> | undefined;
}

type Asker = (listen: (open: readonly Open[]) => void) => Disposer;

/** Asks until the client is gone. What the person puts aside stays open, and is not asked again. */
export function askPerson(askers: readonly Asker[], { signal, log, elicit }: Client): void {
  const wasAsked = new Set<string>();
  const open: (readonly Open[])[] = askers.map(() => []);
  let isAsking = false;
  let shown: { readonly id: string; readonly end: AbortController } | undefined;
  const due = () => (signal.aborted ? undefined : open.flat().find(({ id }) => !wasAsked.has(id)));
  const ask = async ({ id, about, form, act }: Open) => {
    const end = new AbortController();
    wasAsked.add(id);
    shown = { id, end };
    try {
      const { action, content } = await elicit(form(), end.signal).finally(() => {
        shown = undefined;
      });
      if (action === 'accept') await act(content);
    } catch (thrown) {
      // It was answered elsewhere; should it be open again, the person is asked again.
      if (end.signal.aborted) wasAsked.delete(id);
      else log.write('warn', `${about}, asked in a form: ${asCrewError(thrown).message}`);
    }
  };
  const askAll = async () => {
    if (isAsking) return;
    isAsking = true;
    for (let one = due(); one !== undefined; one = due()) await ask(one);
    isAsking = false;
  };
  const stops = askers.map((asker, at) =>
    asker((now) => {
      // A plan can come to wait once more for the same.
      for (const { id } of open[at] ?? []) if (!now.some((one) => one.id === id)) wasAsked.delete(id);
      open[at] = now;
      if (shown !== undefined && !open.flat().some(({ id }) => id === shown?.id))
        shown.end.abort('It was answered elsewhere.');
      void askAll();
    }),
  );
  signal.addEventListener(
    'abort',
    () => {
      for (const stop of stops) stop();
    },
    { once: true },
  );
}

export const askedByWorkers =
  (crew: Pick<Crew, 'onAsked' | 'answer'>, { signal }: Pick<Client, 'signal'>): Asker =>
  (listen) =>
    crew.onAsked((all) =>
      listen(
        all.map((asked) => ({
          id: asked.requestId,
          about: `${asked.requestId} of ${asked.name}`,
          form: () => formOf(asked),
          act(content) {
            const order = orderOf(asked, content);
            return order && crew.answer(order, { signal, by: 'person', tell: () => undefined });
          },
        })),
      ),
    );

/** `mayAsk` tells whether the user has chosen forms. */
export const askedByPlans =
  (
    jobs: Pick<Jobs, 'jobsSummary' | 'onChange' | 'approve' | 'cancel'>,
    { mayAsk, log }: Pick<Client, 'log'> & { readonly mayAsk: () => Promise<boolean> },
  ): Asker =>
  (listen) => {
    let last: Promise<void> = Promise.resolve();
    const look = async () => {
      const points = (await mayAsk()) ? (await jobs.jobsSummary()).checkpoints : [];
      listen(
        points.map((point) => ({
          id: checkpointKey(point),
          about: `a checkpoint of ${point.planId}`,
          form: () => checkpointForm(point),
          act(content) {
            const decision = decisionOf(point, content);
            if (decision === undefined) return undefined;
            return 'cancel' in decision ? jobs.cancel({ planId: decision.cancel }) : jobs.approve(decision.approve);
          },
        })),
      );
    };
    const request = () => {
      last = last.then(look).catch((thrown) => log.write('warn', 'plans could not be looked at', thrown));
    };
    request();
    return jobs.onChange(request);
  };
