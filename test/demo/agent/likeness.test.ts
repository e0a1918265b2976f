// The scripted agent leaves the traces of the real one; the drills play all cases that were recorded.
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Lab } from '../../agents/claude/lab/lab.ts';
import { makeSandbox, type Sandbox } from '../../support/sandbox.ts';
import { expectAlike, labFor } from './likeness.ts';

let workshop: Sandbox;
let lab: Lab;
beforeAll(async () => {
  workshop = makeSandbox();
  lab = await labFor(workshop);
});
afterAll(async () => {
  await lab.dispose();
  workshop.dispose();
});

describe.concurrent('the traces are those of Claude Code', () => {
  it.each(['tool-turn', 'permission-allowed'])('in the case %s', (name) => expectAlike(lab, name));
});
