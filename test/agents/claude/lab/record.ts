// Records the golden fixtures: node --import ./scripts/ts.mjs test/agents/claude/lab/record.ts <claude> <fake> [case …]
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandCases, turnCases } from './cases.ts';
import { openLab } from './lab.ts';
import { screenCases } from './screen-cases.ts';
import { scrubber, trimmedTranscript } from './scrub.ts';
import { rest } from './specimen.ts';

const [claude = 'claude', fake = '', ...names] = process.argv.slice(2);
const folder = 'test/fixtures/agents/claude/2.1.329';
const all = { ...turnCases, ...commandCases, ...screenCases };
const lab = await openLab({ claude, fake });
const scrub = scrubber(lab.box.root);
try {
  for (const [name, play] of Object.entries(all)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const dir = join(folder, name);
    rmSync(dir, { recursive: true, force: true });
    const keep = (file: string, text: string) => {
      if (text === '') return;
      mkdirSync(join(dir, file, '..'), { recursive: true });
      writeFileSync(join(dir, file), scrub(text));
    };
    const one = await play({ lab, snap: (on, at) => keep(`screens/${at}.txt`, on.screen()) });
    await rest(300);
    keep('transcript.jsonl', trimmedTranscript(one.transcript()));
    keep('signals.jsonl', one.signals());
    keep('states.jsonl', one.states.map((text) => `${text}\n`).join(''));
    one.quit();
    await lab.sweep();
    lab.configure({});
    process.stdout.write(`${name}\n`);
  }
} finally {
  await lab.dispose();
}
