// Gives each worker a block of ports of its own.
import { freeBlock } from '../../model/ports.ts';
import { listeningPorts } from '../../system/listening.ts';
import type { CrewContext } from '../workers/roster.ts';

/** The first port of each worker's block; a worker that returns keeps its block where no other has it. */
export async function portsFor(
  { roster }: CrewContext,
  workers: readonly { readonly id: string; readonly port?: number }[],
): Promise<ReadonlyMap<string, number>> {
  const ids = new Set(workers.map(({ id }) => id));
  const others = roster.records().filter(({ id, phase }) => phase !== 'closed' && !ids.has(id));
  const given = new Set(others.flatMap(({ port }) => port ?? []));
  const ports = new Map<string, number>();
  const listening = await listeningPorts();
  for (const { id: workerId, port: own } of workers) {
    const port = own === undefined || given.has(own) ? freeBlock({ workerId, given, listening }) : own;
    if (port === undefined) continue;
    given.add(port);
    ports.set(workerId, port);
  }
  return ports;
}
