import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { inspectFolder } from '../../../src/worktree/git/inspect.ts';
import { pullRequestTemplate } from '../../../src/worktree/proposing/pull-request-template.ts';
import { layGround } from '../../support/ground.ts';

const { box, repo: path } = await layGround();

function put(file: string, text = file) {
  mkdirSync(dirname(join(path, file)), { recursive: true });
  writeFileSync(join(path, file), text);
}

async function template() {
  box.git(path, 'add', '-A');
  box.git(path, 'commit', '-q', '--allow-empty', '-m', 'Templates');
  const repo = await inspectFolder({ path, env: box.env });
  return repo === undefined ? 'no repository' : pullRequestTemplate(repo, 'HEAD');
}

it.each([
  [[], undefined],
  [['.github/PULL_REQUEST_TEMPLATE.md'], '.github/PULL_REQUEST_TEMPLATE.md'],
  [['.github/pull_request_template.md'], '.github/pull_request_template.md'],
  [['PULL_REQUEST_TEMPLATE'], 'PULL_REQUEST_TEMPLATE'],
  [['docs/pull_request_template.txt'], 'docs/pull_request_template.txt'],
  [['docs/pull_request_template.md', 'pull_request_template.md'], 'pull_request_template.md'],
  [['pull_request_template.md', '.github/pull_request_template.md'], '.github/pull_request_template.md'],
  [['.github/PULL_REQUEST_TEMPLATE/only.md'], '.github/PULL_REQUEST_TEMPLATE/only.md'],
  [['.github/PULL_REQUEST_TEMPLATE/a.md', '.github/PULL_REQUEST_TEMPLATE/b.md'], undefined],
  [
    ['.github/PULL_REQUEST_TEMPLATE/a.md', '.github/PULL_REQUEST_TEMPLATE/b.md', 'docs/pull_request_template.md'],
    'docs/pull_request_template.md',
  ],
  [['src/pull_request_template.md', 'docs/deep/pull_request_template.md'], undefined],
])('of %j it is %s', async (files, found) => {
  for (const file of files) put(file);
  expect(await template()).toBe(found);
});

it('a link, an empty file and an endless one are no templates', async () => {
  symlinkSync('/etc/hostname', join(path, 'PULL_REQUEST_TEMPLATE.md'));
  expect(await template()).toBeUndefined();
  put('.github/PULL_REQUEST_TEMPLATE.md', ' \r\n\n');
  expect(await template()).toBeUndefined();
  put('.github/PULL_REQUEST_TEMPLATE.md', 'x\r\n'.repeat(50_000));
  expect((await template())?.length).toBe(20_000);
});
