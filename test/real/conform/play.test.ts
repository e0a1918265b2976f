// Every situation of every agent, once: what is told is what is true.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newNonce } from '../../../src/model/ids.ts';
import { openRealCrew, type RealCrew } from '../crew.ts';
import { dialogs } from './dialogs.ts';
import { Stage } from './stage.ts';
import { subjects } from './subjects.ts';
import { cellsOf, isFalseIdle, isStale } from './timeline.ts';
import { turns } from './turns.ts';

/** The document tells how long changes really take; this is where slow becomes wrong, on a machine with much to do. */
const toleranceMs = 5_000;

describe.each(subjects)('$title $version', (subject) => {
  let crew: RealCrew;
  beforeAll(async () => {
    crew = await openRealCrew(subject.home);
  });
  afterAll(() => crew.dispose());

  const situations = [...turns, ...dialogs].filter(({ name }) => !(name in subject.cannot));

  test.concurrent.each(situations)('a worker that $name', async ({ play }) => {
    const stage = new Stage({ crew, subject, mark: newNonce() });
    await play(stage);
    const { told, truths } = await stage.ends();
    const cells = cellsOf(told, truths);
    expect(cells.filter(isFalseIdle)).toEqual([]);
    expect(cells.filter((cell) => isStale(cell, toleranceMs))).toEqual([]);
  });
});
