import { expect, it } from 'vitest';
import { nextFor } from '../../src/hook/next.ts';

const claude = { asksWhenTold: true };
const codex = { asksWhenTold: false };
const asking = { when: 'asking', kind: 'permission', hidesDialog: false, asksInVain: false } as const;
const hidden = { ...asking, hidesDialog: true } as const;
const before = { ...hidden, when: 'before' } as const;
const inVain = { ...before, asksInVain: true } as const;
const person = { personReason: 'r' };
const unasked = { unasked: { decision: 'allow' } } as const;

it.each([
  ['what is asked is put to somebody', asking, {}, claude, { is: 'parked' }],
  ['also where the hook hides the dialog', hidden, {}, codex, { is: 'parked' }],
  [
    'what was allowed before is allowed',
    asking,
    { remembered: 'allow' },
    claude,
    { is: 'decided', answer: { decision: 'allow' } },
  ],
  [
    'what was denied before is denied',
    hidden,
    { remembered: 'deny' },
    codex,
    { is: 'decided', answer: { decision: 'deny' } },
  ],
  ['only a person allows the worst', asking, person, claude, { is: 'parked', rule: 'r', personOnly: true }],
  [
    'whatever was allowed before',
    asking,
    { ...person, remembered: 'allow' },
    claude,
    { is: 'parked', personOnly: true },
  ],
  ['and sees it where the hook would hide it', hidden, person, codex, { is: 'shown', rule: 'r', personOnly: true }],
  [
    'where nobody is to be asked, the answer is at hand',
    asking,
    unasked,
    claude,
    { is: 'decided', answer: unasked.unasked },
  ],
  [
    'whatever was allowed before',
    asking,
    { unasked: { decision: 'deny' }, remembered: 'allow' },
    claude,
    { is: 'decided', answer: { decision: 'deny' } },
  ],
  ['but not to what was denied', asking, { ...unasked, remembered: 'deny' }, claude, { answer: { decision: 'deny' } }],
  ['nor to what only a person allows', asking, { ...unasked, ...person }, claude, { is: 'parked', personOnly: true }],
  ['nor to a question', { ...asking, kind: 'question' }, unasked, claude, { is: 'parked' }],
  ['nor to a plan', { ...asking, kind: 'plan_approval' }, unasked, claude, { is: 'parked' }],
  [
    'before a tool it is given where the sandbox keeps what is done',
    before,
    unasked,
    claude,
    { is: 'decided', answer: { decision: 'allow' } },
  ],
  ['before a tool nothing is decided', before, { remembered: 'deny' }, claude, { is: 'left' }],
  [
    'but that an agent which can is made to ask',
    before,
    person,
    claude,
    { is: 'decided', answer: { decision: 'let-go', message: 'r' } },
  ],
  [
    'and one that would go on unasked is refused',
    inVain,
    person,
    claude,
    { is: 'decided', answer: { decision: 'deny' } },
  ],
  ['and one that cannot is refused', before, person, codex, { is: 'decided', answer: { decision: 'deny' } }],
] as const)('%s', (_, question, known, hook, next) => {
  expect(nextFor(question, known, hook)).toMatchObject(next);
});
