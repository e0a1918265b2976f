// Records the golden fixtures: node --import ./scripts/ts.mjs test/agents/codex/lab/record.ts <codex> <mcp> [case …]
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { messageOf } from '../../../../src/model/errors.ts';
import { turnCases } from './cases.ts';
import { openLab } from './lab.ts';
import { screenCases } from './screen-cases.ts';
import { scrubber, trimmedTranscript } from './scrub.ts';
import { rest } from './specimen.ts';

const [codex = 'codex', server = '', ...names] = process.argv.slice(2);
const folder = 'test/fixtures/agents/codex/0.169.0';
for (const [name, play] of Object.entries({ ...turnCases, ...screenCases })) {
  if (names.length > 0 && !names.includes(name)) continue;
  const lab = await openLab(codex);
  const scrub = scrubber({ [lab.box.root]: '/sandbox', [lab.codexHome]: '/codex-home', [resolve(server)]: '/mcp.mjs' });
  const dir = join(folder, name);
  rmSync(dir, { recursive: true, force: true });
  const keep = (file: string, text: string) => {
    if (text === '') return;
    mkdirSync(join(dir, file, '..'), { recursive: true });
    writeFileSync(join(dir, file), scrub(text));
  };
  try {
    const one = await play({ lab, server, snap: (on, at) => keep(`screens/${at}.txt`, on.screen()) });
    await rest(400);
    keep('transcript.jsonl', trimmedTranscript(one.transcript()));
    keep('signals.jsonl', one.signals());
    process.stdout.write(`${name}\n`);
  } catch (error) {
    process.stdout.write(`${name} FAILED ${messageOf(error)}\n`);
  } finally {
    await lab.dispose();
  }
}
