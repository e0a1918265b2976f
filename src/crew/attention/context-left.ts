// The event that tells that the context window of a worker is nearly full.
import type { Disposer } from '../../model/clock.ts';
import { contextStep } from '../../usage/context-left.ts';
import type { CrewContext } from '../workers/crew-context.ts';

interface ContextSources {
  readonly log: Pick<CrewContext['log'], 'records' | 'append'>;
  readonly roster: Pick<CrewContext['roster'], 'isMine' | 'onChange' | 'onSpending'>;
  readonly logger: Pick<CrewContext['logger'], 'write'>;
  /** The newest figure of the agent. */
  readonly contextLeftOf: (workerId: string) => number | undefined;
}

/** Writes down what it tells, so that no other server tells it again. */
export function watchContext({ roster, log, logger, contextLeftOf }: ContextSources): Disposer {
  // The log has it a moment later.
  const said = new Map<string, boolean>();
  const look = (workerId: string) => {
    const record = log.records().get(workerId);
    if (record?.phase !== 'live' || !roster.isMine(record)) return;
    const { agentSessionId } = record.launch;
    const key = `${workerId} ${agentSessionId}`;
    const contextLeft = contextLeftOf(workerId);
    const step = contextStep({ contextLeft, isSaid: said.get(key) ?? record.contextSaid === agentSessionId });
    if (step === 'nothing') return;
    said.set(key, step === 'say');
    if (step === 'forget') return;
    const draft = {
      type: 'worker_context' as const,
      workerId,
      data: { context_left: contextLeft },
      set: { contextSaid: agentSessionId },
    };
    log.append([draft]).catch((error: unknown) => logger.write('error', 'a full context could not be told', error));
  };
  const stops = [roster.onChange(({ workerId }) => look(workerId)), roster.onSpending(look)];
  for (const workerId of log.records().keys()) look(workerId);
  return () => {
    for (const stop of stops) stop();
  };
}
