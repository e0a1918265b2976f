import { expect, it } from 'vitest';
import { attachWords } from '../../../src/backends/tmux/attach.ts';

const sight = { socket: 'crewmux', session: 'crew-shop', serverPid: 41, paneId: '%7', readOnly: false };
const { paneId: _, ...whole } = sight;

it.each([
  ['outside tmux', sight, undefined, 'select-window -t %7 ; select-pane -t %7 ; attach-session -t =crew-shop'],
  ['in another tmux', sight, '/tmp/x,40,0', 'select-window -t %7 ; select-pane -t %7 ; attach-session -t =crew-shop'],
  ['in the same tmux', sight, '/tmp/a,b,41,0', 'switch-client -t %7'],
  ['to look', { ...sight, readOnly: true }, '/tmp/x,41,3', 'switch-client -r -t %7'],
  ['the crew', { ...whole, readOnly: true }, undefined, 'attach-session -r -t =crew-shop'],
  ['the crew in the same tmux', whole, '/tmp/x,41,3', 'switch-client -t =crew-shop:'],
])('%s', (_title, given, tmux, line) => {
  expect(attachWords(given, tmux).join(' ')).toBe(`-u -L crewmux ${line}`);
});

const both = 'C-b C-b d leaves the crew; C-b d leaves your own tmux';

it.each([
  ['with the same prefix', { prefix: 'C-b', version: 'tmux 3.4' }, `-d 10000 ${both}`],
  ['in an old release', { prefix: 'C-b', version: 'tmux 3.1c' }, both],
  [
    'with another',
    { prefix: 'C-a', version: 'tmux 3.4' },
    '-d 10000 C-b d leaves the crew; C-a d leaves your own tmux',
  ],
])('a person in a tmux of their own %s is told how to leave', (_title, around, told) => {
  expect(attachWords(whole, '/tmp/x,40,0', { around }).join(' ')).toBe(
    `-u -L crewmux attach-session -t =crew-shop ; display-message ${told}`,
  );
});
