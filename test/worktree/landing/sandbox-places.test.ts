import { expect, it } from 'vitest';
import { cacheFolders, secretPlaces } from '../../../src/worktree/landing/sandbox-places.ts';

const plain = { HOME: '/home/u' };

it.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
  ['as they are without any variable', {}, ['/home/u/.npm', '/home/u/.cache/pip', '/home/u/.cargo/registry']],
  ['of npm', { npm_config_cache: '/c/npm' }, ['/c/npm']],
  ['of cargo', { CARGO_HOME: '/c/cargo' }, ['/c/cargo/registry', '/c/cargo/git']],
  ['of go', { GOMODCACHE: '/c/mod', GOCACHE: '/c/build' }, ['/c/mod', '/c/build']],
  ['of go in its own path', { GOPATH: '/c/go:/d/go' }, ['/c/go/pkg/mod']],
  ['of pip', { PIP_CACHE_DIR: '/c/pip' }, ['/c/pip']],
  ['of all that keep to XDG', { XDG_CACHE_HOME: '/c' }, ['/c/pip', '/c/yarn', '/c/go-build']],
])('caches %s are found', (_, env, found) => {
  expect(cacheFolders({ ...plain, ...env })).toEqual(expect.arrayContaining([...found]));
});

it('no cache is a folder of programs or settings, the home folder, or what lies around it', () => {
  const env = { ...plain, npm_config_cache: '/home/u', YARN_CACHE_FOLDER: '/home', GOCACHE: 'off', PIP_CACHE_DIR: '/' };
  const found = cacheFolders(env);
  const odd = ['/home/u', '/home', 'off', '/', '/home/u/.cargo', '/home/u/.local/share/pnpm', '/home/u/.m2'];
  expect(found.filter((path) => odd.includes(path))).toEqual([]);
});

it('secrets are hidden where they lie and where a variable says they do', () => {
  const env = {
    ...plain,
    SSH_AUTH_SOCK: '/s/agent',
    GNUPGHOME: '/s/gpg',
    TMUX: '/s/tmux-0/default,1,0',
    CODEX_HOME: '',
  };
  const found = secretPlaces(env);
  const names = ['.ssh', '.aws', '.gnupg', '.config/gh', '.config/gcloud', '.azure', '.kube', '.docker', '.claude'];
  const homes = names.map((name) => `/home/u/${name}`);
  expect(found).toEqual(expect.arrayContaining([...homes, '/s/agent', '/s/gpg', '/s/tmux-0', '/run/user']));
  expect(found).not.toContain('');
});
