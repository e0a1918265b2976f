// Plays every case with a real Codex and writes what it left behind.
import { join } from 'node:path';
import type { Recorder } from '../../record.ts';
import { turnCases } from './cases.ts';
import { openLab } from './lab.ts';
import { screenCases } from './screen-cases.ts';
import { scrubber, trimmedTranscript } from './scrub.ts';
import { rest } from './specimen.ts';

const server = join(import.meta.dirname, 'echo-server.mjs');

export const recordCodex: Recorder = async ({ program, isWanted, keep }) => {
  for (const [name, play] of Object.entries({ ...turnCases, ...screenCases })) {
    if (!isWanted(name)) continue;
    const lab = await openLab(program);
    const scrub = scrubber({ [lab.box.root]: '/sandbox', [lab.codexHome]: '/codex-home', [server]: '/mcp.mjs' });
    const write = (file: string, text: string) => keep({ name, file, text: scrub(text) });
    try {
      const one = await play({ lab, server, snap: (on, at) => write(`screens/${at}.txt`, on.screen()) });
      await rest(400);
      write('transcript.jsonl', trimmedTranscript(one.transcript()));
      write('signals.jsonl', one.signals());
    } finally {
      await lab.dispose();
    }
  }
};
