// Every situation of every agent, once: what is told is what is true.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newNonce } from '../../../src/model/ids.ts';
import { openRealCrew, type RealCrew } from '../crew.ts';
import { dialogs } from './dialogs.ts';
import { Stage } from './stage.ts';
import { subjects } from './subjects.ts';
import { cellsOf, isFalseIdle, transitionsOf } from './timeline.ts';
import { turns } from './turns.ts';

describe.each(subjects)('$title $version', (subject) => {
  let crew: RealCrew;
  beforeAll(async () => {
    crew = await openRealCrew(subject.home);
  });
  afterAll(() => crew.dispose());

  const situations = [...turns, ...dialogs].filter(({ name }) => !(name in subject.cannot));

  test.concurrent.each(situations)('a worker that $name', async ({ name, play }) => {
    const stage = new Stage({ crew, subject, mark: newNonce() });
    await play(stage);
    const { told, truths } = stage.ends();
    const cells = cellsOf(told, truths);
    console.log(subject.agent, name, JSON.stringify(cells), JSON.stringify(transitionsOf(told, truths)));
    expect(cells.filter(isFalseIdle)).toEqual([]);
  });
});
