// The transcript of one conversation: lines gathered and written in batches, as the real program does.
import { appendFileSync, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Clock, isoTime } from '../model/clock.ts';
import { newUuid } from '../model/ids.ts';
import type { Fields } from './fields.ts';

export interface Transcript {
  readonly agentSessionId: string;
  readonly path: string;
  /** A line of the conversation, chained to the one before; `at` is when what it tells of happened. */
  line(fields: Fields, at?: number): void;
  /** A line beside the conversation. */
  note(fields: Fields): void;
  /** There is a file of it, or soon will be. */
  isBegun(): boolean;
  /** Puts everything gathered on disk. */
  flush(): void;
}

export interface TranscriptSpec {
  readonly agentSessionId: string;
  readonly path: string;
  readonly cwd: string;
  readonly gitBranch: string;
  readonly name: string | undefined;
  readonly clock: Clock;
  readonly flushMs: number;
}

export const imitatedVersion = '2.1.329';

/** No file is made before the first line. */
export function openTranscript(spec: TranscriptSpec): Transcript {
  const { agentSessionId, clock } = spec;
  let parentUuid: string | null = null;
  let gathered: string[] = [];
  let isBegun = existsSync(spec.path);
  const add = (fields: Fields) => {
    if (!isBegun) {
      isBegun = true;
      for (const header of headers(spec)) gathered.push(JSON.stringify(header));
    }
    gathered.push(JSON.stringify(fields));
    if (spec.flushMs === 0) flush();
    else clock.after(spec.flushMs, flush);
  };
  const flush = () => {
    if (gathered.length === 0) return;
    const text = `${gathered.join('\n')}\n`;
    gathered = [];
    mkdirSync(dirname(spec.path), { recursive: true, mode: 0o700 });
    appendFileSync(spec.path, text, { mode: 0o600 });
  };
  const origin = { userType: 'external', entrypoint: 'cli', cwd: spec.cwd, sessionId: agentSessionId };
  return {
    agentSessionId,
    path: spec.path,
    line(fields, at = clock.now()) {
      const uuid = newUuid();
      const { gitBranch } = spec;
      const rest = { uuid, timestamp: isoTime(at), ...origin, version: imitatedVersion, gitBranch };
      add({ parentUuid, isSidechain: false, ...fields, ...rest });
      parentUuid = uuid;
    },
    note: (fields) => add({ ...fields, timestamp: isoTime(clock.now()), sessionId: agentSessionId }),
    isBegun: () => isBegun,
    flush,
  };
}

const headers = ({ name, agentSessionId: sessionId }: TranscriptSpec): readonly Fields[] => [
  ...(name === undefined
    ? []
    : [
        { type: 'custom-title', customTitle: name, sessionId },
        { type: 'agent-name', agentName: name, sessionId },
      ]),
  { type: 'mode', mode: 'normal', sessionId },
];
