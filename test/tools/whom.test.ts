import { expect, it } from 'vitest';
import type { Crew } from '../../src/crew/api.ts';
import { tools } from '../../src/tools/index.ts';
import type { WorkerView } from '../../src/wire/worker.ts';
import type { Fields } from '../support/mcp.ts';
import { stubExaminer, ada as view } from '../support/stub-crew.ts';
import { stubWorkshop } from '../support/stub-jobs.ts';

const calm = { signal: new AbortController().signal, tell: () => undefined, maxWaitMs: 0 };
const others = { manager: '2', alive: true, mine: false };
const crewOf: readonly WorkerView[] = [
  { ...view, session_id: 'ada' },
  { ...view, session_id: 'bruno', status: 'waiting' },
  { ...view, session_id: 'cy', status: 'dead' },
  { ...view, session_id: 'dora', status: 'closed' },
  { ...view, session_id: 'ella', managed_by: others },
  { ...view, session_id: 'fred', status: 'dead', managed_by: others },
];

/** The workers that the verb is asked about. */
async function askedOf(name: string, verb: keyof Crew, args: Fields, crew = crewOf): Promise<unknown> {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  const asked: unknown[] = [];
  const stub = stubWorkshop(() => undefined);
  const list: Crew['list'] = async ({ includeClosed }) => {
    const workers = crew.filter(({ status }) => includeClosed || status !== 'closed');
    return { workers, count: workers.length, attention: [], attach: null };
  };
  const noting = (order: { readonly workers: unknown }, ...rest: readonly unknown[]) => {
    asked.push(order.workers);
    return Reflect.apply(stub[verb], stub, [order, ...rest]);
  };
  await tool.call(async () => ({ ...stub, ...stubExaminer, list, [verb]: noting }), args, calm);
  return asked[0];
}

const live = ['ada', 'bruno'];

it.each<[string, keyof Crew, Fields, readonly string[]]>([
  ['message_workers', 'send', { message: 'Go on.' }, live],
  ['interrupt_workers', 'interrupt', {}, live],
  ['wait_idle_workers', 'wait', { timeout: 0 }, live],
  ['check_idle_workers', 'checkIdle', {}, live],
  ['check_conflicts', 'conflicts', {}, live],
  ['close_workers', 'close', {}, live],
  ['restart_workers', 'restart', {}, ['cy']],
  ['cleanup_worktrees', 'clean', {}, ['ada', 'bruno', 'cy', 'dora']],
])('"all" means to %s those of this manager that it can concern', async (name, verb, args, wanted) => {
  for (const session_ids of ['all', ['all'], 'All'])
    expect(await askedOf(name, verb, { ...args, session_ids })).toEqual(wanted);
  expect(await askedOf(name, verb, { ...args, session_ids: 'ella' })).toEqual(['ella']);
  expect(await askedOf(name, verb, { ...args, session_ids: ['all', 'ella'] })).toEqual(['all', 'ella']);
});

it.each<[string, keyof Crew, string]>([
  ['close_workers', 'close', 'force'],
  ['cleanup_worktrees', 'clean', 'discard'],
])('%s refuses "all" by name with what cannot be taken back', async (name, verb, parameter) => {
  const all = askedOf(name, verb, { session_ids: 'all', [parameter]: true });
  await expect(all).rejects.toMatchObject({
    code: 'invalid_argument',
    message: `session_ids is "all" and ${parameter} is true: ${parameter} takes workers by name alone.`,
  });
  expect(await askedOf(name, verb, { session_ids: live, [parameter]: true })).toEqual(live);
});

it.each<[string, keyof Crew, string]>([
  ['close_workers', 'close', 'live '],
  ['restart_workers', 'restart', 'dead '],
  ['cleanup_worktrees', 'clean', ''],
])('%s of "all" tells where there is none', async (name, verb, kind) => {
  await expect(askedOf(name, verb, { session_ids: 'all' }, crewOf.slice(4))).rejects.toMatchObject({
    code: 'unknown_worker',
    message: `session_ids is "all", and this manager has no ${kind}worker.`,
  });
});

it('close_workers closes those of a role or in a status in place of names, and never with force', async () => {
  const crew = crewOf.map((one) => ({ ...one, role: one.session_id === 'cy' ? 'tester' : 'maker' }));
  expect(await askedOf('close_workers', 'close', { role: 'maker' }, crew)).toEqual(['ada', 'bruno']);
  expect(await askedOf('close_workers', 'close', { role: 'tester' }, crew)).toEqual(['cy']);
  expect(await askedOf('close_workers', 'close', { status: 'waiting' }, crew)).toEqual(['bruno']);
  const refused = (args: Fields) => expect(askedOf('close_workers', 'close', args, crew)).rejects;
  await refused({ role: 'scout' }).toMatchObject({ code: 'unknown_worker' });
  await refused({ role: 'maker', force: true }).toThrow('role and force are given, and they exclude each other');
  await refused({ role: 'maker', session_ids: ['ada'] }).toThrow('session_ids and role are given');
  await refused({}).toThrow('session_ids or role or status is missing');
});

it('restart_workers takes all in place of names, alone or with a role, and no name besides', async () => {
  const crew = crewOf.map((one) => ({ ...one, role: one.session_id === 'cy' ? 'tester' : 'maker' }));
  const asked = (args: Fields) => askedOf('restart_workers', 'restart', args, crew);
  expect(await asked({ all: true })).toEqual(['cy']);
  expect(await asked({ all: true, role: 'tester' })).toEqual(['cy']);
  expect(await askedOf('restart_workers', 'restartPlan', { all: true, dry_run: true }, crew)).toEqual(['cy']);
  await expect(asked({ all: true, role: 'maker' })).rejects.toMatchObject({ code: 'unknown_worker' });
  await expect(asked({ all: true, session_ids: ['cy'] })).rejects.toThrow('session_ids and all are given');
  await expect(asked({})).rejects.toThrow('session_ids or all is missing');
});
