// A `gh` of ours on the PATH that writes down how it was called, and a bare repository in the place of GitHub's.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from '../support/sandbox.ts';

export const url = 'https://github.com/acme/app/pull/7';

/** Files in its folder say what it answers: `token`, `list.json`, `create.error`. */
const script = (folder: string) => `#!/bin/sh
cd '${folder}' || exit 9
{ for word; do printf '%s\\037' "$word"; done; echo; } >>calls
echo "$GH_PROMPT_DISABLED $GIT_TERMINAL_PROMPT $GH_REPO $(tty) $GITHUB_TOKEN$DATABASE_PASSWORD" >surroundings
case "$1 $2" in
'auth token') if [ -e token ]; then cat token; else echo 'no oauth token found' >&2; exit 1; fi ;;
'pr list') if [ -e list.error ]; then cat list.error >&2; exit 1; fi; cat list.json ;;
'pr create')
  if [ -e create.error ]; then cat create.error >&2; exit 1; fi
  echo '[{"url":"${url}","headRepositoryOwner":{"login":"acme"}}]' >list.json
  while [ $# -gt 0 ]; do [ "$1" = --body-file ] && cp "$2" body; shift; done
  echo ${url} ;;
*) exit 8 ;;
esac
`;

export interface FakeGh {
  readonly path: string;
  put(file: 'token' | 'list.json' | 'list.error' | 'create.error', text: string): void;
  drop(file: 'token' | 'list.error' | 'create.error'): void;
  /** The words of each call since the last look. */
  calls(): readonly (readonly string[])[];
  read(file: 'body' | 'surroundings'): string;
}

export function fakeGh(sandbox: Sandbox): FakeGh {
  const [bin, folder] = [sandbox.dir('gh-bin'), sandbox.dir('gh-said')];
  writeFileSync(join(bin, 'gh'), script(folder));
  chmodSync(join(bin, 'gh'), 0o755);
  const at = (file: string) => join(folder, file);
  const gh: FakeGh = {
    path: `${bin}:${sandbox.env.PATH}`,
    put: (file, text) => writeFileSync(at(file), text),
    drop: (file) => rmSync(at(file), { force: true }),
    calls() {
      const text = existsSync(at('calls')) ? readFileSync(at('calls'), 'utf8') : '';
      rmSync(at('calls'), { force: true });
      return text.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\u001f').slice(0, -1)]));
    },
    read: (file) => readFileSync(at(file), 'utf8'),
  };
  gh.put('token', 'gho_x\n');
  gh.put('list.json', '[]');
  return gh;
}

/** Everything on the PATH but gh. */
export function pathWithoutGh(sandbox: Sandbox): string {
  const bin = sandbox.dir('no-gh-bin');
  for (const folder of (sandbox.env.PATH ?? '').split(':').filter((one) => existsSync(one))) {
    for (const name of readdirSync(folder)) {
      // A link on the PATH may lead nowhere.
      const isNew = existsSync(join(folder, name)) && !existsSync(join(bin, name));
      if (name !== 'gh' && isNew) symlinkSync(join(folder, name), join(bin, name));
    }
  }
  return bin;
}

/** A remote whose address is GitHub's, and whose commits go into a folder; returns that folder. */
export function addGithub(sandbox: Sandbox, repo: string, remote = 'origin'): string {
  const hub = join(sandbox.root, `hub-${remote}`);
  const bare = join(hub, 'app.git');
  mkdirSync(hub);
  sandbox.git(hub, 'init', '-q', '--bare', '-b', 'main', bare);
  sandbox.git(bare, 'config', 'receive.shallowUpdate', 'true');
  const owner = remote === 'origin' ? 'acme' : remote;
  sandbox.git(repo, 'remote', 'add', remote, `https://github.com/${owner}/app.git`);
  sandbox.git(repo, 'config', `url.${hub}/.insteadOf`, `https://github.com/${owner}/`);
  sandbox.git(repo, 'push', '-q', remote, 'main');
  return bare;
}
