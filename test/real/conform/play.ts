// Every situation of an agent: what is told is what is true.
import { loadavg } from 'node:os';
import { afterAll, describe, expect, test } from 'vitest';
import { messageOf } from '../../../src/model/errors.ts';
import { dialogs } from './dialogs.ts';
import { emptyRecord, everyRound, isMeasured, keep } from './record.ts';
import { type On, Stage } from './stage.ts';
import { starts } from './starts.ts';
import type { Subject } from './subjects.ts';
import { addCells, cellsOf, isFalseIdle, isStale, transitionsOf } from './timeline.ts';
import { turns } from './turns.ts';

/**
 * Where slow becomes wrong. The document tells how long changes really take, and is measured on a machine that has
 * little else to do; a run beside others proves only that the right word comes.
 */
const toleranceMs = isMeasured ? 5_000 : 60_000;

export function plays(subject: Subject, on: () => On): void {
  const seen = emptyRecord(subject);
  const situations = [...starts, ...turns, ...dialogs].filter(({ name }) => !(name in subject.cannot));
  afterAll(() => keep(subject.agent, 'states', { ...seen, cells: addCells(seen.cells) }));

  describe.concurrent.each(everyRound)('round %i', () => {
    test.each(situations)('a worker that $name', async ({ name, play }) => {
      const stage = new Stage(on());
      seen.loads.push(loadavg()[0] ?? 0);
      try {
        await play(stage);
      } catch (error) {
        seen.failures.push({ what: name, why: messageOf(error) });
        throw error;
      }
      const { told, truths } = await stage.ends();
      const cells = cellsOf(told, truths);
      seen.cells.push(...cells);
      seen.transitions.push(...transitionsOf(told, truths));
      seen.ends.push(...truths.flatMap(({ ended = [] }) => ended));
      expect(cells.filter(isFalseIdle)).toEqual([]);
      expect(cells.filter((cell) => isStale(cell, toleranceMs))).toEqual([]);
    });
  });
}
