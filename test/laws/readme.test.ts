import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { errorCodes } from '../../src/model/errors.ts';
import { eventTypes } from '../../src/model/event.ts';
import { oldestGit } from '../../src/model/needs.ts';
import { meaningOf } from '../../src/settings/meanings.ts';
import { leaves } from '../../src/settings/schema.ts';
import { tools } from '../../src/tools/index.ts';
import { workerTools } from '../../src/tools/worker/index.ts';
import { root } from './source.ts';

const read = (name: string) => readFileSync(join(root, name), 'utf8');

interface Place {
  readonly document: string;
  readonly name: string;
}

/** What stands between `<!-- name -->` and `<!-- /name -->`. */
function section({ document, name }: Place): string {
  const found = new RegExp(`<!-- ${name} -->\\n([\\s\\S]*?)<!-- /${name} -->`).exec(read(document));
  if (found === null) throw new Error(`${document} has no section between <!-- ${name} --> and <!-- /${name} -->.`);
  return found[1] ?? '';
}

const firstSentence = (text: string) => /^[\s\S]*?\.(?=\s|$)/.exec(text)?.[0] ?? text;

const tableOf = (listed: readonly { readonly name: string; readonly description: string }[]) =>
  [
    '| tool | what it does |',
    '|---|---|',
    ...listed.map(({ name, description }) => `| \`${name}\` | ${firstSentence(description).replaceAll('|', '\\|')} |`),
    '',
  ].join('\n');

it.each([
  ['README.md', 'tools', tableOf(tools)],
  ['docs/messages.md', 'worker tools', tableOf(workerTools)],
])('%s lists the %s there are (UPDATE=1 writes the table)', (document, name, table) => {
  if (process.env.UPDATE === '1') {
    const between = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(?=<!-- /${name} -->)`);
    writeFileSync(
      join(root, document),
      read(document).replace(between, (_, start: string) => start + table),
    );
  }
  expect(section({ document, name })).toBe(table);
});

describe("the README's first screen", () => {
  const readme = read('README.md');
  const [first = ''] = readme.split('\n## Install');

  it('says what crewmux is, shows it, and says where it runs', () => {
    expect(first).toMatch(/^# crewmux\n\n\*\*.+\n\n!\[.+\]\(docs\/crew\.svg\)\n/);
    expect(first).toContain('Linux, macOS, and Windows with WSL');
  });

  it('has the address of a clone once, and says that npm has no crewmux yet', () => {
    expect(readme.match(/git clone|<clone-url>/g)).toEqual(['git clone', '<clone-url>']);
    expect(first).toContain('not on npm yet');
  });

  it('has the demo before the tests, each in a block of its own, and all tools behind a fold', () => {
    const blocks = [...first.matchAll(/^```\n([\s\S]*?)```$/gm)].map(([, block = '']) =>
      block.trim().split('\n').at(-1),
    );
    expect(blocks.slice(0, 2)).toEqual(['npm run demo', 'npm test']);
    expect(readme).toMatch(/<details>\n<summary>.*<\/summary>\n\n<!-- tools -->[\s\S]*<!-- \/tools -->\n\n<\/details>/);
  });

  it('calls only what stands behind crewmux on a command line a word', () => {
    const parts = readme.split(/^(?=## )/m);
    const terminal = parts.find((part) => part.startsWith('## For people at the terminal'));
    const elsewhere = parts
      .filter((part) => part !== terminal)
      .join('')
      .replaceAll(/^\| `\w+` \|.*$/gm, '');
    expect(terminal).toContain('A word is what you type behind `crewmux`.');
    expect(elsewhere.match(/.*\bwords?\b.*/gi)).toBeNull();
  });

  it('shows pictures that the package carries', () => {
    const { files } = z.object({ files: z.array(z.string()) }).parse(JSON.parse(read('package.json')));
    const shown = [...readme.matchAll(/!\[.*?\]\((.*?)\)/g)].map(([, path = '']) => path);
    expect(shown).toEqual(['docs/crew.svg']);
    expect(shown.filter((path) => !files.some((entry) => path === entry || path.startsWith(`${entry}/`)))).toEqual([]);
  });
});

it('docs/errors.md says of every error code, in order, what to do', () => {
  const rows = [...section({ document: 'docs/errors.md', name: 'errors' }).matchAll(/^\| `(\w+)` \| (.{20,}) \|$/gm)];
  expect(rows.map((row) => row[1])).toEqual([...errorCodes]);
});

it('docs/events.md says of every event, in order, what has happened', () => {
  const rows = [...section({ document: 'docs/events.md', name: 'events' }).matchAll(/^\| `(\w+)` \| (.{15,}) \|$/gm)];
  expect(rows.map((row) => row[1])).toEqual([...eventTypes]);
});

it('docs/configuration.md says of every setting what src/settings/meanings.ts says', () => {
  const rows = new Map(
    [...read('docs/configuration.md').matchAll(/^\| `([\w.]+)` \|.*?\| (.{10,}) \|$/gm)].map(
      ([, key = '', meaning = '']) => [key, meaning] as const,
    ),
  );
  for (const leaf of leaves)
    expect({ key: leaf.key, meaning: rows.get(leaf.key) }).toEqual({ key: leaf.key, meaning: meaningOf(leaf) ?? '' });
});

it('the README is short, and every link of a document to another leads to a file and a heading', () => {
  expect(read('README.md').split('\n').length).toBeLessThanOrEqual(250);
  const documents = ['README.md', 'AGENTS.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)];
  const broken = documents.flatMap((from) =>
    [...read(from).matchAll(/\]\(([^):]*?)(?:#([\w-]+))?\)/g)]
      .filter(([, file = '', heading]) => !leadsTo(file === '' ? from : posix.join(dirname(from), file), heading))
      .map(([link]) => `${from} ${link}`),
  );
  expect(broken).toEqual([]);
});

it.each(['docs/messages.md', 'docs/review-and-landing.md'])(
  'no bullet or paragraph of %s has over 60 words',
  (document) => {
    const pieces = read(document)
      .split(/\n(?=\n| *- )/)
      .map((piece) => piece.replace(/^\s*(- )?/, ''))
      .filter((piece) => !/^[|<]/.test(piece));
    expect(pieces.length).toBeGreaterThan(40);
    expect(pieces.filter((piece) => piece.split(/\s+/).length > 60)).toEqual([]);
  },
);

function leadsTo(document: string, heading: string | undefined): boolean {
  if (!existsSync(join(root, document))) return false;
  const anchor = (title: string) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-');
  const headings = [...read(document).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => anchor(title));
  return heading === undefined || headings.includes(heading);
}

it('every test that docs/SECURITY.md names is there', () => {
  const text = readFileSync(join(root, 'docs/SECURITY.md'), 'utf8');
  const named = [...text.matchAll(/`([\w/-]+\.test\.ts)`/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((name) => !existsSync(join(root, 'test', name)))).toEqual([]);
});

/** What a page names in code, from the root; ARCHITECTURE.md leaves out `src/`. */
const pathsIn = (document: string): readonly string[] =>
  [...read(document).matchAll(/`(?:[^`]* )?([\w-]+\/[\w./-]+\.(?:ts|mjs|md|json))[^`]*`/g)].map(([, path = '']) =>
    document === 'docs/ARCHITECTURE.md' && !path.startsWith('test/') ? `src/${path}` : path,
  );

it.each([
  ['docs/ARCHITECTURE.md', 150, 80],
  ['docs/TESTING.md', 100, 25],
  ['docs/STYLE.md', 60, 0],
])('%s has at most %i lines, and every file that it names is there', (document, mostLines, fewestPaths) => {
  expect(read(document).trimEnd().split('\n').length).toBeLessThanOrEqual(mostLines);
  const paths = pathsIn(document);
  expect(paths.length).toBeGreaterThanOrEqual(fewestPaths);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

it('AGENTS.md is short', () => {
  expect(read('AGENTS.md').trimEnd().split('\n').length).toBeLessThanOrEqual(50);
});

it('every place that says from which release on git is needed says the same', () => {
  const files = ['README.md', 'AGENTS.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)];
  const code = ['src', 'scripts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  const said = [...files, ...code]
    .filter((name) => /\.(md|ts|mjs)$/.test(name))
    .flatMap((name) => {
      const text = readFileSync(join(root, name), 'utf8');
      return [...text.matchAll(/\bgit (\d+\.\d+)(?:\+| or newer)/g)].map(([, release]) => ({ name, release }));
    });
  expect(said.map(({ name }) => name)).toEqual(['README.md', 'AGENTS.md']);
  expect(said.filter(({ release }) => release !== oldestGit)).toEqual([]);
});
