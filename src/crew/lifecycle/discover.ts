// The agents of this user as discover_workers shows them.
import { stat } from 'node:fs/promises';
import type { DecodedLine } from '../../agents/agent.ts';
import { readEnd } from '../../jsonl/slice.ts';
import type { DiscoveredView } from '../../wire/starting.ts';
import type { CrewContext } from '../workers/roster.ts';
import { statusOf } from '../workers/view.ts';
import { type Found, findAgents } from './find-agents.ts';
import { statusAt } from './glance.ts';

const endBytes = 256 * 1024;
const previewLength = 300;

export async function discoverWorkers(context: CrewContext, query: { readonly maxAgeSeconds: number }) {
  const oldest = context.clock.now() - query.maxAgeSeconds * 1_000;
  const all = await findAgents(context);
  const ages = await Promise.all(all.map(lastHeard));
  const found = all.filter(({ record }, index) => record !== undefined || (ages[index] ?? oldest) >= oldest);
  const sessions = await Promise.all(found.map((one) => discoveredView(context, one)));
  return {
    sessions,
    count: sessions.length,
    unmanaged_count: sessions.filter((session) => !session.already_managed).length,
  };
}

/** Undefined where nothing tells; such an agent is shown, whatever its age. */
async function lastHeard({ state, transcriptPath }: Found): Promise<number | undefined> {
  if (state !== undefined) return state.signal.at;
  return transcriptPath === undefined ? undefined : (await stat(transcriptPath).catch(() => undefined))?.mtimeMs;
}

async function discoveredView(context: CrewContext, found: Found): Promise<DiscoveredView> {
  const { agent, pane, record, agentSessionId, seen } = found;
  const managed = record !== undefined && (context.roster.isMine(record) || context.roster.isOthers(record));
  const lines = await lastLines(found);
  const { refused } = seen;
  return {
    backend_id: `tmux:${pane.ref.id}`,
    tmux_pane_id: pane.ref.id,
    tmux_socket: pane.ref.socket,
    project_path: pane.cwd,
    agent_type: agent.type,
    agent_session_id: agentSessionId ?? null,
    status: await statusNow(context, found, lines),
    last_assistant_preview: lastWords(lines),
    already_managed: managed,
    ...(record === undefined ? {} : { managed_by: `${record.name} (${record.id}), manager pid ${record.manager.pid}` }),
    ...(refused === undefined || managed ? {} : { not_adoptable: `${refused.reason}. ${refused.hint}` }),
  };
}

async function statusNow(context: CrewContext, found: Found, lines: readonly DecodedLine[]): Promise<string> {
  const { agent, pane, record, state, seen } = found;
  const turn = record === undefined ? undefined : context.roster.turn(record.id);
  if (record !== undefined && turn !== undefined) return statusOf(record, turn);
  const screen = await context.screenOf(pane.ref).then(agent.readScreen, () => undefined);
  // A prompt in sight before there is a conversation is a splash; beside one that cannot be seen it means nothing.
  const isSeen = seen.refused === undefined && found.agentSessionId !== undefined;
  const transcript = isSeen ? lines.flatMap(({ signals }) => signals) : undefined;
  return statusAt({ state, transcript, screen });
}

async function lastLines({ agent, transcriptPath }: Found): Promise<readonly DecodedLine[]> {
  if (transcriptPath === undefined) return [];
  const lines = await readEnd(transcriptPath, endBytes).catch(() => []);
  return lines.map((line) => agent.decodeLine(line));
}

function lastWords(lines: readonly DecodedLine[]): string | null {
  const last = lines.map(({ entry }) => entry).findLast((entry) => entry?.role === 'assistant' && entry.content !== '');
  return last === undefined ? null : last.content.slice(0, previewLength);
}
