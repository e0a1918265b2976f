import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { patternsOf } from '../../../src/agents/generic/configuration.ts';
import { readScreen } from '../../../src/agents/generic/screen.ts';
import { agentSchema } from '../../../src/settings/agents.ts';
import { anyCodePoint } from '../../support/code-points.ts';

const screens = resolve(import.meta.dirname, '../../fixtures/agents/generic/screens');
const patterns = (config: Readonly<Record<string, unknown>>) =>
  patternsOf(agentSchema.parse({ command: 'x', ...config }));
const golden = (name: string, config: Readonly<Record<string, unknown>>) => {
  const { frame: _, ...reading } = readScreen(readFileSync(join(screens, `${name}.txt`), 'utf8'), patterns(config));
  return reading;
};
const python = { prompt: '^>>> ' };
const line = { prompt: '^you> ', busy: 'ctrl-c stops it', busy_rows: 1, dialog: { permission: '\\[y/n\\]' } };
const node = { prompt: '^> ', rows_below: 1 };

describe('a recorded screen', () => {
  it.each([
    ['python-idle', python, { draft: '', ready: true }],
    ['python-sleeps', python, { draft: 'import time; time.sleep(30)', ready: true }],
    ['python-stopped', python, { draft: '', ready: true }],
    ['python-continues', python, {}],
    ['line-idle', line, { draft: '', ready: true }],
    ['line-works', line, { busy: '* working, ctrl-c stops it' }],
    ['line-stopped', line, { draft: '', ready: true }],
    ['node-idle', node, { draft: '', ready: true }],
    ['node-draft', node, { draft: 'while(Date.now()<Date.now()+1){}', ready: true }],
    ['node-suggests', node, { draft: 'Array', ready: true }],
  ])('%s is read as it was', (name, config, expected) => {
    expect(golden(name, config)).toEqual(expected);
  });

  it('of a program that asks is a dialog with its words, and no prompt', () => {
    expect(golden('line-asks', line)).toEqual({
      dialog: {
        waitingFor: 'permission',
        title: 'Run this command? [y/n]',
        text: 'Run this command? [y/n]',
        options: [],
      },
    });
  });
});

const box = ['╭────────╮', '│ > \u001b[90mType here\u001b[39m │', '╰────────╯', '  model-x'].join('\n');
const boxed = { prompt: '^│ > ', placeholder: '^Type here *│$', rows_below: 2, busy: 'esc to cancel' };

describe('a prompt', () => {
  it('is none once something stands under it that does not belong there', () => {
    expect(readScreen('>>> \nhalf an answer\n', patterns(python))).not.toHaveProperty('draft');
    expect(readScreen(box, patterns({ ...boxed, rows_below: 1 }))).not.toHaveProperty('draft');
  });

  it('with nothing but a placeholder in it is empty, and is full with anything else', () => {
    expect(readScreen(box, patterns(boxed))).toMatchObject({ draft: '' });
    expect(readScreen(box.replace('Type here', 'Typed'), patterns(boxed))).toMatchObject({ draft: 'Typed │' });
  });

  it('is none while a row says that a turn runs', () => {
    const busy = readScreen(`* Thinking (esc to cancel)\n${box}`, patterns(boxed));
    expect(busy).toMatchObject({ busy: '* Thinking (esc to cancel)' });
    expect(busy).not.toHaveProperty('draft');
  });

  it('is not ready before what the configuration waits for is in sight', () => {
    const waits = patterns({ ...python, ready: '^Loaded' });
    expect(readScreen('>>> ', waits)).toMatchObject({ draft: '', ready: false });
    expect(readScreen('Loaded\n>>> ', waits)).toMatchObject({ draft: '', ready: true });
  });
});

describe('a dialog', () => {
  it('that was answered is none: a prompt stands under it', () => {
    expect(readScreen('Run it? [y/n] y\nran\nyou> ', patterns(line))).toMatchObject({ draft: '' });
  });

  it('is read with its numbered choices', () => {
    const asks = readScreen('Sure? [y/n]\n ❯ 1. Yes\n   2) No, never\n', patterns(line));
    expect(asks.dialog).toMatchObject({ options: ['Yes', 'No, never'], selected: 0 });
  });

  it.each([
    ['no pointer', ' 1. Yes\n 2. No', undefined],
    ['one at the second', ' 1. Yes\n→2. No', 1],
    ['one at each', '❯ 1. Yes\n❯ 2. No', undefined],
    ['a dash', '- 1. Yes\n  2. No', undefined],
  ])('with %s is at %s', (_, rows, selected) => {
    expect(readScreen(`Sure? [y/n]\n${rows}\n`, patterns(line)).dialog?.selected).toBe(selected);
  });
});

describe('what must stand still', () => {
  it('is everything, colours too, but what is typed into the prompt and what is to be ignored', () => {
    const read = (screen: string) => readScreen(screen, patterns({ ...python, ignore: '^\\d\\d:\\d\\d' })).frame;
    expect(read('a\n>>> typed\n')).toBe(read('a\n>>> ty\n'));
    expect(read('12:00\na\n>>> ')).toBe(read('12:01\na\n>>> '));
    expect(read('a\n>>> ')).not.toBe(read('b\n>>> '));
    expect(read('a\n>>> ')).not.toBe(read('\u001b[2ma\u001b[0m\n>>> '));
  });
});

it('no screen at all makes a prompt empty unless its last rows hold one', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCodePoint }), (noise) => {
      const { draft } = readScreen(`${noise}\nx`, patterns(python));
      expect(draft).toBeUndefined();
    }),
  );
});
