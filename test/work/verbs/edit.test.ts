import { describe, expect, it } from 'vitest';
import type { Task } from '../../../src/model/task.ts';
import { landing as landsNow, type TaskHold } from '../../../src/model/task-progress.ts';
import { performTask } from '../../../src/work/drive/perform.ts';
import { checkpointsOf } from '../../../src/work/judge/checkpoint.ts';
import { editPatch } from '../../../src/work/verbs/plan-edit.ts';
import { stubCrew } from '../../support/stub-crew.ts';
import { ended, facts, job, plan, stepOf, work, worker } from '../parts.ts';
import { landing } from '../world.ts';

const hold: TaskHold = { why: 'touch_set', words: 'ada changes b.ts, outside of src/.', files: ['b.ts'] };
const held = job({ state: 'landing', worker, round: 1, failures: 2, touchSet: ['src/'], hold });
const edited = (one: Task, edit: { touchSet?: string[]; priority?: number }) =>
  editPatch(one, { name: one.title, ...edit }, () => one);

describe('an edit of a job that left its touch set', () => {
  it('takes the hold away with another set, and a later hold is another moment', () => {
    const patch = edited(held, { touchSet: ['src/', 'b.ts'] });
    expect(patch).toEqual({ id: 't', touchSet: ['src/', 'b.ts'], lifted: 'on_error:1.2' });
    const of = plan(['t'], { mode: 'supervisor' });
    const [lifted, heldAnew] = [
      { ...held, lifted: 'on_error:1.2' },
      { ...held, lifted: 'on_error:1.2', failures: 3 },
    ];
    const next = (one: Task) => stepOf(one, { works: [work({ turn: ended() })], plans: [of] });
    const heldAt = (one: Task) => checkpointsOf(facts({ tasks: [one], plans: [of] }).book, of).map(({ key }) => key);
    expect(heldAt(lifted)).not.toContain('on_error:1.2');
    expect(next(lifted)).toMatchObject({
      do: 'note',
      set: { progress: { is: 'landing', isUnchecked: false }, failures: 3, reason: null },
    });
    expect(heldAt(heldAnew)).toEqual(['on_error:1.3']);
    expect(next(heldAnew)).toBeUndefined();
  });

  it('leaves the hold where it changes no set, and what holds the job for another reason', () => {
    expect(edited(held, { priority: 9 })).toEqual({ id: 't', priority: 9 });
    const other = job({ ...held, hold: { ...hold, why: 'checkout_in_the_way' } });
    expect(edited(other, { touchSet: ['b.ts'] })).toEqual({ id: 't', touchSet: ['b.ts'] });
  });

  it('makes it land again, and no decision about the old hold counts', () => {
    const decisions = { 'on_error:1.2': { action: 'retry', at: 0 } } as const;
    const rest = { ...held, progress: landsNow(held), failures: 3, decisions };
    expect(stepOf(rest, { works: [work({ turn: ended() })], plans: [plan(['t'])] })).toMatchObject({ do: 'land' });
  });

  it('counts also where it came while the landing judged by the old set', async () => {
    const before = { ...held, progress: landsNow(held) };
    const outside = landing({ outcome: 'outside', target: 'lane', outside: ['b.ts'], reason: 'outside of src/.' });
    const landedBeside = (now: Task) =>
      performTask(
        {
          crew: { ...stubCrew(() => undefined), land: async () => outside },
          ...{
            folder: '/never',
            claimed: new Set(),
            run: { signal: new AbortController().signal, tell: () => undefined },
          },
          facts: () => facts({ tasks: [now], works: [work({ turn: ended() })], plans: [plan(['t'])] }),
        },
        'land',
        before,
      );
    expect(await landedBeside({ ...before, touchSet: ['src/', 'b.ts'] })).toEqual({});
    expect(await landedBeside({ ...before, touchSet: ['src/'] })).toMatchObject({
      progress: { hold: { why: 'touch_set' } },
    });
  });
});
