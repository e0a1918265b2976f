// A pane as a look at the server shows it, for tests of what is decided over panes.
import type { PaneInfo } from '../../src/backends/terminal.ts';

export const paneInfo = (id: string, change: Partial<PaneInfo> = {}): PaneInfo => ({
  ref: { socket: 's', serverPid: 1, serverStartedAt: 1, id },
  session: 'crew',
  sessionId: '$1',
  windowId: '@1',
  pid: 100,
  command: '',
  cwd: '',
  dead: false,
  inMode: false,
  width: 1,
  height: 1,
  marks: {},
  ...change,
});
