import { expect, test } from 'vitest';
import { canKeepClient, isSupported, readVersion } from '../../../src/backends/tmux/version.ts';

test.each([
  ['tmux 3.3a\n', { is: 'release', major: 3, minor: 3 }],
  ['tmux 2.9\n', { is: 'release', major: 2, minor: 9 }],
  ['tmux 3.10-rc\n', { is: 'release', major: 3, minor: 10 }],
  ['tmux next-3.6\n', { is: 'release', major: 3, minor: 6 }],
  ['tmux openbsd-7.4\n', { is: 'unnumbered', text: 'openbsd-7.4' }],
  ['tmux master\n', { is: 'unnumbered', text: 'master' }],
  ['screen 4.9\n', undefined],
  ['', undefined],
])('%j is read as %j', (text, version) => {
  expect(readVersion(text)).toEqual(version);
});

test.each([
  ['tmux 2.9a', false, false],
  ['tmux 3.0a', true, false],
  ['tmux 3.1c', true, false],
  ['tmux 3.2', true, true],
  ['tmux 3.10', true, true],
  ['tmux 4.0', true, true],
  ['tmux openbsd-7.4', true, true],
])('%s is supported: %s, keeps a client: %s', (text, supported, kept) => {
  const version = readVersion(text);
  expect(version && isSupported(version)).toBe(supported);
  expect(version && canKeepClient(version)).toBe(kept);
});
