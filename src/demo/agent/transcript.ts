// The transcript of one conversation: lines gathered and written in batches, as the real program does.
import { appendFileSync, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Clock, isoTime } from '../../model/clock.ts';
import { newUuid } from '../../model/ids.ts';
import type { Fields } from '../../model/json.ts';

export interface Transcript {
  readonly agentSessionId: string;
  readonly path: string;
  /** A line of the conversation, chained to the one before; `at` is when what it tells of happened. */
  line(fields: Fields, at?: number): void;
  /** A line beside the conversation, on disk at once and so before lines that are older. */
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
  let gathered: Fields[] = [];
  let isBegun = existsSync(spec.path);
  const write = (lines: readonly Fields[]) => {
    if (lines.length === 0) return;
    const all = isBegun ? lines : [...headers(spec), ...lines];
    isBegun = true;
    mkdirSync(dirname(spec.path), { recursive: true, mode: 0o700 });
    appendFileSync(spec.path, all.map((line) => `${JSON.stringify(line)}\n`).join(''), { mode: 0o600 });
  };
  const flush = () => {
    const lines = gathered;
    gathered = [];
    write(lines);
  };
  const origin = { userType: 'external', entrypoint: 'cli', cwd: spec.cwd, sessionId: agentSessionId };
  return {
    agentSessionId,
    path: spec.path,
    line(fields, at = clock.now()) {
      const uuid = newUuid();
      const { gitBranch } = spec;
      const rest = { uuid, timestamp: isoTime(at), ...origin, version: imitatedVersion, gitBranch };
      gathered.push({ parentUuid, isSidechain: false, ...fields, ...rest });
      if (spec.flushMs === 0) flush();
      else clock.after(spec.flushMs, flush);
      parentUuid = uuid;
    },
    note: (fields) => write([{ ...fields, timestamp: isoTime(clock.now()), sessionId: agentSessionId }]),
    isBegun: () => isBegun || gathered.length > 0,
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
