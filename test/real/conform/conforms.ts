// One agent in every situation and with every text, on one crew.
import { afterAll, beforeAll, describe } from 'vitest';
import type { AgentType } from '../../../src/model/worker.ts';
import { castOf } from '../cast.ts';
import { openRealCrew } from '../crew.ts';
import { delivers } from './deliveries.ts';
import { plays } from './play.ts';
import { isMeasured } from './record.ts';
import type { On } from './stage.ts';
import { subjects } from './subjects.ts';

export function conforms(agent: AgentType): void {
  const subject = subjects.find((one) => one.agent === agent);
  if (subject === undefined) throw new Error(`${agent} is no subject`);
  let opened: On | undefined;
  const on = (): On => {
    if (opened === undefined) throw new Error('The crew is not open yet.');
    return opened;
  };
  beforeAll(async () => {
    const crew = await openRealCrew(subject.home);
    opened = { crew, subject, cast: castOf(crew, { isFresh: isMeasured }) };
  });
  afterAll(() => opened?.crew.dispose());
  describe.concurrent(`to ${subject.title} ${subject.version}`, () => delivers(subject, on));
  describe.concurrent(`${subject.title} ${subject.version}`, () => plays(subject, on));
}
