// A terminal on a sandbox's bench, and what looks at it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PaneInfo, PaneRequest, Terminal, TerminalEvent } from '../../src/backends/terminal.ts';
import { openTmux, type TmuxOptions } from '../../src/backends/tmux/tmux.ts';
import { aloneAt, openHome } from '../../src/store/home.ts';
import { systemClock } from '../../src/system/clock.ts';
import { processStart } from '../../src/system/process.ts';
import { eventually, makeSandbox, type Sandbox } from '../support/sandbox.ts';

export interface Bench {
  readonly terminal: Terminal;
  readonly sandbox: Sandbox;
  request(change?: Partial<PaneRequest>): PaneRequest;
  /** Another terminal on the same socket, as another crewmux process would have it. */
  another(): Promise<Terminal>;
}

/** One promise of every terminal, kept by `keep` on a bench of its own. */
export interface ContractCase {
  readonly title: string;
  keep(bench: Bench): Promise<void>;
}

export type MakeTerminal = (sandbox: Sandbox) => Promise<Terminal>;

/** Terminals of one sandbox act alone at its server, as those of one state folder do. */
export async function tmuxOf(sandbox: Sandbox, change: Partial<TmuxOptions> = {}): Promise<Terminal> {
  const me = { pid: process.pid, processStart: (await processStart(process.pid)) ?? '' };
  const alone = aloneAt(sandbox.socket, await openHome(join(sandbox.root, 'state')), me);
  return openTmux({ socket: sandbox.socket, env: sandbox.env, clock: systemClock, alone, ...change });
}

/** Runs `work` with a terminal of its own; everything is gone afterwards. */
export async function withTerminal(make: MakeTerminal, work: (bench: Bench) => Promise<void>): Promise<void> {
  const sandbox = makeSandbox();
  const terminals: Terminal[] = [];
  const another = async () => {
    const terminal = await make(sandbox);
    terminals.push(terminal);
    return terminal;
  };
  try {
    const cwd = sandbox.dir('work');
    await work({
      terminal: await another(),
      sandbox,
      another,
      request: (change = {}) => ({
        session: 'crew',
        cwd,
        argv: ['sleep', '600'],
        env: { PATH: sandbox.env.PATH ?? '', HOME: sandbox.home },
        placement: 'fill',
        label: { name: 'ada', annotation: '', status: 'idle', colour: 'colour39' },
        marks: { id: '0123abcd' },
        ...change,
      }),
    });
  } finally {
    for (const terminal of terminals) await terminal.dispose();
    sandbox.dispose();
  }
}

export const seeScreen = (terminal: Terminal, pane: PaneInfo, text: string): Promise<string> =>
  eventually(`${JSON.stringify(text)} on the screen`, async () => {
    const screen = await terminal.capture(pane.ref);
    return screen.includes(text) ? screen : undefined;
  });

/** A pane whose keyboard ends up byte by byte in the file that is returned. */
export async function openRecorder({ terminal, sandbox, request }: Bench, options: { bracketed?: boolean } = {}) {
  const path = join(sandbox.dir('recorded'), 'keys');
  const start = options.bracketed ? "printf '\\033[?2004h'; " : '';
  const pane = await terminal.open(
    request({ argv: ['sh', '-c', `stty raw -echo; ${start}printf ready; exec cat > "$0"`, path] }),
  );
  await seeScreen(terminal, pane, 'ready');
  return { pane, keys: () => readMaybe(path) ?? '' };
}

export const find = async (terminal: Terminal, pane: PaneInfo): Promise<PaneInfo | undefined> =>
  (await terminal.list()).find((one) => one.ref.id === pane.ref.id);

/** tmux overlooks a death now and then; whoever watches has it look again. */
export async function untilDead(terminal: Terminal, pane: PaneInfo): Promise<void> {
  const stop = terminal.watch(() => undefined);
  await eventually('the pane is dead', async () => (await find(terminal, pane))?.dead).finally(stop);
}

/** Every end that is told. */
export function record(terminal: Pick<Terminal, 'watch'>): TerminalEvent[] {
  const events: TerminalEvent[] = [];
  terminal.watch((event) => {
    if (event.kind === 'pane-died' || event.kind === 'pane-gone') events.push(event);
  });
  return events;
}

export function readMaybe(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

export function readJson(path: string) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
