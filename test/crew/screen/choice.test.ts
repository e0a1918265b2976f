import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findChoice, isSameDialog } from '../../../src/crew/screen/choice.ts';
import type { Dialog } from '../../../src/model/turn.ts';

const permission = ['Yes', 'Yes, and always allow access to /x from this project', 'No'];

describe('a choice', () => {
  test.each<[wanted: string, options: readonly string[], found: number | 'none' | 'several']>([
    ['Yes', permission, 0],
    ['yes', permission, 0],
    ['  No ', permission, 2],
    ['Yes, and always', permission, 1],
    ['yes, AND', permission, 1],
    ['Ye', permission, 'several'],
    ['Maybe', permission, 'none'],
    ['', permission, 'none'],
    [' ', ['', ' '], 'none'],
    ['1', permission, 'none'],
    ['Allow', ['Allow', 'Allow for this session', 'Always allow'], 0],
    ['Red', ['Red', 'Red'], 'several'],
    ['red', ['RED', 'Red'], 'several'],
    ['Red', ['RED', 'Red'], 1],
  ])('%j among %j is %s', (wanted, options, found) => {
    expect(findChoice(options, wanted).found).toBe(found);
  });

  test('that names one whole label is that one, whatever else begins so', () => {
    const labels = fc.uniqueArray(fc.string({ minLength: 1 }), {
      minLength: 1,
      selector: (label) => label.normalize('NFC').replace(/\s+/gu, ' ').trim(),
    });
    fc.assert(
      fc.property(labels, fc.nat(), (options, n) => {
        const i = n % options.length;
        const wanted = options[i] ?? '';
        expect(findChoice(options, wanted).found).toBe(wanted.trim() === '' ? 'none' : i);
      }),
    );
  });
});

const dialog: Dialog = {
  waitingFor: 'permission',
  title: 'Bash command',
  text: 'Bash command\nls\nDo you want to proceed?\n❯ 1. Yes\n  2. No\n\nEsc to cancel',
  options: ['Yes', 'No'],
  selected: 0,
};

describe('a dialog', () => {
  test.each<[what: string, other: Partial<Dialog>, same: boolean]>([
    ['whose cursor has moved', { selected: 1, text: dialog.text.replace('❯ 1', '  1').replace('  2', '❯ 2') }, true],
    ['whose keys are told otherwise', { text: dialog.text.replace('Esc to cancel', 'Tab to amend') }, true],
    ['about another command', { text: dialog.text.replace('ls', 'rm -rf /') }, false],
    ['with another choice', { options: ['Yes', 'No', 'Never'] }, false],
    ['with another title', { title: 'Create file' }, false],
    ['of another kind', { waitingFor: 'question' }, false],
  ])('%s is the same: %s', (_, other, same) => {
    expect(isSameDialog(dialog, { ...dialog, ...other })).toBe(same);
  });

  test('whose tick is set is the same', () => {
    const boxes = { ...dialog, text: '❯ 1. [ ] Red', options: ['Red'] };
    expect(isSameDialog(boxes, { ...boxes, text: '❯ 1. [✔] Red', ticked: [0] })).toBe(true);
  });
});
