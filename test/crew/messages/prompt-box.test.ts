import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ScreenReading } from '../../../src/agents/agent.ts';
import { planDelivery as planClaude } from '../../../src/agents/claude/delivery.ts';
import { planDelivery as planCodex } from '../../../src/agents/codex/delivery.ts';
import {
  type BoxWait,
  stepAfterUndo,
  stepAtFirst,
  stepAtWhole,
  type TypingStep,
} from '../../../src/crew/messages/prompt-box.ts';

const soon: BoxWait = { forMs: 10, ceilingMs: 10_000, stillMs: 0 };
const again: BoxWait = { ...soon, stillMs: 150 };
const late: BoxWait = { ...again, forMs: 10_001, stillMs: 10_001 };
const dialog = { waitingFor: 'permission', title: 'Proceed?', text: '', options: [] } as const;
const planOf = (shows: string, { isReadable = true } = {}) => ({
  first: { keystrokes: [], shows, undo: [] },
  whole: { shows, undo: [], isReadable },
});

describe('the beginning of a message', () => {
  it.each<[string, ScreenReading, BoxWait, Partial<TypingStep>]>([
    ['stands alone', { draft: 'say hello' }, soon, { do: 'go-on' }],
    ['is wrapped by a narrow box', { draft: 'say\nhel\nlo' }, soon, { do: 'go-on' }],
    ['is not drawn yet', { draft: '' }, soon, { do: 'wait' }],
    ['is half drawn', { draft: 'say h' }, again, { do: 'wait' }],
    ['is not drawn yet, but what came before it is', { draft: 'my half' }, again, { do: 'wait' }],
    ['stands behind other text for a moment', { draft: 'my half say hello' }, soon, { do: 'wait' }],
    ['stands behind other text', { draft: 'my half say hello' }, again, { do: 'take-back', seen: 'my half say hello' }],
    ['stands before other text', { draft: 'say hello, and' }, again, { do: 'take-back' }],
    ['stands within other text', { draft: 'my say hello half' }, again, { do: 'take-back' }],
    ['is never drawn', { draft: '' }, late, { do: 'give-up', reason: 'undrawn', seen: '' }],
    [
      'is never drawn beside a draft',
      { draft: 'my half' },
      late,
      { do: 'give-up', reason: 'undrawn', seen: 'my half' },
    ],
    ['has no box for a while', {}, { ...again, forMs: 5_000 }, { do: 'wait' }],
    ['goes on changing', { draft: '' }, { ...late, stillMs: 100 }, { do: 'wait' }],
    ['never has a box', {}, late, { do: 'give-up', reason: 'no-box' }],
    ['is all that a very low pane shows', { draftEnd: 'lo' }, soon, { do: 'go-on' }],
    ['stands behind a draft that fills the screen', { draftEnd: 'my half say hello' }, again, { do: 'take-back' }],
    ['meets half a redraw that looks like a dialog', { dialog }, soon, { do: 'wait' }],
    ['meets a dialog', { dialog }, { ...soon, forMs: 1_001 }, { do: 'give-up', reason: 'dialog', seen: 'Proceed?' }],
  ])('%s', (_, reading, waited, step) => {
    expect(stepAtFirst(reading, planOf('say hello'), waited)).toMatchObject(step);
  });

  it.each([
    ['a letter that the terminal has no room for', 'so 🚀 now', 'so  now'],
    ['a letter drawn in two parts', 'caf\u00e9', 'cafe\u0301'],
    ['a letter the terminal has no picture for', 'plain \u{20000} text', 'plain _ text'.replace('_', '')],
  ])('is known by what is left of it: %s', (_, text, draft) => {
    expect(stepAtFirst({ draft }, planOf(text), soon)).toEqual({ do: 'go-on' });
  });

  it('goes on where a configuration does not let a draft be read, and not sooner', () => {
    const plan = planOf('say hello', { isReadable: false });
    expect(stepAtFirst({}, plan, soon)).toEqual({ do: 'wait' });
    expect(stepAtFirst({}, plan, { ...soon, forMs: 2_000 })).toEqual({ do: 'go-on' });
    expect(stepAtFirst({ dialog }, plan, { ...soon, forMs: 2_000 })).toMatchObject({ do: 'give-up' });
  });
});

describe('the whole message', () => {
  const long = Array.from({ length: 60 }, (_, n) => `line ${n} of many`).join('\n');
  const end = long.split('\n').slice(-20).join('\n');

  it.each<[string, string, ScreenReading, BoxWait, Partial<TypingStep>]>([
    ['stands alone', 'one two', { draft: 'one two' }, soon, { do: 'go-on' }],
    ['is drawn in part', 'one two', { draft: 'one' }, again, { do: 'wait' }],
    ['shows no more than its beginning yet', 'one two', { draft: 'begun' }, again, { do: 'wait' }],
    ['stays drawn in part', 'one two', { draft: 'one' }, late, { do: 'give-up', reason: 'undrawn' }],
    ['stands behind what the agent put back', 'one two', { draft: 'before one two' }, again, { do: 'take-back' }],
    ['stands before a person’s key', 'one two', { draft: 'one two3' }, again, { do: 'take-back' }],
    ['shows its end in a scrolled box', long, { draft: end }, soon, { do: 'go-on' }],
    ['shows its end in a box taller than the screen', long, { draftEnd: end }, soon, { do: 'go-on' }],
    ['shows its beginning in a scrolled box', long, { draft: long.slice(0, 200) }, again, { do: 'wait' }],
    ['shows its end and other text', long, { draft: `${end} more` }, again, { do: 'take-back' }],
    ['shows other text and its end', long, { draft: `other\n${end}` }, again, { do: 'take-back' }],
    ['does not fit on the screen at all', long, {}, { ...soon, forMs: 2_000 }, { do: 'go-on' }],
    ['has lost its box', 'one two', {}, { ...soon, forMs: 2_000 }, { do: 'wait' }],
    ['has lost its box for good', 'one two', {}, late, { do: 'give-up', reason: 'no-box' }],
    ['is under a dialog', long, { dialog }, { ...soon, forMs: 2_000 }, { do: 'give-up', reason: 'dialog' }],
    [
      'is cut in the middle',
      long,
      { draft: `line 0 of many\n[...Truncated text #1 +40 lines...]${end}` },
      soon,
      { do: 'go-on' },
    ],
    [
      'is a placeholder',
      `one [Pasted Content 1999 chars]`,
      { draft: 'one [Pasted Content 1999 chars]' },
      soon,
      { do: 'go-on' },
    ],
    [
      'is two placeholders, one of them not ours',
      'one [Pasted Content 1999 chars]',
      { draft: '[Pasted Content 3000 chars]my one [Pasted Content 1999 chars]' },
      again,
      { do: 'take-back' },
    ],
  ])('%s', (_, shows, reading, waited, step) => {
    const plan = { ...planOf(shows), first: { keystrokes: [], shows: 'begun', undo: [] } };
    expect(stepAtWhole(reading, plan, waited)).toMatchObject(step);
  });
});

describe('a piece that was taken back', () => {
  it.each<[string, string, string | undefined, Partial<TypingStep>]>([
    ['is gone from behind a draft', 'my half say hello', 'my half', { do: 'go-on' }],
    ['is gone from before one', 'say hello half', 'half', { do: 'go-on' }],
    ['is gone from within one', 'my say hello half', 'my half', { do: 'go-on' }],
    ['is half gone', 'my half say hello', 'my half say', { do: 'give-up' }],
    ['is gone with more than itself', 'my half say hello', 'my hal', { do: 'give-up' }],
    ['was never seen whole, and is gone', 'my half say', 'my half', { do: 'go-on' }],
    ['cannot be seen', 'my half say hello', undefined, { do: 'give-up', reason: 'no-box' }],
  ])('%s', (_, seen, draft, step) => {
    const reading = draft === undefined ? {} : { draft };
    expect(stepAfterUndo(reading, { seen, piece: 'say hello' }, late)).toMatchObject(step);
  });
});

/** As a box of some width shows it. */
const wrapped = (text: string, width: number) => (text.match(new RegExp(`[^]{1,${width}}`, 'gu')) ?? ['']).join('\n');
const draft = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 40 }).filter((text) => text.trim() !== '');
const message = fc.oneof(fc.lorem({ maxCount: 40 }), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 400 }));
const plans = fc.constantFrom(planClaude, planCodex);

describe('for any message', () => {
  it('its beginning goes on where it stands alone, however it is wrapped', () => {
    fc.assert(
      fc.property(plans, message, fc.integer({ min: 1, max: 90 }), (planDelivery, text, width) => {
        const plan = planDelivery({ text, asCommand: false });
        if ('refused' in plan) return;
        const reading = { draft: wrapped(plan.first.shows, width).trim() };
        expect(stepAtFirst(reading, plan, soon)).toEqual({ do: 'go-on' });
      }),
    );
  });

  it("neither its beginning nor its whole goes on beside a person's text", () => {
    fc.assert(
      fc.property(plans, fc.lorem({ maxCount: 20 }), draft, fc.boolean(), (planDelivery, text, person, isBefore) => {
        const plan = planDelivery({ text, asCommand: false });
        if ('refused' in plan) return;
        const beside = (shows: string) => ({ draft: (isBefore ? person + shows : shows + person).trim() });
        for (const waited of [soon, again, late]) {
          expect(stepAtFirst(beside(plan.first.shows), plan, waited).do).not.toBe('go-on');
          expect(stepAtWhole(beside(plan.whole.shows), plan, waited).do).not.toBe('go-on');
        }
      }),
    );
  });
});
