// Starts an agent in a pane, waits until it has started, and tries once more where it crashes.

import type { PaneInfo, PaneRequest } from '../../backends/terminal.ts';
import { CrewError } from '../../model/errors.ts';
import type { EventDraft, RecordChange } from '../../model/event.ts';
import type { LaunchRecord, PaneRecord, WorkerRecord } from '../../model/worker.ts';
import { tryUntil } from '../../system/pace.ts';
import { endProcesses, processTree } from '../../system/process.ts';
import type { TurnState } from '../../turn/reduce-turn.ts';
import { watchStart } from '../screen/dialog-watch.ts';
import { type CrewContext, hasPane, paneRef } from '../workers/crew-context.ts';
import type { Following } from '../workers/following.ts';
import { lookForDeath } from '../workers/pane-events.ts';
import { paneRecord } from '../workers/pane-facts.ts';
import { awaitFact } from '../workers/timing.ts';
import { type LaunchOrder, prepareLaunch } from './launch.ts';

const startCeilingMs = 10_000;
const endCeilingMs = 3_000;
const lastLooks = 5;
const wrapperGraceMs = 1_500;

export interface Start {
  readonly workerId: string;
  /** Names the step under way, for whoever reports a failure. */
  readonly at: { step: string };
  /** Each attempt calls it with the record of that moment. */
  readonly order: (record: WorkerRecord) => Promise<LaunchOrder>;
  readonly placement: PaneRequest['placement'];
  readonly onOpen?: (pane: PaneInfo) => void;
  /** The event to log; its record gets the launch and the pane besides. */
  readonly event: (pane: PaneInfo) => Omit<EventDraft, 'workerId'>;
}

/** Resolves when the agent has started or waits for somebody. Throws `start_failed` where it has ended instead. */
export async function startAgent(context: CrewContext, start: Start): Promise<WorkerRecord> {
  let trouble = await attempt(context, start);
  if (hasCrashed(trouble)) trouble = await attempt(context, start);
  if (trouble !== undefined) throw trouble;
  return context.roster.record(start.workerId);
}

async function attempt(context: CrewContext, start: Start): Promise<CrewError | undefined> {
  const { workerId, at } = start;
  at.step = 'launch files';
  const before = context.roster.record(workerId);
  const launch = await prepareLaunch(context, await start.order(before));
  at.step = 'pane';
  // Whoever finds its pane after a kill knows what runs in it.
  if (before.phase === 'spawning')
    await context.log.append([{ type: 'worker_spawning', workerId, data: {}, set: { launch: launch.record } }]);
  const pane = await openPane(context, before, { ...launch.open, placement: start.placement });
  start.onOpen?.(pane);
  at.step = 'record';
  const { type, data, set } = start.event(pane);
  const place = { launch: launch.record, pane: await paneRecord(pane) };
  const started: RecordChange = { ...set, ...place, phase: 'live', endedAt: null, endDetail: null };
  await context.log.append([{ type, workerId, data, set: started }]);
  at.step = 'start';
  const record = context.roster.record(workerId);
  return startTrouble(context, record, await startedOrGone(context, record));
}

/** Uses the worker's pane again where it is dead, and closes one in which only a wrapper is left; else opens a new one. */
async function openPane(context: CrewContext, record: WorkerRecord, open: PaneRequest): Promise<PaneInfo> {
  const panes = record.pane === undefined ? [] : await context.terminal.list();
  const pane = panes.find(({ ref, marks }) => hasPane(record, ref) && marks.worker === record.id);
  if (pane?.dead) return context.terminal.respawn(pane.ref, open);
  if (pane !== undefined) {
    await endProcesses(await processTree(pane.pid), { graceMs: wrapperGraceMs });
    await context.terminal.close(pane.ref);
  }
  return context.terminal.open(open);
}

/** Resolves when the worker has started, is blocked or gone, or after a ceiling. */
async function startedOrGone(context: CrewContext, record: WorkerRecord): Promise<Following> {
  const following = context.roster.follow(record);
  watchStart(context, record, following);
  await lookForDeath(context, record, following);
  const { clock } = context;
  for (;;) {
    await awaitFact(following, { clock, ceilingMs: startCeilingMs }, () =>
      hasStarted(following.state) ? true : undefined,
    );
    if (!hasReportedEnd(following.state)) return following;
    // Its screen shows the reason once its process has ended; or it begins another conversation and goes on.
    const isSettled = await awaitFact(following, { clock, ceilingMs: endCeilingMs }, () =>
      hasReportedEnd(following.state) ? undefined : true,
    );
    if (isSettled === undefined) return following;
  }
}

/** It is ready and has taken up its first prompt, waits for somebody, or has ended. */
function hasStarted({ is, facts }: TurnState): boolean {
  if (is === 'waiting' || is === 'gone') return true;
  return is !== 'starting' && facts.sends.length === 0;
}

/** Its hook has reported the end, and its process may still run. */
const hasReportedEnd = ({ is, evidence }: TurnState): boolean => is === 'gone' && evidence.source === 'hook';

/** The screen of a dead pane; the terminal may report the death before it has drawn the last words. */
function lastScreen(context: CrewContext, pane: PaneRecord): Promise<string> {
  const look = () => context.terminal.capture(paneRef(pane)).catch(() => '');
  return tryUntil(look, (screen) => screen.trim() !== '', { tries: lastLooks, pauseMs: 50 });
}

/** An error that quotes the screen of an agent that has ended; undefined for one that has not. */
async function startTrouble(
  context: CrewContext,
  record: WorkerRecord,
  following: Following,
): Promise<CrewError | undefined> {
  const { state } = following;
  if (state.is !== 'gone' || record.pane === undefined) return undefined;
  const words = (await lastScreen(context, record.pane))
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '' && !line.startsWith('Pane is dead'))
    .slice(-5)
    .join('\n');
  return new CrewError(
    'start_failed',
    `The agent was gone at once (${state.evidence.detail}).${words === '' ? '' : ` Its last words:\n${words}`}`,
    startHint(words, record.launch),
  );
}

/** What to do about an agent that has ended as it started, by its last words. Pure. */
export const startHint = (words: string, { skipPermissions }: Pick<LaunchRecord, 'skipPermissions'>): string =>
  skipPermissions && /\b(?:root|sudo)\b/.test(words)
    ? 'crewmux runs as root, and this agent refuses skip_permissions there: leave skip_permissions out, or run crewmux as another user.'
    : 'Run the same command in a terminal of your own to see why; a wrong flag, model or login is the usual reason.';

/**
 * An agent that panicked while its window changed size starts the next time, and so does one whose own MCP server ended
 * meanwhile; one that refuses to start does not.
 */
const hasCrashed = (trouble: CrewError | undefined): boolean =>
  trouble !== undefined &&
  /^The application panicked|^thread '.*' panicked at|required MCP servers failed to initialize: crew\b/m.test(
    trouble.message,
  );
