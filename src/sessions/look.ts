// One look at every session of the agents: transcripts, state files and processes, joined and judged.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentSessions, Todo } from '../agents/agent-sessions.ts';
import type { SessionKind, SessionStatus } from '../model/session-words.ts';
import type { Signal } from '../model/turn.ts';
import { plainText } from '../system/plain-file.ts';
import { noFacts } from './facts.ts';
import { judge, type SessionJudgement } from './judge.ts';
import { type Living, type LivingState, readLiving } from './living.ts';
import { endLines, type TranscriptFile, type TranscriptIndex } from './transcripts.ts';
import type { UsageTrace } from './used.ts';
import { warningsOf } from './warnings.ts';

export interface Session {
  readonly judged: SessionJudgement;
  readonly status: SessionStatus;
  readonly agentType: string;
  readonly agentSessionId: string;
  readonly parent: string | undefined;
  readonly projectPath: string;
  readonly branch: string | undefined;
  readonly kind: SessionKind;
  readonly startedAt: number;
  readonly lastActivityAt: number;
  readonly title: string | undefined;
  /** Its own transcript first, then those of its subagents; none where it has written nothing. */
  readonly traces: readonly UsageTrace[];
  /** Reads its to-do items, in the agent's own order. */
  readonly todos: () => Promise<readonly Todo[]>;
}

export interface SessionsLook {
  /** The newest first. */
  readonly sessions: readonly Session[];
  readonly warnings: readonly string[];
}

export interface SessionSources {
  readonly index: TranscriptIndex;
  readonly agents: readonly AgentSessions[];
  readonly env: Readonly<Record<string, string>>;
  readonly now: number;
}

/** Reads alone. What cannot be read is counted in a warning. */
export async function lookAtSessions({ agents, ...looking }: SessionSources): Promise<SessionsLook> {
  const looks = await Promise.all(agents.map((agent) => lookAt(agent, looking)));
  return {
    sessions: looks.flatMap(({ sessions }) => sessions).sort((a, b) => b.lastActivityAt - a.lastActivityAt),
    warnings: looks.flatMap(({ warnings }) => warnings),
  };
}

async function lookAt(
  agent: AgentSessions,
  { index, env, now }: Omit<SessionSources, 'agents'>,
): Promise<SessionsLook> {
  const places = agent.places(env);
  const { transcripts, unread } = await index.read(agent, places.transcripts);
  const [living, names] = await Promise.all([
    readLiving(agent, places.states),
    places.names === undefined ? [] : namesIn(agent, places.names),
  ]);
  const known: Known = { agent, living, names: new Map(names), below: belowOf(transcripts), todos: places.todos, now };
  const states = new Map(living.states.map((state) => [state.session.agentSessionId, state]));
  const newest = transcripts.toSorted((a, b) => a.modifiedAt - b.modifiedAt);
  const files = new Map(newest.map((one) => [one.agentSessionId, one]));
  const own = [...files.values()].filter(({ isSubagent }) => isSubagent !== true);
  const unwritten = living.states.filter(({ session }) => !files.has(session.agentSessionId));
  const signals = await signalsOf(agent, living, files);
  const main = [
    ...own.map((file) => mainSession(known, { file, state: states.get(file.agentSessionId) }, signals)),
    ...unwritten.map((state) => mainSession(known, { file: undefined, state }, signals)),
  ];
  const parents = new Map(main.map(({ agentSessionId, status }) => [agentSessionId, status]));
  const subagents = await Promise.all(
    newest.flatMap((file) => (file.isSubagent === true ? [subagent(known, file, parents)] : [])),
  );
  return { sessions: [...main, ...subagents], warnings: warningsOf({ agent, transcripts, unread, odd: living.odd }) };
}

/** Transcripts of subagents, by the session that started them. */
function belowOf(transcripts: readonly TranscriptFile[]): Known['below'] {
  const below = new Map<string, TranscriptFile[]>();
  for (const file of transcripts) {
    if (file.parent === undefined) continue;
    const some = below.get(file.parent) ?? [];
    some.push(file);
    below.set(file.parent, some);
  }
  return below;
}

type Signals = ReadonlyMap<string, readonly Signal[]>;

/** Of those sessions that a process holds open and says no more of. */
async function signalsOf(
  agent: AgentSessions,
  { held }: Living,
  files: ReadonlyMap<string, TranscriptFile>,
): Promise<Signals> {
  const read = [...held.keys()].map(async (id) => {
    const path = files.get(id)?.path;
    const lines = path === undefined ? [] : await endLines(path).catch(() => []);
    return [id, lines.flatMap((line) => agent.decodeLine(line).signals)] as const;
  });
  return new Map(await Promise.all(read));
}

interface Known {
  readonly agent: AgentSessions;
  readonly living: Living;
  readonly names: ReadonlyMap<string, string>;
  readonly below: ReadonlyMap<string, readonly TranscriptFile[]>;
  readonly todos: string | undefined;
  readonly now: number;
}

interface Traced {
  readonly file: TranscriptFile | undefined;
  readonly state: LivingState | undefined;
}

function mainSession(known: Known, { file, state }: Traced, signals: Signals): Session {
  const { living, now } = known;
  const id = state?.session.agentSessionId ?? file?.agentSessionId ?? '';
  const writtenAt = file?.modifiedAt ?? state?.session.startedAt ?? now;
  const heldBy = living.held.get(id);
  const kind = state?.session.kind ?? file?.facts.kind ?? 'interactive';
  const namesNone = kind === 'headless' || kind === 'teammate';
  const perhaps = namesNone ? living.nameless.find(({ since }) => since <= writtenAt)?.pid : undefined;
  const judged = judge({
    state,
    heldBy,
    perhaps,
    signals: signals.get(id) ?? [],
    writtenAt,
    isBlind: living.isBlind,
    now,
  });
  return sessionOf(known, { file, state, judged, id, kind });
}

async function subagent(
  known: Known,
  file: TranscriptFile,
  parents: ReadonlyMap<string, SessionStatus>,
): Promise<Session> {
  const parent = parents.get(file.parent ?? '') ?? 'ended';
  const hasEnded =
    parent !== 'ended' && file.ending !== undefined && known.agent.isEnding(await plainText(file.ending));
  const sight = { signals: [], writtenAt: file.modifiedAt, isBlind: false, now: known.now };
  const judged = judge({ ...sight, subagent: { parent, hasEnded } });
  return sessionOf(known, { file, state: undefined, judged, id: file.agentSessionId, kind: 'subagent' });
}

interface Parts extends Traced {
  readonly judged: SessionJudgement;
  readonly id: string;
  readonly kind: SessionKind;
}

function sessionOf({ agent, names, below, todos, now }: Known, { file, state, judged, id, kind }: Parts): Session {
  const { facts = noFacts, parent, modifiedAt } = file ?? {};
  const startedAt = facts.startedAt ?? state?.session.startedAt ?? modifiedAt ?? now;
  const signalAt = state?.session.signal?.at ?? 0;
  return {
    judged,
    status: judged.status,
    agentType: agent.type,
    agentSessionId: id,
    projectPath: facts.projectPath ?? state?.session.projectPath ?? '',
    kind,
    startedAt,
    lastActivityAt: Math.max(facts.at ?? modifiedAt ?? startedAt, signalAt),
    parent,
    branch: facts.branch,
    title: state?.session.name ?? names.get(id) ?? facts.name ?? facts.prompt,
    traces: file === undefined ? [] : [file, ...(below.get(id) ?? [])].map((one) => ({ agent, file: one })),
    todos: () => todosOf(agent, { id, folder: todos, old: facts.todos ?? [] }),
  };
}

interface TodoPlace {
  readonly id: string;
  readonly folder: string | undefined;
  /** Those that the transcript has. */
  readonly old: readonly Todo[];
}

async function todosOf(agent: AgentSessions, { id, folder, old }: TodoPlace): Promise<readonly Todo[]> {
  const kept = folder === undefined || !/^[\w-]+$/.test(id) ? [] : await todosIn(agent, join(folder, id));
  return kept.length > 0 ? kept : old;
}

/** In the order of their numbers. */
async function todosIn(agent: AgentSessions, folder: string): Promise<readonly Todo[]> {
  const names = await readdir(folder).catch(() => []);
  const files = names
    .filter((name) => /^\d+\.json$/.test(name))
    .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
  const texts = await Promise.all(files.map((name) => plainText(join(folder, name))));
  return texts.flatMap((text) => agent.todoIn(text) ?? []);
}

async function namesIn(agent: AgentSessions, path: string): Promise<readonly (readonly [string, string])[]> {
  const found = (await plainText(path)).split('\n').flatMap((line) => agent.nameIn(line) ?? []);
  return found.map(({ agentSessionId, name }) => [agentSessionId, name]);
}
