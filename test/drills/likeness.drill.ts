// The scripted agent plays what the real one was recorded at, key by key, and leaves the same traces.
import { expect } from 'vitest';
import { expectAlike, labFor } from '../demo/agent/likeness.ts';
import { makeSandbox } from '../support/sandbox.ts';
import { drill } from './drill.ts';

/** All recorded cases that the scripted agent plays. */
const likenesses = [
  'plain-turn',
  'tool-turn',
  'interrupted-mid-stream',
  'interrupted-early',
  'interrupted-tool',
  'api-error',
  'permission-allowed',
  'permission-denied',
  'question',
  'plan',
  'queued-next',
  'queued-merged',
  'queued-interrupted',
  'background-agent',
  'background-shell',
  'cleared',
  'resumed',
];

/** Rounds that follow one another play all cases. */
const parts = 3;

drill('the scripted agent leaves the traces of Claude Code', async (luck) => {
  const workshop = makeSandbox();
  const lab = await labFor(workshop);
  try {
    const some = likenesses.filter((_, at) => at % parts === luck.seed % parts);
    expect(some.length).toBeGreaterThan(0);
    await Promise.all(some.map((name) => expectAlike(lab, name)));
  } finally {
    await lab.dispose();
    workshop.dispose();
  }
});
