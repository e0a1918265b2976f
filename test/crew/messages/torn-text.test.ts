import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ScreenReading, TypingPlan } from '../../../src/agents/agent.ts';
import { planDelivery as planClaude } from '../../../src/agents/claude/delivery.ts';
import { planDelivery as planCodex } from '../../../src/agents/codex/delivery.ts';
import type { BoxWait, TypingStep } from '../../../src/crew/messages/prompt-box.ts';
import { keysForBeginning, probeFor, stepAtEmptied, stepAtProbe } from '../../../src/crew/messages/torn-text.ts';

const planned = (by: typeof planClaude, text: string, asCommand = false): TypingPlan => {
  const plan = by({ text, asCommand });
  if ('refused' in plan) throw new Error(plan.refused);
  return plan;
};
const claude = (text: string) => planned(planClaude, text);
const codex = (text: string) => planned(planCodex, text);
const lines = Array.from({ length: 40 }, (_, i) => `line ${i} of a long message with words`);
const long = lines.join('\n');
const soon: BoxWait = { forMs: 10, ceilingMs: 10_000, stillMs: 0 };
const again: BoxWait = { ...soon, stillMs: 150 };
const late: BoxWait = { ...again, forMs: 10_001, stillMs: 10_001 };

describe('what the box shows is ours', () => {
  it.each<[string, TypingPlan, string, number]>([
    ['nothing at all', claude('say hello'), '', 0],
    ['one letter', claude('say hello'), 's', 1],
    ['the first piece', claude(long), lines[0] ?? '', 36],
    ['some whole pastes', claude(long), lines.slice(0, 27).join('\n'), 27 * 36 + 17],
    ['a row that is drawn in part', claude(long), `${lines[0]}\nline 1 of a lo`, 50],
    ['the whole text', claude('say hello'), 'say hello', 9],
    ['a text that the box wraps at blanks and within words', claude('say helloooo to it'), 'say\nhello\nooo to', 16],
    ['empty lines between', claude('one\n\n\ntwo three'), 'one\n\n\ntwo', 10],
    ['blanks at the end, which nobody sees', claude('one   two'), 'one', 6],
    ['a command', planned(planClaude, '/compact now', true), '/comp', 5],
    ['a shell line that is typed as text, before its first sign is bared', claude('!echo no'), 'x!', 2],
    ['a shell line that is typed as text', claude('!echo no'), '!ec', 3],
    ['a text behind a blank that disarms it', codex('/etc/hosts is'), '/etc/h', 7],
    ['the first piece before a long paste', codex(long), lines[0] ?? '', 35],
    ['words in place of a long paste', codex(long), codex(long).whole.shows, 36],
    ['letters in two parts', claude('café au lait'), 'cafe\u0301 au', 8],
    ['a picture that the screen leaves out', claude('so 🚀 now or never'), 'so  now', 9],
    ['a picture that it shows', claude('so 🚀 now or never'), 'so 🚀 no', 7],
  ])('%s', (_, plan, draft, keys) => {
    expect(keysForBeginning(draft, plan)).toBe(keys);
  });
});

describe('what the box shows is a person’s', () => {
  it.each<[string, TypingPlan, string]>([
    ['other words', claude('say hello'), 'half a thought'],
    ['a letter behind ours', claude('say hello'), 'sayx'],
    ['a letter behind the whole text', claude('say hello'), 'say hello!'],
    ['a letter before ours', claude('say hello'), 'xsay hello'],
    ['a letter within ours', claude(long), `${lines[0]}\nline 1 oof`],
    ['another letter in place of ours', claude('say hello'), 'say hallo'],
    ['other case', claude('say hello'), 'Say'],
    ['a blank within a word of ours', claude('say hello'), 'say he llo'],
    ['no blank between words of ours', claude('say hello'), 'sayhello'],
    ['a picture behind ours', claude('say hello'), 'say 🚀'],
    ['another picture in place of ours', claude('so 🚀 now'), 'so 🎈 now'],
    ['the end of ours', claude('say hello'), 'hello'],
    ['a part from the middle', claude(long), lines.slice(3, 9).join('\n')],
    ['a long paste of another length', codex(long), `${lines[0]}[Pasted Content 1435 chars]`],
    ['words behind a long paste', codex(long), `${codex(long).whole.shows} and`],
    ['words in place of a paste that we never make', claude(long), `${lines[0]}\n[Pasted text #1 +39 lines]`],
    ['a box that cannot be read', { ...claude('say'), whole: { ...claude('say').whole, isReadable: false } }, 'say'],
  ])('%s', (_, plan, draft) => {
    expect(keysForBeginning(draft, plan)).toBeUndefined();
  });
});

const letter = fc.constantFrom(...'abcdefgäß漢:./-"$');
const word = fc.string({ unit: letter, minLength: 1, maxLength: 12 });
const text = fc
  .array(fc.tuple(word, fc.constantFrom(' ', ' ', '\n', '\n\n')), { minLength: 1, maxLength: 40 })
  .map((parts) => parts.flat().join('').trim())
  .filter((one) => !one.startsWith('/'));
const width = fc.integer({ min: 8, max: 60 });
/** As a box draws it: at this width, at words where it can. */
const drawn = (shown: string, columns: number) =>
  shown
    .split('\n')
    .flatMap((line) => line.match(new RegExp(`.{1,${columns}}(?: +|$)|.{1,${columns}}`, 'gu')) ?? [''])
    .map((row) => row.trimEnd())
    .join('\n')
    .trim();

describe.each([
  ['Claude Code', claude],
  ['Codex', codex],
])('each beginning of a text for %s', (_, plan) => {
  it('is ours at any width, with as many keys as it has letters, or the blanks behind it', () => {
    fc.assert(
      fc.property(text, fc.nat(), width, (whole, cut, columns) => {
        const typed = plan(whole);
        const beginning = whole.slice(0, cut % (whole.length + 1));
        const keys = keysForBeginning(drawn(beginning, columns), typed);
        const least = [...beginning.trim()].length;
        return keys !== undefined && keys >= least && keys <= [...typed.whole.shows].length;
      }),
    );
  });

  it('is a person’s with one character more than the text has there', () => {
    fc.assert(
      fc.property(text, fc.nat(), width, letter, (whole, cut, columns, more) => {
        const beginning = whole.slice(0, cut % (whole.length + 1)).trimEnd();
        fc.pre(beginning !== '' && whole.slice(beginning.length).trimStart()[0] !== more);
        return keysForBeginning(drawn(`${beginning}${more}`, columns), plan(whole)) === undefined;
      }),
    );
  });

  it('is a person’s with another character anywhere in it', () => {
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(), width, (whole, cut, at, columns) => {
        const beginning = whole.slice(0, cut % (whole.length + 1)).trim();
        fc.pre(beginning !== '');
        const where = at % beginning.length;
        const other = `${beginning.slice(0, where)}§${beginning.slice(where + 1)}`;
        return keysForBeginning(drawn(other, columns), plan(whole)) === undefined;
      }),
    );
  });
});

describe('after the probe', () => {
  const typed = claude('say hello to all');
  const dialog = { waitingFor: 'permission', title: 'Proceed?', text: '', options: [] } as const;
  it.each<[string, ScreenReading, BoxWait, Partial<TypingStep>]>([
    ['it is not drawn yet', { draft: 'say hel' }, again, { do: 'wait' }],
    ['it is never drawn', { draft: 'say hel' }, late, { do: 'give-up', reason: 'undrawn' }],
    ['it was just drawn', { draft: 'say hel~' }, soon, { do: 'wait' }],
    ['it stands behind ours', { draft: 'say hel~' }, again, { do: 'go-on' }],
    ['it stands behind more of ours than before', { draft: 'say hello to a~' }, again, { do: 'go-on' }],
    ['it stands alone: ours was sent meanwhile', { draft: '~' }, again, { do: 'go-on' }],
    ['a key that was not drawn stands before it', { draft: 'say helz~' }, again, { do: 'take-back' }],
    ['it stands within ours: somebody has moved the cursor', { draft: 'say ~hel' }, again, { do: 'take-back' }],
    ['a dialog opens', { dialog }, again, { do: 'wait' }],
    ['a dialog stays', { dialog }, late, { do: 'give-up', reason: 'dialog' }],
    ['the box is gone', {}, late, { do: 'give-up', reason: 'no-box' }],
  ])('%s', (_, reading, waited, step) => {
    expect(stepAtProbe(reading, { typed, probe: '~' }, waited)).toMatchObject(step);
  });

  it('is a sign that the text does not have', () => {
    expect(probeFor(claude('say hello'))).toBe('~');
    expect(probeFor(claude('about ~ 5 ^ 2'))).toBe('=');
    expect(probeFor(claude('~^=;+%ZQXJKVWY'))).toBeUndefined();
  });

  it.each<[string, ScreenReading, BoxWait, Partial<TypingStep>]>([
    ['the box is empty for a moment', { draft: '' }, soon, { do: 'wait' }],
    ['the box stays empty', { draft: '' }, again, { do: 'go-on' }],
    ['ours becomes less', { draft: 'say' }, again, { do: 'wait' }],
    ['some of ours stays', { draft: 'say' }, late, { do: 'give-up', seen: '' }],
    ['other text stays', { draft: 'mine' }, late, { do: 'give-up', seen: 'mine' }],
  ])('the keys that empty the box: %s', (_, reading, waited, step) => {
    expect(stepAtEmptied(reading, typed, waited)).toMatchObject(step);
  });
});
