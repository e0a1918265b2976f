// What the terminal tells of panes, as signals of the workers in them.
import type { TerminalEvent } from '../backends/terminal.ts';
import type { Disposer } from '../model/clock.ts';
import type { House } from './house.ts';
import { exitDetail } from './started.ts';

export function watchPanes(house: House): Disposer {
  return house.terminal.watch((event) => {
    if (event.kind === 'pane-moved') return;
    const ref = event.kind === 'pane-died' ? event.pane.ref : event.ref;
    for (const following of house.roster.all()) {
      const pane = house.log.records().get(following.workerId)?.pane;
      if (pane?.paneId !== ref.id || pane.serverPid !== ref.serverPid || pane.serverStartedAt !== ref.serverStartedAt)
        continue;
      following.apply({ from: 'pane', kind: 'gone', at: house.clock.now(), detail: detailOf(event) });
    }
  });
}

const detailOf = (event: Exclude<TerminalEvent, { kind: 'pane-moved' }>): string =>
  event.kind === 'pane-died' ? exitDetail(event.pane) : 'its pane was closed';
