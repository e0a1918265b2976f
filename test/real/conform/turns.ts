// Situations of a turn: how it goes, and how it ends.
import { expect } from 'vitest';
import { eventually } from '../../support/sandbox.ts';
import { now } from './facts.ts';
import { idle, type Situation, streaming, thinking } from './situation.ts';

const completed = { ended: 'completed' };
const interrupted = { ended: 'interrupted' };

export const turns: readonly Situation[] = [
  {
    name: 'thinks, streams and completes its turn',
    async play(stage) {
      await streaming(stage);
      stage.release('stream');
      await stage.is('idle', stage.answered(stage.mark), completed);
    },
  },
  {
    name: 'streams words all the time',
    async play(stage) {
      await thinking(stage, 'SLEEP 3');
      await stage.is('working: streaming', stage.release('think'));
      await stage.is('idle', stage.answered(stage.mark), completed);
    },
  },
  {
    name: 'runs a tool',
    async play(stage) {
      await thinking(stage, `BASH ${stage.untilGo}\n${stage.hold('end')}\nSAY done`);
      stage.release('think');
      await stage.is('working: tool', stage.began());
      const cause = stage.go();
      await stage.is('working: thinking', stage.asked(stage.mark, 2), { cause });
      stage.release('end');
      await stage.is('idle', stage.answered(stage.mark), completed);
    },
  },
  {
    name: 'has left a program running behind its turn',
    async play(stage) {
      await thinking(stage, `${stage.subject.leaves(stage.untilGo)}\nSAY left it running`);
      stage.release('think');
      await stage.began();
      await stage.is('working: background', stage.answered(stage.mark));
      const tasks = async () => (await stage.crew.look(stage.worker.session_id)).background_tasks;
      await eventually('what it left is told', async () => (await tasks()) === 1);
      const waited = stage.waits();
      const cause = stage.go();
      if (stage.subject.toldOfLeft)
        await stage.passes('working: thinking', stage.asked('<task-notification>'), { cause });
      const end = stage.subject.toldOfLeft ? stage.answered('<task-notification>') : stage.went();
      await stage.is('idle', end, { cause, ...completed });
      expect(await waited).toBeGreaterThan((await end).notYet);
      expect(await tasks()).toBe(0);
    },
  },
  {
    name: 'has left an agent of its own at work behind its turn',
    async play(stage) {
      await thinking(stage, `AGENT ${stage.hold('sub')}\nSAY launched`);
      stage.release('think');
      await stage.is('working: background', stage.answered(stage.mark));
      const waited = stage.waits();
      stage.release('sub');
      const end = stage.answered('<task-notification>');
      await stage.is('idle', end, completed);
      expect(await waited).toBeGreaterThan((await end).notYet);
    },
  },
  {
    name: 'is refused by its model and tries again',
    async play(stage) {
      await stage.enter({ prompt: `${stage.subject.retried}\nSAY at last ${stage.mark}` });
      const status = `status ${stage.subject.retried.split(' ')[1]}`;
      await stage.passes('working: retry', stage.answered(stage.mark, status));
      await stage.is('idle', stage.answered(stage.mark), completed);
    },
  },
  {
    name: 'is cut off by its model and tries again',
    async play(stage) {
      await stage.enter({ prompt: `CUT 1\nSAY at last ${stage.mark}` });
      await stage.passes('working: retry', stage.answered(stage.mark, 'cut'));
      await stage.is('idle', stage.answered(stage.mark), completed);
    },
  },
  {
    name: 'has its turn refused for good',
    async play(stage) {
      await thinking(stage, 'STREAMFAIL');
      stage.release('think');
      await stage.is('idle', stage.answered(stage.mark, 'error event'), { ended: 'error' });
      await stage.hasFailed(stage.subject.broken);
    },
  },
  {
    name: 'is refused at once',
    async play(stage) {
      await stage.enter({ prompt: `FAIL 400\n${stage.mark}` });
      await stage.is('idle', stage.answered(stage.mark, 'status 400'), { ended: 'error' });
      await stage.hasFailed(/scripted 400/);
    },
  },
  {
    name: 'is interrupted by us in the middle of its answer',
    async play(stage) {
      await streaming(stage);
      const cause = now();
      const done = stage.crew.interrupt(stage.worker);
      await stage.is('idle', stage.answered(stage.mark, 'closed'), { cause, ...interrupted });
      expect(await done).toBe('interrupted');
      await stage.hears('SAY next');
    },
  },
  {
    name: 'is interrupted by us before the first byte',
    async play(stage) {
      await stage.enter({ prompt: `HANG ${stage.mark}` });
      await stage.is('working: thinking', stage.asked(stage.mark));
      const cause = now();
      const done = stage.crew.interrupt(stage.worker);
      await stage.is('idle', stage.answered(stage.mark, 'closed'), { cause, ...interrupted });
      expect(await done).toBe('interrupted');
      await stage.hears('SAY nothing of before');
    },
  },
  {
    name: 'is interrupted by its person in the middle of its answer',
    async play(stage) {
      await streaming(stage);
      const cause = stage.press('Escape');
      await stage.is('idle', stage.answered(stage.mark, 'closed'), { cause, ...interrupted });
    },
  },
  {
    name: 'is interrupted by its person before the first byte',
    async play(stage) {
      await stage.enter({ prompt: `HANG ${stage.mark}` });
      // Its prompt may be given back to it, and stand in the box.
      stage.wearsOut();
      await stage.is('working: thinking', stage.asked(stage.mark));
      const cause = stage.press('Escape');
      await stage.is('idle', stage.answered(stage.mark, 'closed'), { cause, ...interrupted });
    },
  },
  {
    name: 'is interrupted by its person while a tool runs',
    async play(stage) {
      await thinking(stage, `BASH ${stage.untilGo}\nSAY never`);
      stage.release('think');
      await stage.is('working: tool', stage.began());
      const cause = stage.press('Escape');
      await stage.is('idle', stage.sees(stage.subject.sees.interrupted), { cause, ...interrupted });
      stage.go();
    },
  },
  {
    name: 'is asked by its person at the pane',
    async play(stage) {
      await idle(stage);
      stage.press('-l', stage.hold('typed'));
      await stage.sees(new RegExp(`HOLD typed${stage.mark}`));
      const cause = stage.press('Enter');
      await stage.is('working: thinking', stage.asked(`typed${stage.mark}`), { cause });
      stage.release('typed');
      await stage.is('idle', stage.answered(`typed${stage.mark}`), completed);
    },
  },
  {
    name: 'is asked by us',
    async play(stage) {
      await idle(stage);
      const cause = now();
      const sent = stage.crew.message(stage.worker, `${stage.hold('sent')}\nSAY done`);
      await stage.is('working: thinking', stage.asked(`sent${stage.mark}`), { cause });
      await sent;
      stage.release('sent');
      await stage.is('idle', stage.answered(`sent${stage.mark}`), completed);
    },
  },
];
