// Opens the crew: builds what its acts share, recovers the workers of before, and starts what watches them.
import { joinTerminals } from '../backends/joined-terminals.ts';
import type { Alone, Terminal } from '../backends/terminal.ts';
import type { Clock, Disposer } from '../model/clock.ts';
import type { WorkerRecord } from '../model/worker.ts';
import { openEventLog } from '../store/event-log.ts';
import { aloneAt, openHome } from '../store/home.ts';
import type { Log } from '../system/log.ts';
import { isAlive, processStart } from '../system/process.ts';
import type { DoctorResult } from '../wire/doctor.ts';
import { Clashes } from '../worktree/landing/clash.ts';
import { actions } from './actions.ts';
import type { Crew } from './api.ts';
import { AlreadyShown } from './attention/already-shown.ts';
import { attentionFor } from './attention/attention.ts';
import { watchRequests } from './attention/close-requests.ts';
import { watchLimits } from './attention/limits.ts';
import { notifyPerson } from './attention/notifications.ts';
import { type AgentSources, agentFinders, type SettingsNow } from './context.ts';
import { programEnvironment } from './environments.ts';
import { watchConflicts } from './landing/conflicts.ts';
import { finishLandings } from './landing/finish-landing.ts';
import { repairSyncs } from './landing/sync-journal.ts';
import { keepLinks } from './landing/worktrees.ts';
import { watchProcesses } from './lifecycle/process-watch.ts';
import { recover } from './lifecycle/recover.ts';
import { deliverMailboxes } from './messages/mailboxes.ts';
import { followOutboxes } from './messages/outboxes.ts';
import { keepBoards } from './queries/board.ts';
import { watchDialogs, watchScreens } from './screen/dialog-watch.ts';
import { watchScreenTurns } from './screen/screen-turns.ts';
import { watchEscapes } from './workers/escapes.ts';
import { watchPanes } from './workers/pane-events.ts';
import { publishChanges } from './workers/publish.ts';
import { type CrewContext, Roster } from './workers/roster.ts';

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
  /** Looks at what workers need; `records` are those that are known here. */
  readonly examine: (records: () => Promise<readonly WorkerRecord[]>) => Promise<DoctorResult>;
  readonly settingsFor: (projectPath: string) => SettingsNow;
  /** Our own server stays attached to; any other is only spoken to. */
  readonly openTerminal: (socket: string, kind: 'own' | 'other', alone: Alone) => Promise<Terminal>;
  readonly panesOf: CrewContext['panesOf'];
  readonly screenOf: CrewContext['screenOf'];
}

/** Resolves when every worker of before is found, followed or noted as gone. */
export async function openCrew(options: CrewOptions): Promise<Crew> {
  const context = await buildContext(options);
  const publisher = publishChanges(context);
  const forecast = watchConflicts(context);
  const stops = [
    watchPanes(context),
    watchDialogs(context),
    watchScreens(context),
    watchScreenTurns(context),
    watchProcesses(context),
    watchRequests(context),
    forecast.stop,
    watchEscapes(context),
    keepLinks(context),
    publisher.close,
    followOthers(context),
  ];
  for (const record of context.roster.records()) {
    if (record.phase === 'live' && record.pane !== undefined) await context.terminal.know(record.pane.socket);
  }
  await recover(context);
  // It may have to wait for a git that outlived its server; whoever lands meanwhile waits for it at the lock.
  void finishLandings(context);
  void repairSyncs(context);
  const alreadyShown = new AlreadyShown();
  stops.push(notifyPerson(context, alreadyShown));
  if (context.settingsFor(options.cwd).settings.tmux.board)
    stops.push(keepBoards({ ...context, needsOf: (record) => attentionFor(context, record) }));
  stops.push(watchLimits(context));
  const outboxes = followOutboxes(context);
  const mailboxes = deliverMailboxes(context);
  const settled = async () => {
    await outboxes.settled();
    await publisher.settled();
  };
  return {
    ...actions(context, {
      alreadyShown,
      published: settled,
      foreseen: forecast.now,
      doctor: () => options.examine(async () => context.roster.records()),
    }),
    async dispose() {
      for (const stop of stops) stop();
      await Promise.all([publisher.settled(), outboxes.close(), mailboxes.close()]);
      await Promise.all([context.roster.dispose(), context.log.close(), context.terminal.dispose()]);
    },
  };
}

async function buildContext(options: CrewOptions): Promise<CrewContext> {
  const { env, cwd, clock, pid, program, logger, settingsFor } = options;
  const home = await openHome(options.home);
  const me = { pid, processStart: (await processStart(pid)) ?? String(clock.now()) };
  const { settings } = settingsFor(cwd);
  const { pass_env: passes } = settings.defaults;
  const log = await openEventLog({
    home: home.root,
    me,
    maxBytes: settings.events.max_size_mb * 1024 * 1024,
    keepMs: settings.events.recent_hours * 3_600_000,
    clock,
    onTrouble: (message) => logger.write('warn', message),
  });
  const { socket } = settings.tmux;
  const open = (at: string, kind: 'own' | 'other') => options.openTerminal(at, kind, aloneAt(at, home, me));
  const terminal = joinTerminals({ socket, terminal: await open(socket, 'own') }, (other) => open(other, 'other'));
  const { agentFor, agentOf } = agentFinders(options, { clock, cwd });
  const onTrouble = (error: unknown) => logger.write('warn', 'a trace could not be followed', error);
  const roster = new Roster({ clock, log, terminal, me, isAlive, agentOf, onTrouble });
  return {
    clock,
    serverEnv: env,
    env: programEnvironment('git', env, passes),
    remoteEnv: programEnvironment('remote', env, passes),
    cwd,
    program,
    me,
    home,
    logger,
    log,
    terminal,
    socket,
    panesOf: options.panesOf,
    screenOf: options.screenOf,
    roster,
    clashes: new Clashes(),
    settingsFor,
    agents: Object.values(options.agents),
    agentFor,
    agentOf,
  };
}

/** Workers of other servers come and go as well; whoever asks for one here must find it followed. */
function followOthers(context: CrewContext): Disposer {
  return context.log.onEvents((events) => {
    for (const { workerId, set } of events) {
      const record = context.log.records().get(workerId);
      if (set?.phase === undefined || record === undefined) continue;
      if (record.phase === 'live' && record.pane !== undefined) context.roster.follow(record);
      if (record.phase === 'closed') void context.roster.unfollow(workerId);
    }
  });
}
