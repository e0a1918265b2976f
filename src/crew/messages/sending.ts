// One message on its way to one worker.
import type { Agent } from '../../agents/agent.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { Following } from '../workers/following.ts';
import type { CrewContext } from '../workers/roster.ts';

export interface SendRequest {
  readonly text: string;
  readonly delivery: 'queue' | 'steer' | 'interrupt';
  readonly asCommand: boolean;
  /** For the log, beside the verdict. */
  readonly about?: Readonly<Record<string, unknown>>;
}

export interface Sending {
  readonly context: CrewContext;
  readonly record: WorkerRecord;
  readonly following: Following;
  readonly agent: Agent;
  readonly request: SendRequest;
}
