// A real agent that writes into the user's own checkout, and what is told of it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { escaped } from '../../src/wire/events.ts';
import { list } from '../../src/wire/parts.ts';
import { eventually } from '../support/sandbox.ts';
import { makeCodexHome } from './codex-home.ts';
import { openRealCrew, type RealCrew } from './crew.ts';

let crew: RealCrew;
beforeAll(async () => {
  crew = await openRealCrew(makeCodexHome);
});
afterAll(() => crew.dispose());

const status = z.object({ escapes: list(escaped) });
const escapes = async () => (await crew.call('crew_status', status, {})).escapes;
const after = (count: number) =>
  eventually('it is told', async () => {
    const found = await escapes();
    return found.flatMap(({ files }) => files).length === count && found;
  });

test('what changes in the main checkout in a turn of Claude Code or Codex is told, the user’s edits before are not', async () => {
  const { repo } = crew;
  writeFileSync(join(repo, 'mine.txt'), 'before any worker\n');
  const { sessions, failed } = await crew.spawn(
    { name: 'cleo', skip_permissions: true, prompt: 'SAY ready' },
    { name: 'dex', agent_type: 'codex', skip_permissions: true, prompt: 'SAY ready' },
  );
  expect(failed).toEqual([]);
  const [cleo, dex] = sessions;
  if (cleo === undefined || dex === undefined) throw new Error('two workers were asked for');
  await crew.wait([cleo.session_id, dex.session_id]);
  expect(await escapes()).toEqual([]);

  await crew.message(cleo, `BASH touch ${join(repo, 'by cleo.txt').replace(' ', '\\ ')}\nSAY done`);
  await crew.idle(cleo);
  expect(await after(1)).toMatchObject([{ workers: ['cleo'], files: ['by cleo.txt'] }]);

  await crew.message(dex, `BASH touch ${join(repo, 'by-dex.txt')}\nSAY done`);
  await crew.idle(dex);
  expect(await after(2)).toMatchObject([
    { workers: ['cleo'], files: ['by cleo.txt'] },
    { workers: ['dex'], files: ['by-dex.txt'] },
  ]);

  await crew.message(cleo, `WRITE ${join(repo, 'written.txt')} by cleo\nSAY done`);
  await crew.idle(cleo);
  const found = await after(3);
  expect(found.find(({ files }) => files.includes('written.txt'))).toMatchObject({ workers: ['cleo'] });
  crew.home.sandbox.git(repo, 'clean', '-fdq', '-e', '.worktrees');
  expect(await escapes()).toEqual([]);
});
