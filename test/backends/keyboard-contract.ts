import { expect } from 'vitest';
import { eventually } from '../support/sandbox.ts';
import { type ContractCase, openRecorder, untilDead } from './terminal-bench.ts';

export const keyboard: readonly ContractCase[] = [
  {
    title: 'keystrokes arrive in order, byte by byte',
    keep: async (bench) => {
      const { pane, keys } = await openRecorder(bench);
      await bench.terminal.deliver(pane.ref, [
        { type: 'a;' },
        { pauseMs: 1 },
        { type: ';' },
        { type: '-x "q" $HOME #{pid} \\' },
        { press: 'Enter' },
        { paste: 'é\n"$(x)`\\;' },
        { press: 'C-c' },
        { press: ';' },
        { type: 'Enter' },
      ]);
      const expected = 'a;;-x "q" $HOME #{pid} \\\ré\n"$(x)`\\;\x03;Enter';
      await eventually('all of it', () => keys().length >= expected.length);
      expect(keys()).toBe(expected);
    },
  },
  {
    title: 'a paste is bracketed where the program asks for it',
    keep: async (bench) => {
      const { pane, keys } = await openRecorder(bench, { bracketed: true });
      await bench.terminal.deliver(pane.ref, [{ paste: 'one\ntwo' }, { press: 'Enter' }]);
      await eventually('the Enter', () => keys().endsWith('\r'));
      expect(keys()).toBe('\x1b[200~one\ntwo\x1b[201~\r');
    },
  },
  {
    title: 'a paste of 100 KB is exact and leaves no buffer behind',
    keep: async (bench) => {
      const { pane, keys } = await openRecorder(bench);
      const text = Array.from({ length: 2500 }, (_, at) => `${at} "quoted" $HOME #{pid} é😀\\;\t`).join('\n');
      expect(Buffer.byteLength(text)).toBeGreaterThan(90_000);
      await bench.terminal.deliver(pane.ref, [{ paste: text }, { press: 'C-d' }]);
      await eventually('all of it', () => keys().endsWith('\x04'));
      expect(keys() === `${text}\x04`).toBe(true);
      expect(bench.sandbox.tmux('list-buffers')).toBe('');
    },
  },
  {
    title: 'nothing is typed into a pane in which a person scrolls',
    keep: async (bench) => {
      const { pane, keys } = await openRecorder(bench);
      bench.sandbox.tmux('copy-mode', '-t', pane.ref.id);
      for (const keystroke of [{ type: 'x' }, { paste: 'x' }, { press: 'Enter' }])
        await expect(bench.terminal.deliver(pane.ref, [keystroke])).rejects.toMatchObject({
          code: 'held',
          delivery: 'not-sent',
        });
      bench.sandbox.tmux('send-keys', '-t', pane.ref.id, '-X', 'cancel');
      await bench.terminal.deliver(pane.ref, [{ type: 'y' }]);
      await eventually('the y', () => keys() !== '');
      expect(keys()).toBe('y');
      expect(bench.sandbox.tmux('list-buffers')).toBe('');
    },
  },
  {
    title: 'what is typed with the keyboard in hand is not mixed with what a person presses meanwhile',
    keep: async (bench) => {
      const { pane, keys } = await openRecorder(bench);
      const person = (key: string) => bench.sandbox.tmux('send-keys', '-t', pane.ref.id, '-l', key);
      await bench.terminal.withKeyboard(pane.ref, async (keyboard) => {
        person('a');
        await keyboard.deliver([{ paste: 'x' }, { type: 'x' }]);
        person('b');
        await keyboard.deliver([{ press: 'y', times: 2 }]);
        expect(keyboard.isAlone()).toBe(true);
      });
      person('z');
      await eventually('the z', () => keys().endsWith('z'));
      expect(keys()).toBe('xxyyz');
    },
  },
  {
    title: 'a keyboard stays in hand for longer than it takes to come back by itself, also right after another hold',
    keep: async (bench) => {
      const { pane, keys } = await openRecorder(bench);
      const state = () => bench.sandbox.tmux('display', '-p', '-t', pane.ref.id, '#{pane_input_off}');
      await bench.terminal.withKeyboard(pane.ref, async () => undefined);
      expect(state()).toBe('0');
      const until = performance.now() + 5_000;
      await bench.terminal.withKeyboard(pane.ref, async (keyboard) => {
        await eventually('it is out of hand, or the time is over', () => state() === '0' || performance.now() > until);
        expect(keyboard.isAlone()).toBe(true);
        await keyboard.deliver([{ press: 'y' }]);
      });
      expect(performance.now()).toBeGreaterThan(until);
      await eventually('the y', () => keys() === 'y');
    },
  },
  {
    title: 'work that fails gives the keyboard back',
    keep: async (bench) => {
      const { pane, keys } = await openRecorder(bench);
      const failed = bench.terminal.withKeyboard(pane.ref, () => Promise.reject(new Error('it moved')));
      await expect(failed).rejects.toThrow('it moved');
      bench.sandbox.tmux('send-keys', '-t', pane.ref.id, '-l', 'z');
      await eventually('the z', () => keys() !== '');
      expect(keys()).toBe('z');
    },
  },
  {
    title: 'a keyboard that was taken by who then ended comes back by itself, and leaves nothing on the screen',
    keep: async (bench) => {
      const { pane } = await openRecorder(bench);
      const state = () => bench.sandbox.tmux('display', '-p', '-t', pane.ref.id, '#{pane_input_off}#{pane_in_mode}');
      const other = await bench.another();
      const end = await new Promise<() => void>((checking) => {
        const check = () => new Promise<void>(checking);
        other.withKeyboard(pane.ref, check).catch(() => undefined);
      });
      expect(state()).toBe('10');
      await other.dispose();
      await eventually('the keyboard is back', () => state() === '00');
      end();
    },
  },
  {
    title: 'nothing is typed into a pane whose input a person has switched off, and it stays off',
    keep: async (bench) => {
      const { pane, keys } = await openRecorder(bench);
      bench.sandbox.tmux('select-pane', '-d', '-t', pane.ref.id);
      const refused = { code: 'held', delivery: 'not-sent', message: expect.stringContaining('switched off') };
      await expect(bench.terminal.deliver(pane.ref, [{ type: 'x' }])).rejects.toMatchObject(refused);
      const typing = bench.terminal.withKeyboard(pane.ref, (keyboard) => keyboard.deliver([{ press: 'x' }]));
      await expect(typing).rejects.toMatchObject(refused);
      const moved = () => Promise.reject(new Error('it moved'));
      await expect(bench.terminal.withKeyboard(pane.ref, moved)).rejects.toThrow('it moved');
      bench.sandbox.tmux('select-pane', '-e', '-t', pane.ref.id);
      await bench.terminal.deliver(pane.ref, [{ type: 'y' }]);
      await eventually('the y', () => keys() !== '');
      expect(keys()).toBe('y');
    },
  },
  {
    title: 'a failure after the first keystroke does not claim that nothing was sent',
    keep: async (bench) => {
      const { pane, keys } = await openRecorder(bench);
      bench.sandbox.tmux('set-hook', '-g', 'after-send-keys', `copy-mode -t '${pane.ref.id}'`);
      const sending = bench.terminal.deliver(pane.ref, [{ type: 'x' }, { pauseMs: 30 }, { type: 'z' }]);
      await expect(sending).rejects.toMatchObject({ code: 'held', delivery: 'unknown' });
      await eventually('the x', () => keys() === 'x');
    },
  },
  {
    title: 'a dead pane, a pane that is gone and a key that does not exist take nothing',
    keep: async ({ terminal, request }) => {
      const pane = await terminal.open(request({ argv: ['sh', '-c', 'exit 0'] }));
      await untilDead(terminal, pane);
      const typing = () => terminal.deliver(pane.ref, [{ paste: 'x' }]);
      await expect(typing()).rejects.toMatchObject({ code: 'worker_dead', delivery: 'not-sent' });
      await expect(terminal.deliver(pane.ref, [{ press: 'Entr' }])).rejects.toMatchObject({ delivery: 'not-sent' });
      await terminal.close(pane.ref);
      await expect(typing()).rejects.toMatchObject({ code: 'worker_dead', delivery: 'not-sent' });
    },
  },
];
