import { expect, it } from 'vitest';
import { nextFor } from '../../src/hook/ruled.ts';
import type { Ruling } from '../../src/model/permission.ts';

const by = { scope: 'default', list: 'confirm', rule: 'Bash' } as const;
const allow: Ruling = { decision: 'allow', by, reason: 'r' };
const deny: Ruling = { decision: 'deny', by, reason: 'r' };
const confirm: Ruling = { decision: 'confirm', by, reason: 'r' };
const unfit: Ruling = { decision: 'confirm', reason: 'no rule' };
const person: Ruling = { decision: 'confirm', catastrophic: 'rm', reason: 'r' };

const claude = { asksWhenTold: true };
const codex = { asksWhenTold: false };
const asking = { when: 'asking', isBypass: false, hidesDialog: false } as const;
const hidden = { ...asking, hidesDialog: true };
const before = { when: 'before', isBypass: false, hidesDialog: true } as const;
const bypass = { when: 'before', isBypass: true, hidesDialog: true } as const;

it.each([
  ['a rule allows what is asked', asking, allow, claude, { is: 'said', answer: { decision: 'allow' } }],
  ['a rule denies what is asked', asking, deny, codex, { is: 'said', answer: { decision: 'deny' } }],
  ['what a rule confirms is put to somebody, with the rule', asking, confirm, codex, { is: 'put', rule: 'r' }],
  ['what no rule names is put to somebody', asking, unfit, claude, { is: 'put' }],
  ['without rules everything asked is put to somebody', asking, undefined, codex, { is: 'put' }],
  ['only a person allows the worst', asking, person, claude, { is: 'put', rule: 'r', personOnly: true }],
  ['and sees it where the hook would hide it', hidden, person, codex, { is: 'shown', rule: 'r', personOnly: true }],
  ['an allowed tool goes the agent’s own way', before, allow, claude, { is: 'left' }],
  ['so does one no rule names', before, unfit, codex, { is: 'left' }],
  ['so does everything where no rules can be read', before, undefined, claude, { is: 'left' }],
  ['a denied tool is refused beforehand', bypass, deny, codex, { is: 'said', answer: { decision: 'deny' } }],
  ['an agent that can is made to ask', before, confirm, claude, { is: 'said', answer: { decision: 'let-go' } }],
  ['one that cannot waits', before, confirm, codex, { is: 'put', rule: 'r' }],
  ['an agent that asks nobody is made to', bypass, unfit, claude, { is: 'said', answer: { decision: 'let-go' } }],
  ['also where no rules can be read', bypass, undefined, codex, { is: 'put' }],
  [
    'the worst is refused where no person could see it',
    bypass,
    person,
    codex,
    { is: 'said', answer: { decision: 'deny' } },
  ],
] as const)('%s', (_, question, ruling, hook, next) => {
  expect(nextFor(question, ruling, hook)).toMatchObject(next);
});
