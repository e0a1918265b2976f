// A terminal of a fixed size in which somebody looks at a crew: a tmux of its own, with the command that people paste.
import { newNonce } from '../../src/model/ids.ts';
import { pause, systemClock } from '../../src/system/clock.ts';
import { run } from '../../src/system/exec.ts';
import { bareText } from './cells.ts';

const lookEveryMs = 100;
const ceilingMs = 60_000;

interface Size {
  readonly columns: number;
  readonly rows: number;
}

export interface Onlooker {
  press(...keys: readonly string[]): Promise<void>;
  /** Puts the lines into the pane of a worker as one paste, and Enter behind them. */
  type(worker: string, lines: readonly string[]): Promise<void>;
  resize(size: Size): Promise<void>;
  /** The screen with its colours, as soon as it is as wanted. Throws after a minute, with what it shows. */
  screen(what: string, isWanted: (screen: string) => boolean): Promise<string>;
  close(): Promise<void>;
}

export interface Place {
  /** The command of a demo that leads to its crew. */
  readonly attach: string;
  readonly home: string;
  readonly path: string;
  readonly size: Size;
  readonly stop: AbortSignal;
}

export async function onlookerOf({ attach, home, path, size, stop }: Place): Promise<Onlooker> {
  const [, folder, socket = ''] = /^TMUX_TMPDIR=(\S+) tmux -L (\S+) attach /.exec(attach) ?? [];
  if (folder === undefined) throw new Error(`This does not lead to the crew of a demo: ${attach}`);
  const env = { PATH: path, HOME: home, TMUX_TMPDIR: home, LANG: 'C.UTF-8', TERM: 'xterm-256color' };
  const ask = async (args: readonly string[], how: Parameters<typeof run>[2]) => {
    const { exitCode, stdout, stderr } = await run('tmux', args, how);
    if (exitCode !== 0) throw new Error(`tmux ${args.join(' ')} failed: ${stderr.trim()}`);
    return stdout;
  };
  const own = ['-L', `crewmux-picture-${newNonce()}`, '-f', '/dev/null'];
  const look = (...args: readonly string[]) => ask([...own, ...args], { env });
  const crew = (args: readonly string[], input = '') =>
    ask(['-L', socket, ...args], { env: { ...env, TMUX_TMPDIR: folder }, input });
  const sized = ({ columns, rows }: Size) => ['-x', String(columns), '-y', String(rows)];
  await look('new-session', '-d', ...sized(size), `unset TMUX; ${attach}`, ';', 'set-option', '-g', 'status', 'off');
  return {
    press: async (...keys) => void (await look('send-keys', ...keys)),
    resize: async (to) => void (await look('resize-window', ...sized(to))),
    async type(worker, lines) {
      const panes = await crew(['list-panes', '-a', '-F', '#{@crewmux_name} #{pane_id}']);
      const pane = panes
        .split('\n')
        .find((row) => row.startsWith(`${worker} `))
        ?.slice(worker.length + 1);
      if (pane === undefined) throw new Error(`${worker} has no pane.`);
      await crew(['load-buffer', '-'], lines.join('\n'));
      await crew(['paste-buffer', '-p', '-d', '-t', pane]);
      await crew(['send-keys', '-t', pane, 'Enter']);
    },
    async screen(what, isWanted) {
      for (const until = systemClock.now() + ceilingMs; ; await pause(lookEveryMs, stop)) {
        stop.throwIfAborted();
        const screen = await look('capture-pane', '-e', '-N', '-p');
        if (isWanted(screen)) return screen;
        if (systemClock.now() > until)
          throw new Error(`Not seen within a minute: ${what}. It shows:\n${bareText(screen)}`);
      }
    },
    close: async () => void (await look('kill-server')),
  };
}
