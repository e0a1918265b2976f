import { expect, it } from 'vitest';
import { type SandboxView, sandboxLine, walls } from '../../../src/worktree/landing/sandbox-line.ts';

const view: SandboxView = {
  program: '/usr/bin/bwrap',
  cwd: '/home/u/.state/crewmux/landings/scratch',
  temp: '/home/u/.state/crewmux/landings/temp',
  writable: ['/home/u/.npm'],
  hidden: ['/home/u/.state/crewmux', '/home/u/.ssh'],
  masked: ['/run/docker.sock'],
  kept: ['/home/u', '/home/u/project'],
  fixed: [],
  network: true,
  set: { GOCACHE: '/tmp/caches/go-build' },
  unset: ['GH_TOKEN'],
};

/** The mounts in their order, each as one word. */
function mounts(more: Partial<SandboxView>): readonly string[] {
  const line = sandboxLine({ ...view, ...more });
  const words = line.slice(1 + walls.length, line.indexOf('--setenv'));
  return words.join(' ').split(/ (?=--)/);
}

const temp = `--bind ${view.temp} /tmp`;
const cache = '--bind /home/u/.npm /home/u/.npm';
const keys = '--tmpfs /home/u/.ssh';
const docker = '--ro-bind /dev/null /run/docker.sock';
const state = '--tmpfs /home/u/.state/crewmux';
const work = `--bind ${view.cwd} ${view.cwd}`;
const keptIn = (path: string) => `--ro-bind ${path} ${path}`;

it.each<[string, Partial<SandboxView>, readonly string[]]>([
  ['only the worktree, /tmp and caches are written', {}, [temp, docker, cache, keys, state, work]],
  [
    'a secret inside of a cache is hidden after the cache',
    { hidden: ['/home/u/.npm/keys'], masked: [] },
    [temp, cache, '--tmpfs /home/u/.npm/keys', work],
  ],
  [
    'what is fixed in a writable folder is read-only',
    { writable: ['/p/.git'], fixed: ['/p/.git/hooks'], hidden: [], masked: [] },
    [temp, '--bind /p/.git /p/.git', '--ro-bind /p/.git/hooks /p/.git/hooks', work],
  ],
  ['a cache that is a secret too is hidden', { writable: ['/home/u/.ssh'] }, [temp, docker, keys, state, work]],
  [
    'a project in a hidden folder is shown again',
    { kept: ['/home/u/.ssh/mine'] },
    [temp, docker, cache, keys, keptIn('/home/u/.ssh/mine'), state, work],
  ],
  [
    'a home in /tmp is shown again, its secrets are not',
    { kept: ['/tmp/home'], hidden: ['/tmp/home/.ssh'] },
    [temp, docker, keptIn('/tmp/home'), cache, '--tmpfs /tmp/home/.ssh', work],
  ],
  ['sockets in /tmp are gone already', { masked: ['/tmp/agent'], hidden: ['/tmp/tmux-0'] }, [temp, cache, work]],
])('%s', (_, more, told) => {
  expect(mounts(more)).toEqual(told);
});

it('no capability, no way to an agent, no token and no terminal comes along; the network does', () => {
  const line = sandboxLine(view);
  expect(line.slice(0, 4)).toEqual([view.program, '--ro-bind', '/', '/']);
  expect(line.join(' ')).toContain('--unshare-pid --unshare-ipc --cap-drop ALL --new-session --die-with-parent');
  expect(line).not.toContain('--unshare-net');
  expect(line.join(' ')).toContain('--setenv TMPDIR /tmp --setenv GOCACHE /tmp/caches/go-build');
  for (const name of ['SSH_AUTH_SOCK', 'XDG_RUNTIME_DIR', 'WSL_INTEROP', 'DOCKER_HOST', 'DISPLAY', 'TMUX', 'GH_TOKEN'])
    expect(line.join(' ')).toContain(`--unsetenv ${name}`);
  expect(line.slice(-3)).toEqual(['--chdir', view.cwd, '--']);
});

it('without the network only loopback is left', () => {
  expect(sandboxLine({ ...view, network: false })).toContain('--unshare-net');
});
