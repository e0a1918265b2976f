// What each shell completes, typed into a real one with the built program on its path.
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/sandbox.ts';
import { bundle, openStand, type Stand } from './crew.ts';

/** Declares the tests of one shell, which `command` starts. */
export function completesIn(shell: 'bash' | 'zsh', command: string): void {
  let stand: Stand;
  const inTheirs = (...args: string[]) => stand.sandbox.tmux(...args);
  beforeAll(async () => {
    stand = openStand();
    const server = await stand.serve();
    await server.one({ name: 'Bruno' });
    const plan = { name: 'shop', mode: 'copilot', jobs: [{ name: 'cart', prompt: 'SAY done' }] };
    await server.connection.call('create_plan', plan);
    stand.sandbox.git(stand.repo, 'branch', 'mend/cart');
    const program = join(stand.sandbox.dir('bin'), 'crewmux');
    writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${bundle}' "$@"\n`);
    chmodSync(program, 0o755);
  });
  afterAll(() => stand.dispose());

  const target = `=${shell}:`;
  const screen = () => inTheirs('capture-pane', '-p', '-t', target);
  beforeAll(async () => {
    // tmux takes the path of whoever calls it, whatever -e says.
    const { PATH, CREWMUX_HOME } = stand.sandbox.env;
    const env = `PATH='${stand.sandbox.dir('bin')}:${PATH}' CREWMUX_HOME='${CREWMUX_HOME}' PS1='here> '`;
    const size = ['-x', '100', '-y', '24', '-c', stand.repo];
    inTheirs('new-session', '-d', '-s', shell, ...size, `exec env ${env} ${command}`);
    inTheirs('send-keys', '-t', target, `source <(crewmux completion ${shell}); echo ready $?`, 'Enter');
    await eventually(`${shell} has the script`, () => /^ready 0$/m.test(screen()));
    expect(screen()).not.toContain('not found');
  });
  afterAll(() => void inTheirs('kill-session', '-t', target));

  it.each([
    ['attach B', 'attach Bruno'],
    ['merge Bruno --into me', 'merge Bruno --into mend/cart'],
    ['plan cancel s', 'plan cancel shop'],
    ['config get defaults.mod', 'config get defaults.model'],
  ])('completes %j to %j', async (typed, whole) => {
    inTheirs('send-keys', '-t', target, 'C-u');
    inTheirs('send-keys', '-t', target, '-l', `crewmux ${typed}`);
    inTheirs('send-keys', '-t', target, 'Tab');
    await eventually('it is completed', () => screen().trimEnd().endsWith(`crewmux ${whole}`));
  });
}
