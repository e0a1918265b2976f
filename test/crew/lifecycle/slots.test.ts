import { describe, expect, it } from 'vitest';
import { slotted } from '../../../src/crew/lifecycle/slots.ts';
import type { StartOrder } from '../../../src/crew/lifecycle/start-order.ts';

const coder = { id: 'coder-1', role: 'implementer', agent_type: 'codex', model: 'fast' };
const tester = { id: 'tester-1', role: 'tester', project_path: '/shop' };
const any = { id: 'any-1' };
const at = { slots: [coder, tester, any], project: '/shop', living: [], given: new Set<string>() };
type Given = Parameters<typeof slotted>[1];
const ada = { id: 'aaaa0001', name: 'ada' };
const spawn = (slot: string, more: Partial<StartOrder> = {}): StartOrder => ({ project: 'auto', slot, ...more });

describe('a start in a slot', () => {
  it('has its name, and what the call leaves out', () => {
    expect(slotted(spawn('coder-1', { prompt: 'Go.' }), at)).toEqual({
      ...{ project: 'auto', slot: 'coder-1', name: 'coder-1', prompt: 'Go.' },
      ...{ role: 'implementer', agentType: 'codex', model: 'fast' },
    });
    expect(slotted(spawn('coder-1', { model: 'slow' }), at)).toMatchObject({ model: 'slow', agentType: 'codex' });
    expect(slotted(spawn('tester-1'), at)).toMatchObject({ project: '/shop', role: 'tester' });
  });

  it.each<[string, StartOrder, Partial<Given>, string]>([
    ['there is none', spawn('coder-2'), {}, 'There is no slot "coder-2". Known: coder-1, tester-1, any-1.'],
    ['it has a name', spawn('any-1', { name: 'bea' }), {}, 'The slot any-1 has its name and its project'],
    ['it has a project', spawn('any-1', { project: '/p' }), {}, 'The slot any-1 has its name and its project'],
    ['its worker lives', spawn('any-1'), { living: [{ ...ada, slot: 'any-1' }] }, 'has its worker ada [aaaa0001].'],
    ['its name is in use', spawn('any-1'), { living: [{ ...ada, name: 'Any-1' }] }, 'has its worker Any-1 [aaaa0001].'],
    ['it is named twice', spawn('any-1'), { given: new Set(['any-1']) }, 'is named twice in this call.'],
  ])('is refused where %s', (_, order, more, words) => {
    expect(() => slotted(order, { ...at, ...more })).toThrow(words);
  });

  it.each([
    ['Go.', 'Give it this with message_workers {"session_ids":["ada"],"message":"Go."}.'],
    [undefined, 'Give ada more work with message_workers, or end it with close_workers {"session_ids":["ada"]}.'],
  ])('that is refused for its worker names a whole call (prompt %j)', (prompt, hint) => {
    const order = spawn('any-1', prompt === undefined ? {} : { prompt });
    const refused = () => slotted(order, { ...at, living: [{ ...ada, slot: 'any-1' }] });
    expect(refused).toThrow(expect.objectContaining({ code: 'worker_busy', hint }));
  });
});

describe('a task', () => {
  const order = { project: '/shop', fillsSlot: true, role: 'tester' } as const;
  const slotOf = (more: Partial<StartOrder>, there: Partial<Given> = {}) =>
    slotted({ ...order, ...more }, { ...at, ...there }).slot;
  it('takes a free slot of its role', () => {
    expect(slotted(order, at)).toEqual({ ...order, slot: 'tester-1', name: 'tester-1' });
    const coding = { ...order, role: 'implementer' };
    expect(slotted(coding, at)).toMatchObject({ project: '/shop', name: 'coder-1', agentType: 'codex', model: 'fast' });
  });
  it.each<[string, Partial<StartOrder>, Partial<Given>]>([
    ['of another role', { role: 'reviewer' }, {}],
    ['whose worker lives', {}, { living: [{ ...ada, slot: 'tester-1' }] }],
    ['whose name is in use', {}, { living: [{ ...ada, name: 'tester-1' }] }],
    ['that another has just taken', {}, { given: new Set(['tester-1']) }],
    ['of another project', { project: '/p' }, { project: '/p' }],
    ['with another agent', { role: 'implementer', agentType: 'claude' }, {}],
    ['with another model', { role: 'implementer', model: 'slow' }, {}],
  ])('takes none %s', (_, more, there) => expect(slotOf(more, there)).toBeUndefined());
  it('takes none without a role, and a start by hand takes none unasked', () => {
    expect(slotted({ project: '/shop', fillsSlot: true }, at)).not.toHaveProperty('slot');
    expect(slotted({ project: '/shop', role: 'tester' }, at)).not.toHaveProperty('slot');
  });
});
