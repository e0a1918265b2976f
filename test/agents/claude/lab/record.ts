// Plays every case with a real Claude Code and writes what it left behind.

import type { Recorder } from '../../record.ts';
import { commandCases, turnCases } from './cases.ts';
import { openLab } from './lab.ts';
import { screenCases } from './screen-cases.ts';
import { scrubber, trimmedTranscript } from './scrub.ts';
import { rest } from './specimen.ts';

export const recordClaude: Recorder = async ({ program, isWanted, keep }) => {
  const lab = await openLab(program);
  const scrub = scrubber(lab.box.root);
  try {
    for (const [name, play] of Object.entries({ ...turnCases, ...commandCases, ...screenCases })) {
      if (!isWanted(name)) continue;
      const write = (file: string, text: string) => keep({ name, file, text: scrub(text) });
      const one = await play({ lab, snap: (on, at) => write(`screens/${at}.txt`, on.screen()) });
      await rest(300);
      write('transcript.jsonl', trimmedTranscript(one.transcript()));
      write('signals.jsonl', one.signals());
      write('states.jsonl', one.states.map((text) => `${text}\n`).join(''));
      one.quit();
      await lab.sweep();
      lab.configure({});
    }
  } finally {
    await lab.dispose();
  }
};
