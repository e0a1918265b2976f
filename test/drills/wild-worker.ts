// A worker that does anything to its worktree, and what there is to see of it.
import {
  appendFileSync,
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import type { Sandbox } from '../support/sandbox.ts';

const names = [
  'a',
  'b',
  'dir/c',
  'dir',
  'ü x',
  'n\nl',
  'r\r',
  ' lead',
  '-dash',
  '"quoted',
  'deep/er/still',
  'x.lf',
  'x.crlf',
];
const texts = ['', 'one\n', 'one\ntwo\n', 'one\r\ntwo\r\n', 'one\r\ntwo\n', 'no end', '\0\u{ff}binary', '$Id$\n'];
const branches = ['left', 'right', 'side/way'];

const name = fc.constantFrom(...names);
const text = fc.oneof(fc.constantFrom(...texts), fc.string({ maxLength: 12 }));
const branch = fc.constantFrom(...branches);

const files = fc.oneof(
  fc.record({ does: fc.constant('write' as const), name, text }),
  fc.record({ does: fc.constant('append' as const), name, text }),
  fc.record({
    does: fc.constant('link' as const),
    name,
    text: fc.constantFrom('a', '/nowhere', 'dir', '../../README.md'),
  }),
  fc.record({ does: fc.constant('move' as const), name, to: name }),
  fc.record({ does: fc.constantFrom('delete' as const, 'chmod' as const), name }),
);

const hows = ['commit', 'amend', 'drop', 'detour', 'stash', 'clash'] as const;
export type How = (typeof hows)[number];

/** Several commands that together always come to something. */
const history = fc.record({
  does: fc.constant('history' as const),
  how: fc.constantFrom(...hows),
  name,
  text,
});

const command = fc.record({
  does: fc.constant('git' as const),
  args: fc.oneof(
    fc.constantFrom(
      ['add', '-A'],
      ['commit', '-q', '-a', '-m', 'All work'],
      ['reset', '-q', '--hard', 'HEAD~1'],
      ['reset', '-q', '--soft', 'HEAD~1'],
      ['reset', '-q'],
      ['stash', 'pop', '-q'],
      ['checkout', '-q', '--detach'],
      ['checkout', '-q', '-'],
      ['rebase', '-q', 'main'],
      ['rebase', '--abort'],
      ['merge', '--abort'],
      ['config', 'core.autocrlf', 'true'],
      ['config', 'core.autocrlf', 'input'],
      ['sparse-checkout', 'set', 'dir'],
      ['sparse-checkout', 'disable'],
    ),
    branch.map((to) => ['checkout', '-q', '-b', to]),
    branch.map((to) => ['checkout', '-q', to]),
    branch.map((to) => ['checkout', '-q', '--orphan', `${to}-orphan`]),
    branch.map((to) => ['branch', '-D', to]),
    branch.map((from) => ['merge', '-q', '-m', 'Merge', from]),
    branch.map((from) => ['cherry-pick', from]),
    name.map((path) => ['add', '--', path]),
    name.map((path) => ['add', '-N', '--', path]),
    name.map((path) => ['rm', '-q', '--cached', '--', path]),
    name.map((path) => ['update-index', '--assume-unchanged', '--', path]),
    name.map((path) => ['update-index', '--skip-worktree', '--', path]),
    name.map((path) => ['update-index', '--chmod=+x', '--', path]),
  ),
});

const attributes = fc.record({
  does: fc.constant('attributes' as const),
  text: fc.constantFrom('* text=auto\n', '*.lf text eol=lf\n*.crlf text eol=crlf\n', '* ident\n', '* -text\n'),
});

const act = fc.oneof(
  { weight: 4, arbitrary: files },
  { weight: 4, arbitrary: history },
  { weight: 3, arbitrary: command },
  { weight: 1, arbitrary: attributes },
);
export type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

export const acts = fc.array(act, { minLength: 1, maxLength: 10 });

/** What cannot be done is not done. */
export function perform(box: Sandbox, tree: string, what: Act): void {
  try {
    if (what.does === 'git') box.git(tree, ...what.args);
    else if (what.does === 'history') makeHistory(box, tree, what);
    else if (what.does === 'attributes') writeFileSync(join(tree, '.gitattributes'), what.text);
    else touch(tree, what);
  } catch {
    // a folder in the way, nothing to commit, a conflict: all part of life
  }
}

let made = 0;

function makeHistory(box: Sandbox, tree: string, { how, name, text }: Extract<Act, { does: 'history' }>): void {
  const git = (...args: string[]) => box.git(tree, ...args);
  const change = () => {
    made += 1;
    touch(tree, { does: 'write', name, text: `${text}${made}` });
    git('add', '-A');
  };
  const commit = (...more: string[]) => git('commit', '-q', '-m', how, ...more);
  if (how === 'detour') git('checkout', '-q', '--detach');
  if (how === 'clash') git('branch', '-f', 'right');
  change();
  if (how === 'stash') git('stash', 'push', '-q', '-u');
  else commit(...(how === 'amend' ? ['--amend'] : []));
  if (how === 'drop') git('reset', '-q', '--hard', 'HEAD~1');
  if (how === 'detour') git('checkout', '-q', '-');
  if (how !== 'clash') return;
  git('checkout', '-q', 'right');
  change();
  commit();
  git('checkout', '-q', '-');
  git('merge', '-q', 'right');
}

function touch(tree: string, what: Exclude<Act, { does: 'git' | 'attributes' | 'history' }>): void {
  const path = join(tree, what.name);
  if (what.does !== 'delete' && what.does !== 'chmod') mkdirSync(dirname(path), { recursive: true });
  switch (what.does) {
    case 'write':
      writeFileSync(path, Buffer.from(what.text, 'latin1'));
      break;
    case 'append':
      appendFileSync(path, Buffer.from(what.text, 'latin1'));
      break;
    case 'link':
      rmSync(path, { force: true });
      symlinkSync(what.text, path);
      break;
    case 'move':
      mkdirSync(dirname(join(tree, what.to)), { recursive: true });
      renameSync(path, join(tree, what.to));
      break;
    case 'delete':
      rmSync(path, { recursive: true, force: true });
      break;
    case 'chmod':
      chmodSync(path, lstatSync(path).mode ^ 0o100);
      break;
  }
}

export type Snapshot = Readonly<Record<string, string>>;

/** Every file of a worktree: kind and bytes, by name. */
export function snapshot(tree: string, prefix = ''): Snapshot {
  const entries = readdirSync(join(tree, prefix), { withFileTypes: true }).filter(
    (entry) => prefix !== '' || entry.name !== '.git',
  );
  return Object.assign(
    {},
    ...entries.map((entry): Snapshot => {
      const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
      const at = join(tree, path);
      if (entry.isDirectory()) return snapshot(tree, path);
      if (entry.isSymbolicLink()) return { [path]: `link ${readlinkSync(at)}` };
      return { [path]: `${lstatSync(at).mode & 0o100 ? 'executable' : 'file'} ${readFileSync(at, 'latin1')}` };
    }),
  );
}
