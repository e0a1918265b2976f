import { expect, test } from 'vitest';
import { attachLine } from '../../../src/backends/tmux/address.ts';

test.each([
  ['crewmux', {}, "tmux -L crewmux attach -t '=crew'"],
  ['crewmux', { TMUX_TMPDIR: '/a b' }, "TMUX_TMPDIR='/a b' tmux -L crewmux attach -t '=crew'"],
  ['crewmux', { TMUX: '/tmp/x,1,0' }, "TMUX= tmux -L crewmux attach -t '=crew'"],
  ["/a'b/sock", { TMUX_TMPDIR: '/t' }, "tmux -S '/a'\\''b/sock' attach -t '=crew'"],
])('socket %s with %j is attached by %s', (socket, env, line) => {
  expect(attachLine({ socket, env }, 'crew')).toBe(line);
});
