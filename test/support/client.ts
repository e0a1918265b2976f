// What a manager does with a crew through its MCP client, before scripted agents and before real ones.
import type { z } from 'zod';
import { changesOutput, type EventView, waitOutput } from '../../src/wire/events.ts';
import { type LogMessage, logsOutput } from '../../src/wire/examine.ts';
import { interruptOutput, messageOutcome, messageOutput } from '../../src/wire/messages.ts';
import { list } from '../../src/wire/parts.ts';
import { type closeOutcome, closeOutput, spawnOutput } from '../../src/wire/starting.ts';
import { listOutput, worker } from '../../src/wire/worker.ts';
import type { Connection, Fields } from './mcp.ts';

export type Worker = z.infer<typeof worker>;
export type Outcome = z.infer<typeof messageOutcome>;
type Made = z.infer<typeof spawnOutput>;
export type Spawned = Omit<Made, 'sessions'> & { readonly sessions: readonly Worker[] };
type Id = Pick<Worker, 'session_id'>;

export const paneOf = (of: Worker): string => (of.terminal_id ?? '').replace(/^tmux:/, '');

export interface CrewClient {
  call<Output>(tool: string, output: z.ZodType<Output>, args?: Fields): Promise<Output>;
  /** Each worker in full, closed ones as well; a long list leaves its end out. */
  list(): Promise<readonly Worker[]>;
  look(id: string): Promise<Worker>;
  spawn(workers: readonly Fields[], more?: Fields): Promise<Made>;
  /** The same in full. Whatever changed meanwhile, a spawn is tested by what it answered itself. */
  whole(made: Made): Promise<Spawned>;
  message(to: Id, text: string, more?: Fields): Promise<Outcome>;
  wait(ids: readonly string[], more?: Fields): Promise<z.infer<typeof waitOutput>>;
  interrupt(of: Id): Promise<string>;
  close(of: Id, force?: boolean): Promise<z.infer<typeof closeOutcome>>;
  /** From the first message on. */
  conversation(of: Id): Promise<readonly LogMessage[]>;
  /** What the worker was told, whole. */
  prompts(of: Id): Promise<readonly string[]>;
  events(since?: Fields): Promise<readonly EventView[]>;
}

const listed = listOutput.extend({ workers: list(worker) });

/** Asks whatever server `connection` leads to at the time. */
export function clientOver(connection: () => Connection): CrewClient {
  const call: CrewClient['call'] = async (tool, output, args) =>
    // On a busy machine 100 KB take their time.
    output.parse(await connection().call(tool, args, { timeoutMs: 600_000 }));
  const listAll = (more: Fields = {}) =>
    call('list_workers', listed, { include_closed: true, fields: 'full', ...more });
  const look = async (id: string, more: Fields = {}): Promise<Worker> => {
    const { workers, truncated } = await listAll(more);
    const found = workers.find(({ session_id }) => session_id === id);
    if (found !== undefined) return found;
    // A long list leaves its end out; a brief one has more of it, and one of this worker's folder has it whole.
    const isCut = truncated === true && more.project_filter === undefined;
    const all = isCut ? (await call('list_workers', listOutput, { include_closed: true })).workers : [];
    const one = all.find(({ session_id }) => session_id === id);
    if (one === undefined) throw new Error(`No worker ${id} in the list`);
    return look(id, { project_filter: one.project_path });
  };
  const conversation: CrewClient['conversation'] = async ({ session_id }) => {
    const { messages } = await call('read_worker_logs', logsOutput, { session_id, pages: 20, format: 'full' });
    return messages.toSorted((a, b) => a.index - b.index);
  };
  return {
    call,
    look: (id) => look(id),
    conversation,
    list: async () => (await listAll()).workers,
    spawn: (workers, more = {}) => call('spawn_workers', spawnOutput, { workers, ...more }),
    async whole(made) {
      const sessions = made.sessions.map(async (one) => {
        const seen = await look(one.session_id);
        return { ...seen, ...one, evidence: { ...seen.evidence, ...one.evidence } };
      });
      return { ...made, sessions: await Promise.all(sessions) };
    },
    async message({ session_id }, message, more = {}) {
      const asked = { session_ids: [session_id], message, ...more };
      return messageOutcome.parse((await call('message_workers', messageOutput, asked)).results[session_id]);
    },
    wait: (session_ids, more = {}) => call('wait_idle_workers', waitOutput, { session_ids, timeout: 120, ...more }),
    async interrupt({ session_id }) {
      const { results } = await call('interrupt_workers', interruptOutput, { session_ids: [session_id] });
      return results[session_id]?.outcome ?? 'missing';
    },
    async close({ session_id }, force = false) {
      const { results } = await call('close_workers', closeOutput, { session_ids: [session_id], force });
      const result = results[session_id];
      if (result === undefined) throw new Error(`No result for ${session_id}`);
      return result;
    },
    prompts: async (of) => (await conversation(of)).flatMap(({ role, content }) => (role === 'user' ? [content] : [])),
    events: async (since) => (await call('poll_worker_changes', changesOutput, since)).events,
  };
}
