// The crew: the house built, the first look taken, and every wish of a tool handed to whoever does it.

import type { Alone, Terminal } from '../backends/terminal.ts';
import type { Clock, Disposer } from '../model/clock.ts';
import type { WorkerRecord } from '../model/worker.ts';
import { openEventLog } from '../store/event-log.ts';
import { openHome } from '../store/home.ts';
import type { Log } from '../system/log.ts';
import { isAlive, processStart } from '../system/process.ts';
import { Clashes } from '../worktree/landing/clash.ts';
import { actions } from './actions.ts';
import { type AgentSources, agentNamed, rememberedAgents } from './agents.ts';
import type { Crew, DoctorResult } from './api.ts';
import { watchLimits } from './attention/limit-resume.ts';
import { giveNotices } from './attention/notices.ts';
import { watchRequests } from './attention/requests.ts';
import { Told } from './attention/told.ts';
import { programEnvironment } from './environments.ts';
import { watchEscapes } from './escapes/escapes.ts';
import type { House, SettingsNow } from './house.ts';
import { finishLandings } from './landing/finish-landing.ts';
import { Forecast, watchConflicts } from './landing/forecast.ts';
import { mendSyncs } from './landing/sync-journal.ts';
import { watchDialogs } from './screen/screen-look.ts';
import { watchScreenTurns } from './screen/screen-turns.ts';
import { watchScreens } from './screen/screen-watch.ts';
import { runCouriers } from './sending/couriers.ts';
import { followOutboxes } from './sending/outboxes.ts';
import { watchAdopted } from './starting/adopted-watch.ts';
import { recover } from './starting/recover.ts';
import { watchWrapped } from './starting/wrapped.ts';
import { aloneAt, joinTerminals } from './terminals.ts';
import { keepLinks } from './trees/tree-links.ts';
import { keepBoards } from './watching/board.ts';
import { watchPanes } from './watching/pane-events.ts';
import { publishChanges } from './watching/publish.ts';
import { Roster } from './watching/roster.ts';

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
  readonly panesOf: House['panesOf'];
  readonly screenOf: House['screenOf'];
}

/** Resolves when every worker of before is found, followed or noted as gone. */
export async function openCrew(options: CrewOptions): Promise<Crew> {
  const house = await buildHouse(options);
  const publisher = publishChanges(house);
  const stops = [
    watchPanes(house),
    watchDialogs(house),
    watchScreens(house),
    watchScreenTurns(house),
    watchWrapped(house),
    watchAdopted(house),
    watchRequests(house),
    watchConflicts(house),
    watchEscapes(house),
    keepLinks(house),
    publisher.close,
    followOthers(house),
  ];
  for (const record of house.roster.records()) {
    if (record.phase === 'live' && record.pane !== undefined) await house.terminal.know(record.pane.socket);
  }
  await recover(house);
  // It may have to wait for a git that outlived its server; whoever lands meanwhile waits for it at the lock.
  void finishLandings(house);
  void mendSyncs(house);
  const told = new Told();
  stops.push(giveNotices(house, told));
  if (house.settingsFor(options.cwd).settings.tmux.board) stops.push(keepBoards(house));
  stops.push(watchLimits(house));
  const outboxes = followOutboxes(house);
  const couriers = runCouriers(house);
  const settled = async () => {
    await outboxes.settled();
    await publisher.settled();
  };
  return {
    ...actions(house, told, settled),
    async dispose() {
      for (const stop of stops) stop();
      await Promise.all([publisher.settled(), outboxes.close(), couriers.close()]);
      await Promise.all([house.roster.dispose(), house.log.close(), house.terminal.dispose()]);
    },
  };
}

async function buildHouse(options: CrewOptions): Promise<House> {
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
  const agentFor: House['agentFor'] = (type, project = cwd) => agentNamed(options, type, project);
  const agentOf = rememberedAgents(options, clock);
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
    forecast: new Forecast(),
    settingsFor,
    doctor: () => options.examine(async () => roster.records()),
    agents: Object.values(options.agents),
    agentFor,
    agentOf,
  };
}

/** Workers of other servers come and go as well; whoever asks for one here must find it followed. */
function followOthers(house: House): Disposer {
  return house.log.onEvents((events) => {
    for (const { workerId, set } of events) {
      const record = house.log.records().get(workerId);
      if (set?.phase === undefined || record === undefined) continue;
      if (record.phase === 'live' && record.pane !== undefined) house.roster.follow(record);
      if (record.phase === 'closed') void house.roster.unfollow(workerId);
    }
  });
}
