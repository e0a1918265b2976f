// A demo that a person ends at any moment, or not at all.
import fc from 'fast-check';
import { expect } from 'vitest';
import { leftovers, startDemo } from '../e2e/played-demo.ts';
import { makeSandbox } from '../support/sandbox.ts';
import { drill } from './drill.ts';

const signals = fc.constantFrom<NodeJS.Signals>('SIGINT', 'SIGTERM', 'SIGHUP');
const moments = [
  '1. spawn_workers',
  '2. wait_idle_workers',
  '4. message_workers',
  '6. check_conflicts',
  'landed on main',
];

drill('a demo leaves nothing behind, whenever and however it is ended', async (luck) => {
  const sandbox = makeSandbox();
  // The first round ends by itself, the second as most people end it.
  const moment = luck.seed === 1 ? undefined : luck.draw(fc.constantFrom(...moments));
  const signal = luck.seed === 2 ? 'SIGINT' : luck.draw(signals);
  const demo = startDemo(sandbox);
  try {
    if (moment === undefined) {
      expect(await demo.ended(), demo.said()).toBe(0);
      expect(demo.said()).toContain('That was all of it');
    } else {
      await demo.until(`it is at ${moment}`, moment);
      demo.kill(signal);
      // It may be over before the signal comes.
      expect([0, 130], demo.said()).toContain(await demo.ended());
    }
    expect(leftovers(sandbox)).toEqual([]);
  } finally {
    demo.kill('SIGTERM');
    await demo.ended();
    sandbox.dispose();
  }
});
