import { describe, expect, test } from 'vitest';
import { judgeMove, type Moved, type Pressed } from '../../../src/crew/screen/dialog-cursor.ts';
import type { Dialog } from '../../../src/model/turn.ts';

describe('after a key the cursor', () => {
  const options = ['a', 'b', 'c', 'd'];
  const dialog: Dialog = { waitingFor: 'dialog', title: 'Title', text: options.join('\n'), options, selected: 1 };
  test.each<[pressed: Pressed, seen: number | undefined, is: Moved['is']]>([
    [{ from: 1, key: 'Down', times: 1 }, 2, 'at'],
    [{ from: 1, key: 'Up', times: 1 }, 0, 'at'],
    [{ from: 1, key: 'Down', times: 1 }, 1, 'still'],
    [{ from: 1, key: 'Down', times: 1 }, 3, 'elsewhere'],
    [{ from: 1, key: 'Down', times: 2 }, 3, 'at'],
    [{ from: 1, key: 'Down', times: 1 }, 0, 'elsewhere'],
    [{ from: 1, key: 'Up', times: 3 }, 2, 'elsewhere'],
    [{ from: 1, key: 'Down', times: 0 }, 2, 'elsewhere'],
    [{ from: 1, key: 'Down', times: 1 }, undefined, 'unreadable'],
  ])('%j seen at %s is %s', (pressed, selected, is) => {
    const { selected: _, ...unread } = dialog;
    const seen = selected === undefined ? unread : { ...dialog, selected };
    expect(judgeMove(dialog, pressed, { dialog: seen }).is).toBe(is);
  });

  test('is of no account where the dialog went away or another one came', () => {
    const pressed: Pressed = { from: 1, key: 'Down', times: 1 };
    expect(judgeMove(dialog, pressed, {}).is).toBe('no-dialog');
    expect(judgeMove(dialog, pressed, { dialog: { ...dialog, title: 'Other' } }).is).toBe('other-dialog');
  });
});
