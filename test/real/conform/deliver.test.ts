// Every text by every way to every agent: what is said of it is what became of it, and nothing of it runs on the way.
import { loadavg } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { messageOf } from '../../../src/model/errors.ts';
import { newNonce } from '../../../src/model/ids.ts';
import { openRealCrew, type RealCrew } from '../crew.ts';
import { isFalse, type Verdict } from './arrival.ts';
import { type Delivery, deliver, deliverFirst, ranIn } from './deliver.ts';
import { emptyRecord, isMeasured, keep, rounds } from './record.ts';
import { Stage } from './stage.ts';
import { subjects } from './subjects.ts';
import { fewFirstTexts, fewTexts, type Text, texts } from './texts.ts';
import { ways } from './ways.ts';

const textsOf = { all: texts, short: texts.filter(({ isLong }) => !isLong), few: fewTexts };
const everyRound = Array.from({ length: rounds }, (_, i) => i + 1);
const together = 4;
/** On a busy machine an agent may take longer over a long text than the proof is waited for. */
const slow = (name: string): Verdict[] => (texts.find((text) => text.name === name)?.isLong ? ['unconfirmed'] : []);

describe.each(subjects)('to $title $version', { timeout: 300_000 }, (subject) => {
  const seen = emptyRecord(subject);
  let crew: RealCrew;
  beforeAll(async () => {
    crew = await openRealCrew(subject.home);
  });
  afterAll(async () => {
    keep(subject.agent, 'deliveries', seen);
    await crew.dispose();
  });

  const noted = async (what: string, made: Delivery[], send: () => Promise<void>) => {
    seen.loads.push(loadavg()[0] ?? 0);
    await send().catch((error: unknown) => {
      seen.failures.push({ what, why: messageOf(error) });
      throw error;
    });
    seen.deliveries.push(...made);
    expect(made.filter(isFalse)).toEqual([]);
  };
  const first = async (text: Text): Promise<Delivery> => {
    const stage = new Stage({ crew, subject, mark: newNonce() });
    const made = await deliverFirst(stage, text);
    if (made.verdict !== 'refused') expect(ranIn(stage.worker)).toEqual([]);
    await stage.ends();
    return made;
  };

  describe.each(everyRound)('round %i', () => {
    test.concurrent.each(ways)('a text sent $name', async (way) => {
      const stage = new Stage({ crew, subject, mark: newNonce() });
      await stage.enter(way.config);
      const made: Delivery[] = [];
      await noted(way.name, made, async () => {
        for (const text of textsOf[way.texts]) made.push(await deliver(stage, way, text));
      });
      const said = made.filter(({ text }) => !subject.refuses.includes(text) && text !== 'nothing');
      expect(said.filter(({ text, verdict }) => ![...way.verdicts, ...slow(text)].includes(verdict))).toEqual([]);
      expect(ranIn(stage.worker)).toEqual([]);
      expect(crew.falseIdles(stage.worker)).toEqual([]);
      await stage.ends();
    });

    test.concurrent('a text sent as the first prompt', async () => {
      const made: Delivery[] = [];
      const some = isMeasured ? texts.filter(({ text }) => text !== '') : fewFirstTexts;
      await noted('as the first prompt', made, async () => {
        for (let i = 0; i < some.length; i += together)
          made.push(...(await Promise.all(some.slice(i, i + together).map(first))));
      });
      expect(made.filter(({ verdict }) => verdict === 'refused').map(({ text }) => text)).toEqual(subject.refusesFirst);
    });
  });
});
