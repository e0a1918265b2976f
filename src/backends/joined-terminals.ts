// Our own tmux server and, for adopted panes, other servers of the user, behind one contract.
import type { Keystroke } from '../model/keystroke.ts';
import type { PaneInfo, PaneRef, PaneRequest, Terminal } from './terminal.ts';

export interface Terminals extends Terminal {
  /** From now on the panes of that server are listed too. Nothing of it is changed by this. */
  know(socket: string): Promise<void>;
  of(socket: string): Terminal;
}

/** `openOther` opens a server that is not ours: no client stays attached to it. */
export function joinTerminals(
  own: { socket: string; terminal: Terminal },
  openOther: (socket: string) => Promise<Terminal>,
): Terminals {
  const others = new Map<string, Terminal>();
  const of = (socket: string): Terminal => others.get(socket) ?? own.terminal;
  return {
    of,
    async know(socket) {
      if (socket !== own.socket && !others.has(socket)) others.set(socket, await openOther(socket));
    },
    open: (request: PaneRequest) => own.terminal.open(request),
    async list(): Promise<readonly PaneInfo[]> {
      const lists = await Promise.all([own.terminal, ...others.values()].map((terminal) => terminal.list()));
      return lists.flat();
    },
    listWithServer: () => own.terminal.listWithServer(),
    deliver: (ref: PaneRef, keystrokes: readonly Keystroke[]) => of(ref.socket).deliver(ref, keystrokes),
    withKeyboard: (ref, work) => of(ref.socket).withKeyboard(ref, work),
    capture: (ref, options) => of(ref.socket).capture(ref, options),
    look: (ref) => of(ref.socket).look(ref),
    label: (ref, label, marks) => of(ref.socket).label(ref, label, marks),
    close: (ref) => of(ref.socket).close(ref),
    respawn: (ref, request) => of(ref.socket).respawn(ref, request),
    // Adopted panes are watched by their process: a hook on somebody's own server would be theirs to clean up.
    watch: (listen) => own.terminal.watch(listen),
    draw: (tmuxSession, board) => own.terminal.draw(tmuxSession, board),
    attachCommand: (tmuxSession) => own.terminal.attachCommand(tmuxSession),
    async dispose() {
      await Promise.all([own.terminal, ...others.values()].map((terminal) => terminal.dispose()));
    },
  };
}
