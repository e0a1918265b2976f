// Opens the crew: builds what its acts share, recovers the workers of before, and starts what watches them.
import { joinTerminals } from '../backends/joined-terminals.ts';
import type { Alone, Terminal } from '../backends/terminal.ts';
import type { Clock, Disposer } from '../model/clock.ts';
import type { WorkerRecord } from '../model/worker.ts';
import { type EventLog, openEventLog } from '../store/event-log.ts';
import { aloneAt, type Home, homeAt, openHome } from '../store/home.ts';
import { lookAtLog } from '../store/read-log.ts';
import type { Log } from '../system/log.ts';
import { isAlive, type ProcessRef, processStart } from '../system/process.ts';
import { Clashes } from '../worktree/landing/clash.ts';
import type { Crew, CrewView } from './api.ts';
import { endLeftRuns } from './asking/runs.ts';
import { verbs as asking } from './asking/verbs.ts';
import { AlreadyShown } from './attention/already-shown.ts';
import { attentionFor } from './attention/attention.ts';
import { watchBounds } from './attention/bounds.ts';
import { watchRequests } from './attention/close-requests.ts';
import { watchContext } from './attention/context-left.ts';
import { watchLimits } from './attention/limits.ts';
import { JobNews, notifyPerson } from './attention/notifications.ts';
import { verbs as attention } from './attention/verbs.ts';
import { watchConflicts } from './comparing/conflicts.ts';
import { verbs as comparing } from './comparing/verbs.ts';
import { type AgentSources, agentsFrom, recentSettingsFrom, type SettingsNow } from './context.ts';
import { environmentsFrom } from './environments.ts';
import { cleanEachDay } from './keeping/daily.ts';
import { verbs as keeping } from './keeping/verbs.ts';
import { finishLandings } from './landing/finish-landing.ts';
import { repairSyncs } from './landing/sync-journal.ts';
import { verbs as landing } from './landing/verbs.ts';
import { watchCrashes } from './lifecycle/crash-watch.ts';
import { claimCrashes } from './lifecycle/left-crash.ts';
import { watchLeftSandboxes } from './lifecycle/left-sandbox.ts';
import { watchProcesses } from './lifecycle/process-watch.ts';
import { lookRound, recover, watchUnseen } from './lifecycle/recover.ts';
import { verbs as lifecycle } from './lifecycle/verbs.ts';
import { deliverMailboxes } from './messages/mailboxes.ts';
import { followOutboxes } from './messages/outboxes.ts';
import { settleTornSends } from './messages/torn-sends.ts';
import { verbs as messages } from './messages/verbs.ts';
import { verbs as proposing } from './proposing/verbs.ts';
import { type BoardLines, boardLines, keepBoards, watchCrew } from './queries/board.ts';
import { type FeedSources, feed } from './queries/feed.ts';
import { summarizeCrew } from './queries/summary.ts';
import { usageSeen } from './queries/usage.ts';
import { type QuerySources, verbs as queries } from './queries/verbs.ts';
import { waitOutside } from './queries/wait-outside.ts';
import { watchDialogs, watchScreens } from './screen/dialog-watch.ts';
import { watchScreenTurns } from './screen/screen-turns.ts';
import { boundReached, boundView } from './workers/budget.ts';
import { type CrewContext, knowSockets } from './workers/crew-context.ts';
import { watchEscapes } from './workers/escapes.ts';
import { keepLastWords, watchLastWords } from './workers/keep-last-words.ts';
import { watchPanes } from './workers/pane-events.ts';
import { publishChanges } from './workers/publish.ts';
import { Roster } from './workers/roster.ts';
import { watchTips } from './workers/tips.ts';
import { keepLinks } from './workers/trees.ts';

export interface CrewOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly clock: Clock;
  readonly pid: number;
  readonly program: readonly string[];
  readonly home: string;
  readonly logger: Log;
  readonly agents: AgentSources['agents'];
  readonly configuredAgent: AgentSources['configuredAgent'];
  readonly settingsFor: (projectPath: string) => SettingsNow;
  /** Our own server stays attached to; any other is only spoken to. */
  readonly openTerminal: (socket: string, kind: 'own' | 'other', alone: Alone) => Promise<Terminal>;
  readonly panesOf: CrewContext['tmux']['panesOf'];
  readonly screenOf: CrewContext['tmux']['screenOf'];
}

export interface CrewStay {
  /** The workers to take over at once; all that have no manager unless given. */
  readonly claims?: readonly string[] | undefined;
  /** Who is there for one act alone leaves to a server what watches, draws and notifies. */
  readonly stays: boolean;
}

/** Resolves when every worker of before is found, followed or noted as gone. */
export async function openCrew(options: CrewOptions, { claims, stays }: CrewStay): Promise<Crew> {
  const context = await buildContext(options, await partsOf(options));
  const publisher = publishChanges(context);
  const forecast = stays ? watchConflicts(context) : noForecast;
  const lastWords = keepLastWords(context, forecast.now);
  const stops = [
    watchPanes(context),
    watchDialogs(context),
    watchScreens(context),
    watchScreenTurns(context),
    watchProcesses(context),
    watchUnseen(context),
    watchLeftSandboxes(context),
    watchRequests(context),
    forecast.stop,
    watchEscapes(context),
    watchTips(context),
    keepLinks(context),
    publisher.close,
    followOthers(context),
  ];
  await knowSockets(context);
  await recover(context, claims);
  const alreadyShown = new AlreadyShown(context.clock);
  const jobNews = new JobNews();
  const boards = boardLines();
  if (stays) stops.push(...(await stayOpen(context, options, { alreadyShown, boards, jobNews, claims })));
  const outboxes = followOutboxes(context);
  const mailboxes = deliverMailboxes(context);
  const tornSends = settleTornSends(context);
  const settled = async () => {
    await outboxes.settled();
    await publisher.settled();
  };
  return {
    ...verbsOf(context, { alreadyShown, jobNews, settled, foreseen: forecast.now, boards }),
    async dispose() {
      for (const stop of stops) stop();
      await Promise.all([publisher.settled(), outboxes.close(), mailboxes.close(), tornSends.close()]);
      await lastWords.close();
      await Promise.all([context.roster.dispose(), context.log.close(), context.terminal.dispose()]);
    },
  };
}

type Sources = QuerySources & FeedSources;
type Staying = Pick<Sources, 'alreadyShown' | 'jobNews'> & Pick<CrewStay, 'claims'> & { readonly boards: BoardLines };

/** The verbs of every room. */
const verbsOf = (context: CrewContext, sources: Sources): Omit<Crew, 'dispose'> => ({
  ...queries(context, sources),
  ...feed(context, sources),
  ...lifecycle(context),
  ...keeping(context),
  ...proposing(context),
  ...landing(context),
  ...comparing(context, sources),
  ...attention(context, sources),
  ...messages(context),
  ...asking(context),
});

const noForecast = { stop: () => undefined, now: () => [] };

const boardSource = (context: CrewContext) => ({
  needsOf: (record: WorkerRecord) => attentionFor(context, record),
  usageOf: (record: WorkerRecord) => usageSeen(context, record),
});

/** What a server does for as long as it lives. */
async function stayOpen(
  context: CrewContext,
  { cwd }: CrewOptions,
  { alreadyShown, boards: lines, jobNews, claims }: Staying,
): Promise<readonly Disposer[]> {
  // It may have to wait for a git that outlived its server; whoever lands meanwhile waits for it at the lock.
  void finishLandings(context);
  void repairSyncs(context);
  void endLeftRuns(context);
  const { board } = context.settingsFor(cwd).settings.tmux;
  return [
    // Before what tells somebody of a death.
    watchCrashes(context, await claimCrashes(context, claims)),
    notifyPerson(context, alreadyShown, jobNews),
    ...(board ? [keepBoards({ ...context, lines, ...boardSource(context) })] : []),
    watchLimits(context),
    watchBounds(context),
    cleanEachDay(context),
    watchContext({
      ...context,
      contextLeftOf: (id) => context.roster.following(id)?.spending.ledger.contextLeft,
    }),
  ];
}

/** The crew as it is now, to be read: nobody's workers are taken over, and the log is not written. */
export async function lookAtCrew(options: CrewOptions): Promise<CrewView> {
  const open = async (at: string): Promise<Terminal> => ({
    ...(await options.openTerminal(at, 'other', (act) => act())),
    watch: () => () => undefined,
    // It would end a tmux server without a crew.
    dispose: async () => undefined,
  });
  const home = homeAt(options.home);
  const { clock, logger } = options;
  const onTrouble = (error: unknown) => logger.write('warn', 'the log could not be read', error);
  const log = await lookAtLog(home.root, { clock, onTrouble });
  const context = await buildContext(options, { home, me: await meIn(options), log, open });
  // The server of any other sees the screen.
  const stop = watchScreenTurns(context, ({ word, workerId }) => {
    const record = log.records().get(workerId);
    return word === undefined || record === undefined || !context.roster.isOthers(record);
  });
  const look = async () => {
    await knowSockets(context);
    await lookRound(context);
  };
  await look();
  const looking = { look, onWord: (listen: () => void) => watchLastWords(context, listen) };
  const sources = {
    alreadyShown: new AlreadyShown(context.clock),
    jobNews: new JobNews(),
    settled: async () => undefined,
    foreseen: noForecast.now,
    boards: boardLines(),
  };
  return {
    ...verbsOf(context, sources),
    crewSummary: () => summarizeCrew(context),
    wait: waitOutside(context, looking),
    watch(show) {
      const needsOf = (record: WorkerRecord) => attentionFor(context, record);
      return watchCrew(context, { needsOf, ...looking, show });
    },
    async dispose() {
      stop();
      await context.roster.dispose();
    },
  };
}

const meIn = async ({ pid, clock }: CrewOptions): Promise<ProcessRef> => ({
  pid,
  processStart: (await processStart(pid)) ?? String(clock.now()),
});

interface Parts {
  readonly home: Home;
  readonly me: ProcessRef;
  readonly log: EventLog;
  readonly open: (socket: string, kind: 'own' | 'other') => Promise<Terminal>;
}

async function partsOf(options: CrewOptions): Promise<Parts> {
  const { clock, cwd, logger, settingsFor } = options;
  const { events } = settingsFor(cwd).settings;
  const home = await openHome(options.home);
  const me = await meIn(options);
  const log = await openEventLog({
    home: home.root,
    me,
    maxBytes: events.max_size_mb * 1024 * 1024,
    keepMs: events.recent_hours * 3_600_000,
    clock,
    onTrouble: (message) => logger.write('warn', message),
  });
  return { home, me, log, open: (at, kind) => options.openTerminal(at, kind, aloneAt(at, home, me)) };
}

async function buildContext(options: CrewOptions, { home, me, log, open }: Parts): Promise<CrewContext> {
  const { env, cwd, clock, program, logger, settingsFor } = options;
  const { settings } = settingsFor(cwd);
  const { pass_env: passes } = settings.defaults;
  const { socket } = settings.tmux;
  const terminal = joinTerminals({ socket, terminal: await open(socket, 'own') }, (other) => open(other, 'other'));
  const agents = agentsFrom(options, { clock, cwd });
  const onTrouble = (error: unknown) => logger.write('warn', 'a trace could not be followed', error);
  const boundOf = (record: WorkerRecord) => {
    const bound = boundReached(context, record);
    return bound && boundView(bound, clock);
  };
  const roster = new Roster({ clock, log, terminal, me, isAlive, agentOf: agents.of, onTrouble, boundOf });
  const context: CrewContext = {
    clock,
    environment: environmentsFrom(env, passes),
    cwd,
    program,
    me,
    home,
    logger,
    log,
    terminal,
    tmux: { socket, panesOf: options.panesOf, screenOf: options.screenOf },
    roster,
    clashes: new Clashes(),
    settingsFor,
    recentSettings: recentSettingsFrom(options, clock),
    agents,
  };
  return context;
}

/** Workers of other servers come and go as well; whoever asks for one here must find it followed. */
function followOthers(context: CrewContext): Disposer {
  return context.log.onEvents((events) => {
    for (const { workerId, set, type, data, at } of events) {
      const record = context.log.records().get(workerId);
      const from = type === 'worker_adopted' ? data.from : data.took_over_from;
      if (from === context.me.pid) context.roster.takenAway.set(workerId, at);
      if (set?.phase === undefined || record === undefined) continue;
      if (record.phase === 'live' && record.pane !== undefined) context.roster.follow(record);
      if (record.phase === 'closed') void context.roster.unfollow(workerId);
    }
  });
}
