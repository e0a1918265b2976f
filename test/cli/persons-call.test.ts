import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { personsCall, personsHint } from '../../src/cli/persons-call.ts';
import { advise, call } from '../../src/model/advice.ts';
import { tools } from '../../src/tools/index.ts';

it.each([
  ['approve_plan {"plan_id":"p1","checkpoint":"start","action":"continue"}', 'crewmux plan approve p1 --at start'],
  ['restart_workers {"session_ids":["a"],"fresh":true}', 'crewmux restart a --fresh'],
  ['wait_idle_workers {"session_ids":["Ada","Bo of Bath"]}', "crewmux wait Ada 'Bo of Bath'"],
  ['message_workers {"session_ids":["a"],"message":"go on"}', "crewmux message a 'go on'"],
  ['approve_plan {"plan_id":"p1","job":"a"}', 'crewmux plan approve p1 --job a'],
  ['approve_plan {"plan_id":"p1","job":["a","b"]}', 'crewmux plan approve p1 --job a,b'],
  [
    'message_workers {"session_ids":["a","b"],"message":"go on"}',
    "crewmux message a 'go on' && crewmux message b 'go on'",
  ],
  ['close_workers {"session_ids":["a"],"force":true}', 'crewmux close a --force'],
  ['wait_tasks {"task_ids":["t1"]}', 'crewmux status --watch'],
  ['edit_plan {"plan_id":"p1","skip":["page"]}', 'ask your manager to leave page out'],
  ['edit_plan {"plan_id":"p1","test_command":""}', 'ask your manager to change its tests'],
  ['update_task {"task_id":"t1","action":"retry"}', 'ask your manager to retry the task'],
  ['update_task {"action":"resume"}', 'ask your manager to resume the project'],
  ['annotate_worker {"session_id":"a"}', 'ask your manager'],
  ['schedule_task {"action":"enable","id":"s1"}', 'crewmux schedule enable s1'],
  ['schedule_task {"action":"list"}', 'crewmux schedule'],
  ['run_loop {"action":"resume","project_path":"/p","max_iterations":20}', 'crewmux loop resume --max-iterations 20'],
  ['run_loop {"action":"stop","now":true}', 'crewmux loop stop --now'],
  ['run_loop {"action":"status"}', 'crewmux loop'],
  ['run_loop {"action":"start","goal":"Sell a cart."}', "crewmux loop start 'Sell a cart.'"],
  ['toString {"plan_id":"p1"}', 'ask your manager'],
  ['approve_plan "p1"', '`crewmux plan approve` "p1"'],
  ['merge_worker {"session_id":"w1","test_command":""}', "crewmux merge w1 --test ''"],
])('a person makes the call %s as %s', (call, words) => {
  expect(personsCall(call)).toBe(words);
});

it.each([
  ['Call list_workers for ids and names.', 'Run `crewmux status` for ids and names.'],
  [
    'Look with read_worker_screen and read_worker_logs before you resend.',
    'Look with `crewmux attach` and `crewmux logs` before you resend.',
  ],
  [
    'Call discover_workers, and restart_workers {"session_ids": ["a"]} lets it go on.',
    'Ask your manager, and `crewmux restart a` lets it go on.',
  ],
])('a person reads the hint %s as %s', (hint, words) => {
  expect(personsHint(hint)).toBe(words);
});

it('a model reads the call in an advice, and a person what they do in its place', () => {
  const first = advise`Wait with wait_tasks, or ${call('interrupt_workers', 'interrupt it in its pane')} first.`;
  const told = advise`busy: ${first} ${'Or pass'} ${call('force: true', '--force')}.`;
  const model = 'busy: Wait with wait_tasks, or interrupt_workers first. Or pass force: true.';
  expect([`${told}`, JSON.stringify({ told })]).toEqual([model, JSON.stringify({ told: model })]);
  expect(personsHint(told)).toBe(
    'busy: Wait with `crewmux status --watch`, or interrupt it in its pane first. Or pass --force.',
  );
});

it('a call has the name by which the program was started', () => {
  expect(personsCall('diff_worker {"session_id":"a"}', 'npx -y crewmux')).toBe('npx -y crewmux diff a');
});

const rooms = ['crew', 'work', 'agents', 'backends', 'worktree', 'store', 'settings', 'permissions', 'system', 'model'];
const names = new RegExp(`\\b(?:${tools.flatMap(({ name }) => (name.includes('_') ? name : [])).join('|')})\\b`);

it('no sentence of ours that may come before a person names a tool there', () => {
  const files = rooms.flatMap((room) =>
    readdirSync(`src/${room}`, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(`src/${room}/${name}`, 'utf8')),
  );
  const sentences = files.flatMap((text) => text.split('\n')).filter((line) => names.test(line));
  expect(sentences.length).toBeGreaterThan(50);
  for (const sentence of sentences) expect(personsHint(sentence)).not.toMatch(names);
});
