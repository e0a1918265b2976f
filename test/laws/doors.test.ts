import { describe, expect, it } from 'vitest';
import { type Node, nameOf, type SourceFile, sourcesIn } from './source.ts';

const within = (path: string, places: readonly string[]) =>
  places.some((place) => (place.endsWith('/') ? path.startsWith(place) : path === place));

/** Each outside package with the only places that may import it. */
const doors: readonly { readonly what: RegExp; readonly through: readonly string[] }[] = [
  { what: /^@modelcontextprotocol\/sdk/, through: ['src/mcp/server.ts', 'src/demo/'] },
  { what: /^execa$/, through: ['src/system/exec.ts'] },
  { what: /^simple-git$/, through: ['src/worktree/git/repo.ts'] },
  { what: /^chokidar$/, through: ['src/jsonl/tail.ts'] },
  { what: /^nanoid$/, through: ['src/model/ids.ts'] },
  { what: /^yaml$/, through: ['src/settings/yaml.ts'] },
  { what: /^unbash$/, through: ['src/permissions/shell-line.ts'] },
  { what: /^croner$/, through: ['src/work/rhythm/cron.ts'] },
  { what: /^(node:)?child_process$/, through: ['src/system/exec.ts', 'src/backends/tmux/'] },
  { what: /^(node:)?timers/, through: ['src/system/clock.ts'] },
  { what: /^(node:)?process$/, through: ['src/bin/crewmux.ts'] },
  { what: /^(node:)?(net|http|https|http2|tls|dgram|dns)$/, through: [] },
];

describe('packages', () => {
  it.each(doors)('$what comes in through its door alone', ({ what, through }) => {
    const offences = sourcesIn('src').flatMap(({ path, imports }) =>
      imports
        .filter(({ target, own }) => !own && what.test(target) && !within(path, through))
        .map(({ target }) => `${path} imports ${target}: that belongs in ${through.join(' or ') || 'no file of ours'}`),
    );
    expect(offences).toEqual([]);
  });

  it('the floor of values imports nothing from outside but the id maker and zod', () => {
    const offences = sourcesIn('src/model').flatMap(({ path, imports }) =>
      imports
        .filter(({ own, target }) => !own && !['nanoid', 'zod'].includes(target))
        .map(({ target }) => `${path} imports ${target}`),
    );
    expect(offences).toEqual([]);
  });

  it('fs.watch comes in through the tailer alone', () => {
    const offences = sourcesIn('src').flatMap(({ path, imports }) =>
      imports
        .filter(({ target, names }) => /^node:fs/.test(target) && names.some((name) => name.startsWith('watch')))
        .filter(() => path !== 'src/jsonl/tail.ts')
        .map(() => `${path} imports a watcher of node:fs: that belongs in src/jsonl/tail.ts`),
    );
    expect(offences).toEqual([]);
  });

  it('what a worker can write is read through src/system/plain-file.ts alone', () => {
    // Files of the main checkout, of the user and of folders that crewmux has made for itself.
    const others = [
      'git/git-places.ts',
      'git/hide.ts',
      'making/prepare.ts',
      'salvage/put-back.ts',
      'salvage/restore.ts',
    ];
    const readers =
      /^(readFile|readFileSync|open|openSync|createReadStream|copyFile|copyFileSync|cp|appendFile|appendFileSync)$/;
    const allowed = [...others, 'salvage/salvage-trees.ts', 'git/own-index.ts'].map((name) => `src/worktree/${name}`);
    const offences = sourcesIn('src/worktree').flatMap(({ path, imports }) =>
      imports
        .filter(({ target, names }) => /^node:fs/.test(target) && names.some((name) => readers.test(name)))
        .filter(() => !allowed.includes(path))
        .map(() => `${path} opens files by node:fs: a worker may have put a pipe there; use src/system/plain-file.ts`),
    );
    expect(offences).toEqual([]);
  });

  it('nothing is imported that is neither a dependency nor of Node', () => {
    const known =
      /^(node:|@modelcontextprotocol\/sdk\/|yaml$|zod$|execa$|simple-git$|chokidar$|nanoid$|p-limit$|unbash$|croner$)/;
    const offences = sourcesIn('src').flatMap(({ path, imports }) =>
      imports.filter(({ own, target }) => !own && !known.test(target)).map(({ target }) => `${path} imports ${target}`),
    );
    expect(offences).toEqual([]);
  });
});

const isBinding = (node: Node, parent: Node | undefined) =>
  (node.typeAnnotation !== null && node.typeAnnotation !== undefined) || parent?.id === node;

const isProperty = (node: Node, parent: Node | undefined) =>
  (parent?.type === 'MemberExpression' && parent.property === node && parent.computed !== true) ||
  (parent?.type === 'Property' && parent.key === node && parent.shorthand !== true) ||
  /^TS(PropertySignature|MethodSignature|QualifiedName)$/.test(parent?.type ?? '');

/** Uses of the machine's globals by name, with their line. */
const usesOf = (file: SourceFile, names: readonly string[]): readonly string[] =>
  file.nodes
    .filter(
      ({ node, parent }) =>
        node.type === 'Identifier' &&
        names.includes(nameOf(node) ?? '') &&
        !isProperty(node, parent) &&
        !isBinding(node, parent),
    )
    .map(({ node }) => `${file.path}:${file.lineOf(node.start)} uses ${nameOf(node)}`);

describe('globals', () => {
  it('process is known to bin/ alone', () => {
    const offences = sourcesIn('src').flatMap((file) =>
      file.path === 'src/bin/crewmux.ts' ? [] : usesOf(file, ['process']),
    );
    expect(offences.map((offence) => `${offence}: hand the value in from bin/`)).toEqual([]);
  });

  it('timers and the stop watch are known to the clock alone', () => {
    const names = ['setTimeout', 'setInterval', 'setImmediate', 'performance'];
    const offences = sourcesIn('src').flatMap((file) =>
      file.path === 'src/system/clock.ts' ? [] : usesOf(file, names),
    );
    expect(offences.map((offence) => `${offence}: take a Clock`)).toEqual([]);
  });

  it('the time of day is known to the clock alone', () => {
    const offences = sourcesIn('src').flatMap((file) =>
      file.path === 'src/system/clock.ts'
        ? []
        : file.nodes
            .filter(({ node }) => readsTheClock(node))
            .map(({ node }) => `${file.path}:${file.lineOf(node.start)} asks for the time: take a Clock`),
    );
    expect(offences).toEqual([]);
  });
});

const readsTheClock = (node: Node): boolean =>
  (node.type === 'NewExpression' &&
    nameOf(node.callee) === 'Date' &&
    Array.isArray(node.arguments) &&
    node.arguments.length === 0) ||
  (node.type === 'MemberExpression' && nameOf(node.object) === 'Date' && nameOf(node.property) === 'now');
