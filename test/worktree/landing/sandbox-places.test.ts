import { userInfo } from 'node:os';
import { expect, it } from 'vitest';
import { ownCaches } from '../../../src/worktree/landing/own-caches.ts';
import { reachingVariables, secretPlaces } from '../../../src/worktree/landing/sandbox-places.ts';

const plain = { HOME: '/home/u' };

it('every cache lies in the folder, whatever the environment says of it', () => {
  const env = ownCaches('/t', { ...plain, npm_config_cache: '/home/u/.npm', CARGO_HOME: '/c/cargo' });
  expect(Object.values(env).filter((value) => !value.includes('/t/caches/'))).toEqual([]);
  expect(Object.keys(env)).toEqual(
    expect.arrayContaining([
      ...['npm_config_cache', 'PNPM_HOME', 'YARN_GLOBAL_FOLDER', 'PIP_CACHE_DIR', 'UV_CACHE_DIR', 'CARGO_HOME'],
      ...['GOMODCACHE', 'GOCACHE', 'GRADLE_USER_HOME', 'MAVEN_OPTS'],
    ]),
  );
});

it('a cache that the user has opened by sandbox.allow_write stays where its variable says', () => {
  const env = ownCaches('/t', { ...plain, PIP_CACHE_DIR: '/c/pip/x', UV_CACHE_DIR: '/c/pipes' }, ['/c/pip']);
  expect(env).not.toHaveProperty('PIP_CACHE_DIR');
  expect(env.UV_CACHE_DIR).toBe('/t/caches/uv');
});

it.each([
  ['-Xmx1g', '-Xmx1g -Dmaven.repo.local=/t/caches/m2/repository'],
  ['-Dmaven.repo.local=/c', undefined],
])('Maven keeps the options %j', (said, becomes) => {
  expect(ownCaches('/t', { MAVEN_OPTS: said }).MAVEN_OPTS).toBe(becomes);
});

it.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
  ['credentials', {}, ['.ssh', '.aws', '.gnupg', '.config/gh', '.azure', '.docker'].map((name) => `/home/u/${name}`)],
  ['configuration elsewhere', { XDG_CONFIG_HOME: '/c' }, ['/c/gh', '/home/u/.config/gh']],
  ['the keys of gpg', { GNUPGHOME: '/s/gpg' }, ['/s/gpg']],
  ['an ssh agent', { SSH_AUTH_SOCK: '/s/agent' }, ['/s/agent']],
  ['a gpg agent', { GPG_AGENT_INFO: '/s/S.gpg-agent:12:1' }, ['/s/S.gpg-agent']],
  ['the session bus', { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/s/bus,guid=0f' }, ['/s/bus', '/run/user']],
  ['docker and podman', { DOCKER_HOST: 'unix:///s/docker' }, ['/s/docker', '/run/docker.sock', '/run/podman']],
  ['containerd', { CONTAINERD_ADDRESS: '/s/containerd' }, ['/s/containerd', '/run/containerd']],
  ['the display', { XAUTHORITY: '/s/x' }, ['/tmp/.X11-unix', '/s/x', '/home/u/.Xauthority']],
  [
    'tmux, wherever it lies',
    { TMUX: '/s/tmux-0/default,1,0', TMUX_TMPDIR: '/t' },
    ['/s/tmux-0', `/t/tmux-${userInfo().uid}`, `/tmp/tmux-${userInfo().uid}`],
  ],
])('the one list hides %s from workers and landings', (_, env, found) => {
  for (const agents of ['whole', 'keys'] as const)
    expect(secretPlaces({ ...plain, ...env }, agents)).toEqual(expect.arrayContaining([...found]));
});

it('no odd value of a variable hides a folder that everybody needs', () => {
  const env = { ...plain, DOCKER_HOST: 'tcp://x:1', SSH_AUTH_SOCK: '', TMUX_TMPDIR: '/t', XDG_RUNTIME_DIR: '/tmp' };
  const odd = ['', '/', '/t', '.', '/home/u', '/tmp'];
  expect(secretPlaces(env, 'whole').filter((path) => odd.includes(path))).toEqual([]);
  expect(reachingVariables).toContain('TMUX_TMPDIR');
});

it('an agent in its sandbox keeps its folder and misses its keys; a landing sees nothing of it', () => {
  const [keys, whole] = [secretPlaces(plain, 'keys'), secretPlaces(plain, 'whole')];
  expect(keys).toEqual(expect.arrayContaining(['/home/u/.claude/.credentials.json', '/home/u/.codex/auth.json']));
  expect(keys).not.toContain('/home/u/.claude');
  expect(whole).toEqual(expect.arrayContaining(['/home/u/.claude', '/home/u/.codex']));
});
