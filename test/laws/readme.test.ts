import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { errorCodes } from '../../src/model/errors.ts';
import { leaves } from '../../src/settings/schema.ts';
import { tools } from '../../src/tools/index.ts';
import { workerTools } from '../../src/tools/worker/index.ts';
import { root } from './source.ts';

const path = join(root, 'README.md');
const readme = () => readFileSync(path, 'utf8');

/** What stands between `<!-- name -->` and `<!-- /name -->`. */
function section(name: string): string {
  const found = new RegExp(`<!-- ${name} -->\\n([\\s\\S]*?)<!-- /${name} -->`).exec(readme());
  if (found === null) throw new Error(`README.md has no section between <!-- ${name} --> and <!-- /${name} -->.`);
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
  ['tools', tableOf(tools)],
  ['worker tools', tableOf(workerTools)],
])('the README lists the %s there are (UPDATE=1 writes the table)', (name, table) => {
  if (process.env.UPDATE === '1') {
    const between = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(?=<!-- /${name} -->)`);
    writeFileSync(
      path,
      readme().replace(between, (_, start: string) => start + table),
    );
  }
  expect(section(name)).toBe(table);
});

it('the README says of every error code, in order, what to do', () => {
  const rows = [...section('errors').matchAll(/^\| `(\w+)` \| (.{20,}) \|$/gm)];
  expect(rows.map((row) => row[1])).toEqual([...errorCodes]);
});

it('the README names every setting', () => {
  expect(leaves.map(({ key }) => key).filter((key) => !readme().includes(`\`${key}\``))).toEqual([]);
});

it('every test that docs/SECURITY.md names is there', () => {
  const text = readFileSync(join(root, 'docs/SECURITY.md'), 'utf8');
  const named = [...text.matchAll(/`([\w/-]+\.test\.ts)`/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((name) => !existsSync(join(root, 'test', name)))).toEqual([]);
});
