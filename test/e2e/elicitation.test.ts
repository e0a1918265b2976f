// What workers ask is put to the person at the client, where the user has chosen so.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import type { Fields, Person } from '../support/mcp.ts';
import { eventually } from '../support/sandbox.ts';
import { openStand, type Server, type Stand } from './crew.ts';

interface Shown {
  readonly form: Fields;
  readonly gone: AbortSignal;
  readonly fill: (content: Record<string, string>) => void;
}

let stand: Stand;
beforeAll(() => {
  stand = openStand();
  writeFileSync(join(stand.sandbox.root, 'elicit.json'), JSON.stringify({ attention: { elicit: true } }));
});
afterAll(() => stand.dispose());

/** A client whose person sees the forms of its own server. */
async function seated(config = 'elicit.json') {
  const shown: Shown[] = [];
  const person: Person = (form, gone) =>
    new Promise((resolve) => {
      shown.push({ form, gone, fill: (content) => resolve({ action: 'accept', content }) });
    });
  const server = await stand.serve({ CREWMUX_CONFIG: join(stand.sandbox.root, config) }, person);
  const form = (of: string) => eventually(`the form of ${of}`, () => shown.find((one) => textOf(one).includes(of)));
  return { server, shown, form };
}
const textOf = ({ form }: Shown) => String(form.message);
const asking = { skip_permissions: false, permission_mode: 'manual', use_worktree: false };
const allowed = z.looseObject({ success: z.boolean() });

async function eventsOf(server: Server, worker: string) {
  return (await server.events()).filter(({ worker_id, type }) => worker_id === worker && type === 'worker_answered');
}

it('a permission that the person allows there lets the worker go on, and the answer says who gave it', async () => {
  const { server, form } = await seated();
  const ada = await server.one({ name: 'ada', ...asking, prompt: 'BASH touch made\nSAY made it' });
  const { form: seen, fill } = await form('ada wants to run: touch made');
  expect(seen).toMatchObject({
    mode: 'form',
    message: expect.stringContaining('ada wants to run: touch made'),
    requestedSchema: { properties: { decision: { enum: ['allow', 'deny'] } }, required: ['decision'] },
  });
  const [need] = (await server.wait([ada])).attention;
  fill({ decision: 'allow' });
  expect(await server.wait([ada])).toMatchObject({ all_idle: true, attention: [] });
  expect(existsSync(join(ada.project_path, 'made'))).toBe(true);
  expect(await eventsOf(server, ada.session_id)).toMatchObject([{ data: { by: 'person', decision: 'allow' } }]);
  const late = { session_id: ada.session_id, request_id: need?.request_id, decision: 'deny' };
  await expect(server.call('answer_worker', allowed, late)).rejects.toThrow('was answered by a person ("allow")');
});

it('an act that only a person may allow is allowed there, and not by the manager', async () => {
  const { server, form } = await seated();
  const eve = await server.one({ name: 'eve', ...asking, prompt: 'BASH cat ~/.ssh/id_none\nSAY read' });
  const { fill } = await form('eve wants to run: cat');
  const allow = { session_id: eve.session_id, decision: 'allow' };
  await expect(server.call('answer_worker', allowed, allow)).rejects.toThrow('Only a person may allow this');
  fill({ decision: 'allow' });
  expect(await server.wait([eve], { on_attention: 'ignore' })).toMatchObject({ all_idle: true });
  expect(await eventsOf(server, eve.session_id)).toMatchObject([{ data: { by: 'person', decision: 'allow' } }]);
});

it('a question of a worker gets the option that the person chose, or their own words', async () => {
  const { server, form } = await seated();
  const ben = await server.one({ name: 'ben', use_worktree: false, prompt: 'HOLD never' });
  const tools = await stand.toolsOf(ben);
  const cents = tools.call('ask_manager', { question: 'Cents or euros?', options: ['Cents', 'Euros'] });
  (await form('ben asks: Cents or euros?')).fill({ answer_1: 'Euros' });
  expect(await cents).toMatchObject({ answer: 'Euros', answered_by: 'person' });
  const port = tools.call('ask_manager', { question: 'Which port?' });
  (await form('ben asks: Which port?')).fill({ answer_1: '8080' });
  expect(await port).toMatchObject({ answer: '8080', answered_by: 'person' });
});

it('the form goes when the manager answers first', async () => {
  const { server, shown, form } = await seated();
  const cleo = await server.one({ name: 'cleo', ...asking, prompt: 'BASH touch quick\nSAY done' });
  const { gone, fill } = await form('cleo wants to run: ');
  await server.call('answer_worker', allowed, { session_id: cleo.session_id, decision: 'deny' });
  await eventually('the form is taken back', () => gone.aborted);
  fill({ decision: 'allow' });
  expect(await server.wait([cleo])).toMatchObject({ all_idle: true });
  expect(existsSync(join(cleo.project_path, 'quick'))).toBe(false);
  expect(await eventsOf(server, cleo.session_id)).toMatchObject([{ data: { by: 'manager', decision: 'deny' } }]);
  expect(shown).toHaveLength(1);
});

it('nothing is sent by default, nor to a client that shows no forms', async () => {
  const { server, shown } = await seated('nothing.json');
  const mute = await stand.serve({ CREWMUX_CONFIG: join(stand.sandbox.root, 'elicit.json') });
  const [dora, emma] = [
    await server.one({ name: 'dora', ...asking, prompt: 'BASH touch a\nSAY done' }),
    await mute.one({ name: 'emma', ...asking, prompt: 'BASH touch b\nSAY done' }),
  ];
  for (const [by, of] of [
    [server, dora],
    [mute, emma],
  ] as const) {
    expect((await by.wait([of])).attention).toHaveLength(1);
    await by.call('answer_worker', allowed, { session_id: of.session_id, decision: 'allow' });
    expect(await by.wait([of])).toMatchObject({ all_idle: true });
  }
  expect(shown).toEqual([]);
  const log = join(stand.sandbox.dir('crewmux'), 'crewmux.log');
  expect(existsSync(log) ? readFileSync(log, 'utf8') : '').not.toContain('elicitation');
});
