// One message on its way to one worker.
import type { Agent } from '../../agents/agent.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { House } from '../house.ts';
import type { Following } from '../watching/following.ts';

export interface SendRequest {
  readonly text: string;
  readonly delivery: 'queue' | 'steer' | 'interrupt';
  readonly asCommand: boolean;
  /** For the log, beside the verdict. */
  readonly about?: Readonly<Record<string, unknown>>;
}

export interface Sending {
  readonly house: House;
  readonly record: WorkerRecord;
  readonly following: Following;
  readonly agent: Agent;
  readonly request: SendRequest;
}
