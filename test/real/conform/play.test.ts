// Every situation of every agent: what is told is what is true.
import { loadavg } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { messageOf } from '../../../src/model/errors.ts';
import { newNonce } from '../../../src/model/ids.ts';
import { openRealCrew, type RealCrew } from '../crew.ts';
import { dialogs } from './dialogs.ts';
import { emptyRecord, keep, rounds } from './record.ts';
import { Stage } from './stage.ts';
import { starts } from './starts.ts';
import { subjects } from './subjects.ts';
import { addCells, cellsOf, isFalseIdle, isStale, transitionsOf } from './timeline.ts';
import { turns } from './turns.ts';

/** The document tells how long changes really take; this is where slow becomes wrong, on a machine with much to do. */
const toleranceMs = 5_000;

const everyRound = Array.from({ length: rounds }, (_, i) => i + 1);

describe.each(subjects)('$title $version', { timeout: 120_000 }, (subject) => {
  const seen = emptyRecord(subject);
  let crew: RealCrew;
  beforeAll(async () => {
    crew = await openRealCrew(subject.home);
  });
  afterAll(async () => {
    keep(subject.agent, 'states', { ...seen, cells: addCells(seen.cells) });
    await crew.dispose();
  });
  const situations = [...starts, ...turns, ...dialogs].filter(({ name }) => !(name in subject.cannot));

  describe.each(everyRound)('round %i', () => {
    test.concurrent.each(situations)('a worker that $name', async ({ name, play }) => {
      const stage = new Stage({ crew, subject, mark: newNonce() });
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
});
