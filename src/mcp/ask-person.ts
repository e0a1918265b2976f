// Puts what workers ask to the person at the client, one form at a time.
import type { Asked, Crew } from '../crew/api.ts';
import { asCrewError } from '../model/errors.ts';
import { formOf, orderOf } from './person-form.ts';
import type { ClientDoor } from './profile.ts';

type Client = Pick<ClientDoor, 'signal' | 'log'> & { readonly elicit: NonNullable<ClientDoor['elicit']> };

/** Asks until the client is gone. A request that the person puts aside stays open, and is not asked again. */
export function askPerson(crew: Pick<Crew, 'onAsked' | 'answer'>, { signal, log, elicit }: Client): void {
  const wasAsked = new Set<string>();
  let open: readonly Asked[] = [];
  let isAsking = false;
  let shown: { readonly requestId: string; readonly end: AbortController } | undefined;
  const due = () => (signal.aborted ? undefined : open.find(({ requestId }) => !wasAsked.has(requestId)));
  const show = (asked: Asked, end: AbortController) => {
    shown = { requestId: asked.requestId, end };
    return elicit(formOf(asked), end.signal).finally(() => {
      shown = undefined;
    });
  };
  const ask = async (asked: Asked) => {
    const { requestId, name } = asked;
    const end = new AbortController();
    wasAsked.add(requestId);
    try {
      const { action, content } = await show(asked, end);
      const order = action === 'accept' ? orderOf(asked, content) : undefined;
      if (order !== undefined) await crew.answer(order, { signal, by: 'person', tell: () => undefined });
    } catch (thrown) {
      // It was answered elsewhere; should it be open again, the person is asked again.
      if (end.signal.aborted) wasAsked.delete(requestId);
      else log.write('warn', `${requestId} of ${name}, asked in a form: ${asCrewError(thrown).message}`);
    }
  };
  const askAll = async () => {
    if (isAsking) return;
    isAsking = true;
    for (let asked = due(); asked !== undefined; asked = due()) await ask(asked);
    isAsking = false;
  };
  const stop = crew.onAsked((now) => {
    open = now;
    if (shown !== undefined && !open.some(({ requestId }) => requestId === shown?.requestId))
      shown.end.abort('It was answered elsewhere.');
    void askAll();
  });
  signal.addEventListener('abort', stop, { once: true });
}
