// Every text by every way to an agent: what is said of it is what became of it, and nothing of it runs on the way.
import { loadavg } from 'node:os';
import { afterAll, describe, expect, test } from 'vitest';
import { messageOf } from '../../../src/model/errors.ts';
import { isFalse, type Verdict } from './arrival.ts';
import { type Delivery, deliver, deliverFirst, ranIn } from './deliver.ts';
import { emptyRecord, everyRound, isMeasured, keep } from './record.ts';
import { type On, Stage } from './stage.ts';
import type { Subject } from './subjects.ts';
import { fewFirstTexts, fewTexts, screenTexts, type Text, texts } from './texts.ts';
import { ways } from './ways.ts';

const shortTexts = texts.filter(({ isLong }) => !isLong);
const textsOf = isMeasured
  ? { all: texts, short: shortTexts, few: fewTexts }
  : { all: shortTexts, short: screenTexts, few: fewTexts };
const together = 3;
/** On a busy machine an agent may take longer over a long text than the proof is waited for. */
const slow = (name: string): Verdict[] => (texts.find((text) => text.name === name)?.isLong ? ['unconfirmed'] : []);

export function delivers(subject: Subject, on: () => On): void {
  const seen = emptyRecord(subject);
  afterAll(() => keep(subject.agent, 'deliveries', seen));

  const noted = async (what: string, made: Delivery[], send: () => Promise<void>) => {
    seen.loads.push(loadavg()[0] ?? 0);
    await send().catch((error: unknown) => {
      seen.failures.push({ what, why: messageOf(error) });
      throw error;
    });
    seen.deliveries.push(...made);
    expect(made.filter(isFalse)).toEqual([]);
  };

  describe.concurrent.each(everyRound)('round %i', () => {
    test('a text sent as the first prompt', async () => {
      const made: Delivery[] = [];
      const some = isMeasured ? texts.filter(({ text }) => text !== '') : fewFirstTexts;
      await noted('as the first prompt', made, async () => {
        for (let i = 0; i < some.length; i += together)
          made.push(...(await Promise.all(some.slice(i, i + together).map((text) => first(on(), text)))));
      });
      expect(made.filter(({ verdict }) => verdict === 'refused').map(({ text }) => text)).toEqual(subject.refusesFirst);
    });

    test.each(ways)('a text sent $name', async (way) => {
      const { crew } = on();
      const stage = new Stage(on());
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
  });
}

async function first(on: On, text: Text): Promise<Delivery> {
  const stage = new Stage(on);
  const made = await deliverFirst(stage, text);
  if (made.verdict !== 'refused') expect(ranIn(stage.worker)).toEqual([]);
  await stage.ends();
  return made;
}
