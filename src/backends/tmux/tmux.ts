// The tmux backend: one server of our own, spoken to over one kept client.

import pLimit from 'p-limit';
import type { Clock } from '../../model/clock.ts';
import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import { run } from '../../system/exec.ts';
import type { Alone, PaneInfo, PaneList, Terminal, TerminalHealth } from '../terminal.ts';
import { type Address, attachLine, tmuxEnvironment } from './address.ts';
import { type CrewKeys, releaseServer } from './birth.ts';
import { drawBoard } from './board.ts';
import { type Channel, openChannel } from './channel.ts';
import { answerKeyOf, type KeyPlan, keepKeys, keyCommands } from './crew-keys.ts';
import { deliver } from './deliver.ts';
import { doneAt, guarded, isNotThere } from './guard.ts';
import { type Keys, takeKeyboard } from './keyboard.ts';
import { capture, look, openLooker } from './look.ts';
import { checkLaunch, openPane, respawn } from './open-pane.ts';
import { marksOf, setMarks } from './opening.ts';
import { isEnding } from './pane-changes.ts';
import { refusal } from './refusal.ts';
import { canHoldKeys, canKeepClient, hasPopups, isSupported, readVersion, type TmuxVersion } from './version.ts';
import { openFeed, type Remind, reap } from './watch.ts';

export { captureOf, listPanesOf } from './look.ts';

export interface TmuxOptions extends Address {
  readonly clock: Clock;
  /** `one-shot` starts a process for every command, as for a tmux too old to keep a client. */
  readonly transport?: 'one-shot';
  /** Without it, one death in some dozens raises its event only after the next sweep. */
  readonly remind?: Remind;
  /** Holds among the processes that share the server; within this one it holds without. */
  readonly alone?: Alone;
  /** For a server that we start. */
  readonly keys?: Omit<KeyPlan, 'hasPopups'>;
}

/** A terminal over tmux; starts no server before the first `open`. Rejects with `tmux_missing` or `tmux_too_old`. */
export async function openTmux(options: TmuxOptions): Promise<Terminal> {
  const version = await requireTmux(tmuxEnvironment(options.env));
  const inTurn = pLimit(1);
  const { alone = (work) => work() } = options;
  const channel = openChannel({
    address: options,
    alone: (work) => inTurn(() => alone(work)),
    clock: options.clock,
    keepsClient: options.transport !== 'one-shot' && canKeepClient(version),
  });
  return terminalOver(channel, options, {
    holdsKeys: canHoldKeys(version),
    keys: keysFor(options.keys, version),
  });
}

const keysFor = (plan: TmuxOptions['keys'], version: TmuxVersion): CrewKeys =>
  plan === undefined
    ? { commands: [] }
    : {
        commands: [...keyCommands({ ...plan, hasPopups: hasPopups(version) }), keepKeys(plan.choice)],
        ...defined({ answerKey: answerKeyOf(plan.choice) }),
      };

/** Never rejects. */
export async function tmuxHealth(env: Readonly<Record<string, string>>): Promise<TerminalHealth> {
  const result = await run('tmux', ['-V'], { env: tmuxEnvironment(env), timeoutMs: 4_000 });
  const version = readVersion(result.stdout);
  if (result.startError === undefined && version !== undefined)
    return { version: result.stdout.trim(), isSupported: isSupported(version), isFast: canKeepClient(version) };
  const missing = result.startError ?? (result.stderr.trim() || 'it tells no version');
  return { version: '', missing, isSupported: false, isFast: false };
}

export async function requireTmux(env: Readonly<Record<string, string>>): Promise<TmuxVersion> {
  const result = await run('tmux', ['-V'], { env, timeoutMs: 10_000 });
  const version = readVersion(result.stdout);
  if (result.startError !== undefined || version === undefined)
    throw new CrewError(
      'tmux_missing',
      `tmux does not run here: ${result.startError ?? (result.stderr.trim() || 'it tells no version')}`,
      'Install it: `apt install tmux` or `brew install tmux`.',
    );
  if (!isSupported(version))
    throw new CrewError(
      'tmux_too_old',
      `${result.stdout.trim()} is too old; 3.0 is the oldest that works, 3.2 the oldest that is fast`,
      'Install a newer one: `apt install tmux` or `brew install tmux`.',
    );
  return version;
}

/** Whoever judges an end needs to know how it came. */
async function listEnded(channel: Channel, list: () => Promise<PaneList>): Promise<PaneList> {
  const first = await list();
  if (!first.panes.some(isEnding)) return first;
  await channel.ask([reap]);
  return list();
}

function terminalOver(
  channel: Channel,
  options: TmuxOptions,
  { holdsKeys, keys }: { readonly holdsKeys: boolean; readonly keys: CrewKeys },
): Terminal {
  const looker = openLooker(channel);
  const feed = openFeed(channel, looker, options.remind);
  const typing: Keys = { channel, looker, clock: options.clock, holdsKeys, isLetGo: () => isLetGo };
  const inTurn = pLimit(1);
  const drawing = pLimit(1);
  let isLetGo = false;
  const seen = (pane: PaneInfo): PaneInfo => {
    feed.expect([pane]);
    return pane;
  };
  const list = async () => {
    const { panes, server } = await looker.all();
    feed.expect(panes);
    return { panes, server };
  };
  return {
    async open(request) {
      await checkLaunch(request);
      return inTurn(async () => {
        // So late an open would start a server that nothing ends.
        if (isLetGo)
          throw new CrewError('internal', 'A bug in crewmux: a pane after the terminal was let go', 'Report it.');
        return seen(await openPane({ channel, looker, keys }, request));
      });
    },
    list: async () => (await list()).panes,
    listWithServer: () => listEnded(channel, list),
    deliver: (ref, keystrokes) => deliver({ channel, looker }, ref, keystrokes),
    withKeyboard: (ref, work) => takeKeyboard(typing, ref, work),
    capture: (ref, options = {}) => capture(channel, ref, options),
    look: (ref) => look(channel, ref),
    async label(ref, label, marks = {}) {
      const commands = [...looker.announce(marks), guarded(ref, setMarks(ref.id, marksOf({ label, marks })))];
      doneAt(ref, await channel.ask(commands, { repeatable: true }), 'label a pane');
    },
    async close(ref) {
      const reply = await channel.ask([guarded(ref, [['kill-pane', '-t', ref.id]])], { repeatable: true, alone: true });
      if (reply.is !== 'done' && !isNotThere(reply)) throw refusal('close a pane', reply);
    },
    async respawn(ref, request) {
      await checkLaunch(request);
      return seen(await respawn({ channel, looker }, ref, request));
    },
    draw: (tmuxSession, board) => drawing(() => drawBoard(channel, tmuxSession, board)),
    watch: feed.watch,
    attachCommand: (tmuxSession) => attachLine(options, tmuxSession),
    async dispose() {
      isLetGo = true;
      await feed.dispose();
      await channel.dispose();
      await releaseServer(channel);
    },
  };
}
