// The files that a running agent writes: the transcript of a conversation, and its state file.
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectSlug, traces } from '../../agents/claude/traces.ts';
import { isoTime } from '../../model/clock.ts';
import { defined } from '../../model/defined.ts';
import { newUuid } from '../../model/ids.ts';
import type { Fields } from '../../model/json.ts';
import { systemClock as clock } from '../../system/clock.ts';
import type { Flags } from './launch.ts';

export const imitatedVersion = '2.1.329';

/** Where Claude Code keeps its own files. */
export const configDirOf = (env: Readonly<Record<string, string>>): string =>
  dirname(traces({ cwd: '/', agentSessionId: '', env }).stateDir ?? '/');

export interface ScriptedConversation {
  readonly agentSessionId: string;
  readonly path: string;
  readonly source: 'startup' | 'resume' | 'fork';
}

/** Where a conversation that begins in this folder is written. */
export const transcriptPath = (configDir: string, cwd: string, agentSessionId: string): string =>
  join(configDir, 'projects', projectSlug(cwd), `${agentSessionId}.jsonl`);

/** The conversation of this start, or the error message with which the program ends. */
export function chooseConversation(
  { resume, forks, agentSessionId = newUuid() }: Flags,
  { configDir, cwd }: { readonly configDir: string; readonly cwd: string },
): ScriptedConversation | { readonly complaint: string } {
  const projects = join(configDir, 'projects');
  // A conversation stays in the folder where it began, wherever it is resumed.
  const pathOf = (id: string) =>
    (existsSync(projects) ? readdirSync(projects) : [])
      .map((folder) => join(projects, folder, `${id}.jsonl`))
      .find((path) => existsSync(path));
  if (resume !== undefined) {
    const path = pathOf(resume);
    // As after a start in which nobody said anything.
    const isEmpty = path === undefined || !readFileSync(path, 'utf8').includes('"type":"user"');
    if (isEmpty) return { complaint: `No conversation found with session ID: ${resume}` };
    if (!forks) return { agentSessionId: resume, path, source: 'resume' };
    const copy = transcriptPath(configDir, cwd, agentSessionId);
    mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
    writeFileSync(copy, readFileSync(path, 'utf8').replaceAll(resume, agentSessionId), { mode: 0o600 });
    return { agentSessionId, path: copy, source: 'fork' };
  }
  if (pathOf(agentSessionId) !== undefined) {
    return { complaint: `Error: Session ID ${agentSessionId} is already in use.` };
  }
  return { agentSessionId, path: transcriptPath(configDir, cwd, agentSessionId), source: 'startup' };
}

export type ScriptedTranscript = ReturnType<typeof openTranscript>;

export interface TranscriptSpec extends Pick<ScriptedConversation, 'agentSessionId' | 'path'> {
  readonly cwd: string;
  readonly flushMs: number;
}

/** Makes no file before the first line. */
export function openTranscript({ agentSessionId, path, cwd, flushMs }: TranscriptSpec) {
  let parentUuid: string | null = null;
  let gathered: Fields[] = [];
  const write = (lines: readonly Fields[]) => {
    if (lines.length === 0) return;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    appendFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { mode: 0o600 });
  };
  const flush = () => {
    const lines = gathered;
    gathered = [];
    write(lines);
  };
  return {
    agentSessionId,
    path,
    /** Adds a line of the conversation, which reaches the disk with the next batch; `at` is the time of its event. */
    line(fields: Fields, at = clock.now()) {
      const uuid = newUuid();
      const origin = { cwd, sessionId: agentSessionId, version: imitatedVersion };
      gathered.push({ parentUuid, isSidechain: false, ...fields, uuid, timestamp: isoTime(at), ...origin });
      if (flushMs === 0) flush();
      else clock.after(flushMs, flush);
      parentUuid = uuid;
    },
    /** Writes a line beside the conversation, on disk at once and so before older lines. */
    note: (fields: Fields) => write([{ ...fields, timestamp: isoTime(clock.now()), sessionId: agentSessionId }]),
    /** Writes all gathered lines. */
    flush,
  };
}

export interface ScriptedStatus {
  readonly status: 'idle' | 'busy' | 'waiting' | 'shell';
  readonly waitingFor?: string;
}

export type StateFile = ReturnType<typeof openStateFile>;

export interface StateFileSpec {
  readonly configDir: string;
  readonly pid: number;
  readonly cwd: string;
  readonly name: string | undefined;
  readonly paneId: string | undefined;
}

/** `sessions/<pid>.json` */
export function openStateFile({ configDir, pid, cwd, name, paneId }: StateFileSpec) {
  const path = join(configDir, 'sessions', `${pid}.json`);
  const procStart = startOf(pid);
  const startedAt = clock.now();
  let shown = '';
  let changedAt = startedAt;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return {
    /** Writes only a status or conversation that is new. */
    set({ status, waitingFor }: ScriptedStatus, sessionId: string) {
      const key = `${status} ${waitingFor ?? ''} ${sessionId}`;
      if (key === shown) return;
      shown = key;
      changedAt = Math.max(clock.now(), changedAt + 1);
      const state = {
        ...{ pid, sessionId, cwd, startedAt, procStart, version: imitatedVersion, kind: 'interactive' },
        // Readers look only at the pane's id; this program does not know its tmux session and window.
        ...defined({ tmux: paneId && `scripted:@0.${paneId}`, name, status, waitingFor }),
        ...{ updatedAt: changedAt, statusUpdatedAt: changedAt },
      };
      writeFileSync(path, JSON.stringify(state), { mode: 0o600 });
    },
    remove: () => rmSync(path, { force: true }),
  };
}

/** Field 22 of /proc/<pid>/stat; undefined where there is none. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program's name, in parentheses, may hold blanks.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}
