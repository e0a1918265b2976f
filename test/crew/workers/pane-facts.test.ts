import { describe, expect, it } from 'vitest';
import type { PaneInfo, PaneList } from '../../../src/backends/terminal.ts';
import { endedDraft } from '../../../src/crew/lifecycle/unseen-end.ts';
import { isUnreaped, type PaneFacts, verdictOn } from '../../../src/crew/workers/pane-facts.ts';
import { endedOf } from '../../../src/crew/workers/roster.ts';
import type { ManagerRef } from '../../../src/model/worker.ts';
import { workerRecord } from '../../support/records.ts';

describe('endedOf', () => {
  it('names no manager whose process cannot be looked at', async () => {
    const told: unknown[] = [];
    const isAlive = async ({ pid }: ManagerRef) => {
      if (pid === 3) throw new Error('ps failed');
      return pid === 1;
    };
    const managers = [1, 2, 3].map((pid) => ({ pid, processStart: '9' }));
    expect(await endedOf(managers, { isAlive, onTrouble: (error) => told.push(error) })).toEqual([managers[1]]);
    expect(told).toMatchObject([{ message: 'ps failed' }]);
  });
});

describe('verdictOn', () => {
  const pane: PaneInfo = {
    ref: { socket: 's', serverPid: 1, serverStartedAt: 1, id: '%3' },
    session: 'crew',
    sessionId: '$1',
    windowId: '@1',
    pid: 2,
    command: 'claude',
    cwd: '/',
    dead: false,
    inMode: false,
    width: 220,
    height: 50,
    marks: { worker: '00000000' },
  };
  const record = workerRecord({ paneId: '%3' });
  /** The server of its pane answers. */
  const seen = (panes: readonly PaneInfo[]): PaneFacts => ({
    listing: { panes, server: { serverPid: 1, serverStartedAt: 1 } },
    server: 'ended',
  });
  const nobody: PaneList = { panes: [], server: undefined };
  it.each([
    { title: 'its pane stands', panes: [pane], is: 'alive' },
    { title: 'its pane is dead', panes: [{ ...pane, dead: true, exitCode: 3 }], is: 'ended' },
    { title: 'there is no such pane', panes: [], is: 'ended' },
    {
      title: 'a restarted tmux gave its id to another',
      panes: [{ ...pane, ref: { ...pane.ref, serverPid: 7 } }],
      is: 'ended',
    },
    { title: 'the pane says it is another worker', panes: [{ ...pane, marks: { worker: 'ffffffff' } }], is: 'ended' },
    { title: 'a person started another program in it', panes: [{ ...pane, pid: 9 }], is: 'ended' },
  ])('$title', ({ panes, is }) => {
    expect(verdictOn(record, seen(panes)).is).toBe(is);
  });

  it.each([
    { title: 'its agent: with its exit', pid: 2, exit: { code: 3 } },
    { title: 'a program that a person started there since: nobody knows how the agent did', pid: 9, exit: undefined },
  ])('the process of its dead pane that ended was $title', ({ pid, exit }) => {
    const verdict = verdictOn(record, seen([{ ...pane, pid, dead: true, exitCode: 3 }]));
    expect(verdict.is === 'ended' && verdict.exit).toEqual(exit);
  });

  it.each([
    { title: 'is looked at again while tmux does not know its exit', exit: {}, again: true },
    { title: 'needs no further look with an exit code', exit: { exitCode: 0 }, again: false },
    { title: 'needs no further look with a signal', exit: { exitSignal: 'SIGKILL' }, again: false },
    { title: 'needs no further look where the process is another', exit: { pid: 9 }, again: false },
  ])('a dead pane $title', ({ exit, again }) => {
    expect(isUnreaped(verdictOn(record, seen([{ ...pane, dead: true, ...exit }])))).toBe(again);
  });

  const other = { serverPid: 7, serverStartedAt: 1 };
  const reborn = { ...pane, ref: { ...pane.ref, ...other } };
  it.each([
    { title: 'tmux could not list its panes', listing: { failed: 'lost server' }, server: 'ended', is: 'unknown' },
    { title: 'nobody answers, and its server runs', listing: nobody, server: 'runs', is: 'unknown' },
    { title: 'nobody answers, and its server cannot be looked at', listing: nobody, server: 'unknown', is: 'unknown' },
    { title: 'nobody answers, and its server has ended', listing: nobody, server: 'ended', is: 'ended' },
    {
      title: 'another server took the socket while its own runs',
      listing: { panes: [reborn], server: other },
      server: 'runs',
      is: 'unknown',
    },
    {
      title: 'another server has its pid by now',
      listing: { panes: [], server: { serverPid: 1, serverStartedAt: 9 } },
      server: 'ended',
      is: 'ended',
    },
  ] as const)('$title: $is', ({ listing, server, is }) => {
    expect(verdictOn(record, { listing, server }).is).toBe(is);
  });

  it('whose end is found is dead, and one that was being closed is closed', () => {
    const found = { detail: 'its pane is gone', at: 9, me: { pid: 1, processStart: '1' } };
    expect(endedDraft(workerRecord(), found)).toMatchObject({
      type: 'worker_dead',
      set: { phase: 'dead', endedAt: 9 },
    });
    expect(endedDraft(workerRecord({ closing: true }), found)).toMatchObject({
      type: 'worker_closed',
      set: { phase: 'closed', closing: null },
    });
  });

  it('takes a worker without a pane for one whose spawn was cut off', () => {
    const born = workerRecord({ phase: 'spawning' });
    const unborn = { ...born, launch: { ...born.launch, number: 0 } };
    expect(verdictOn(unborn, seen([pane]))).toMatchObject({ is: 'ended' });
    expect(verdictOn(born, seen([]))).toMatchObject({ is: 'ended' });
    expect(verdictOn(born, seen([{ ...pane, dead: true }]))).toMatchObject({ is: 'ended' });
  });

  it('takes one whose pane is there for started, though nothing had noted it', () => {
    expect(verdictOn(workerRecord({ phase: 'spawning' }), seen([pane]))).toMatchObject({ is: 'born', pane });
  });
});
