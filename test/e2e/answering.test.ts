// A person answers at a terminal, by keys typed into a real tmux client.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { eventually } from '../support/sandbox.ts';
import { openStand, type Server, type Stand } from './crew.ts';
import { lineAgent } from './line-agent.ts';
import { theirTmux, typedCrewmux } from './theirs.ts';

let stand: Stand;
let server: Server;
let config = '';
const {
  inTheirs,
  openTheirs,
  typed,
  press: pressed,
  sees,
} = theirTmux(
  () => stand,
  () => ({ CREWMUX_CONFIG: config }),
);
const crewmux = typedCrewmux;
beforeAll(async () => {
  stand = openStand();
  config = join(stand.sandbox.root, 'config.json');
  const program = join(stand.sandbox.root, 'agent.py');
  writeFileSync(program, lineAgent);
  const line = { command: ['python3', program], prompt: '^you> ', dialog: '^Pick one', quiet_ms: 400 };
  writeFileSync(config, JSON.stringify({ agents: { line } }));
  openTheirs(120, 40);
  server = await stand.serve({ CREWMUX_CONFIG: config });
});
afterAll(async () => {
  inTheirs('kill-server');
  await stand.dispose();
});

it('a change is a diff, a plan is shown whole, who else waits is named, and one key tells the last answer', async () => {
  const asking = { skip_permissions: false };
  const dee = await server.one({ name: 'Dee', ...asking });
  writeFileSync(join(dee.worktree_path ?? '', 'cart.ts'), 'const one = 1;\nconst two = 2;\n');
  const rules = { scope: `worker:${dee.session_id}`, ask: ['Write', 'Edit'] };
  await server.connection.call('set_permissions', rules);
  await server.message(dee, 'WRITE cart.ts const one = 1;\\nconst two = 3;');
  await server.until(dee.session_id, 'waiting');
  const steps = Array.from({ length: 60 }, (_, at) => `step ${at + 1} of it`).join('\\n');
  const eli = await server.one({ name: 'Eli', prompt: `PLAN ${steps}`, ...asking });
  await server.until(eli.session_id, 'waiting');
  typed(`clear; ${crewmux} answer; echo code $?`);
  await sees(
    /! Dee wants to write cart\.ts \(\d+ s\)\n +@@ -1 \+1 @@\n +const one = 1;\n +-const two = 2;\n +\+const two = 3;\n/,
  );
  await sees(/ {2}1 more waits: Eli\n[\s\S]*\[y\] allow/);
  pressed('y');
  await sees(/^ *step 1 of it\n[\s\S]*q leads on to the keys/m);
  pressed('G');
  await sees(/^ *step 60 of it\n[\s\S]*\(END\)/m);
  pressed('q');
  await sees(
    /Dee: allow taken[\s\S]*! Eli asks approval of its plan[\s\S]*… \d+ more rows\n[\s\S]*\[v\] view all of it/,
  );
  pressed('u');
  await sees(
    /Last answered: Dee wants to write cart\.ts: allow, by a person with crewmux, \d+ s ago\. It cannot be\s+taken back\.\n[\s\S]*\[y\] allow/,
  );
  pressed('v');
  await sees(/^ *step 1 of it\n[\s\S]*q leads on to the keys/m);
  pressed('q');
  await sees(/\[v\] view all of it[^\n]*\s*$/);
  pressed('y');
  await sees(/Eli: allow taken[\s\S]*code 0/);
  typed(`clear; ${crewmux} answer`);
  await sees(/Nothing waits for you\.\nLast answered: Eli asks approval of its plan: allow, /);
  await server.until(eli.session_id, 'idle');
});

it('a key that was pressed before a request stands there answers nothing, and C-c in place of a reason sends nothing', async () => {
  const asking = (name: string) => ({ name, prompt: `BASH touch ${name}.txt`, skip_permissions: false });
  const fay = await server.one(asking('Fay'));
  await server.until(fay.session_id, 'waiting');
  const gil = await server.one(asking('Gil'));
  await server.until(gil.session_id, 'waiting');
  typed(`clear; ${crewmux} answer; echo code $?`);
  await sees(/Fay wants to run[\s\S]*\[y\] allow/);
  pressed('n');
  await sees(/Why not/);
  pressed('no', 'C-c');
  await sees(/Why not.*no\n[\s\S]*\[y\] allow/);
  expect(await server.until(fay.session_id, 'waiting')).toMatchObject({ waiting_for: 'permission' });
  pressed('y');
  await sees(/\[q\] quit +y/);
  pressed('y');
  await sees(/Fay: allow taken[\s\S]*Gil wants to run[\s\S]*\[q\] quit/);
  pressed('s');
  const shown = await sees(/code 0/);
  expect(shown).not.toContain('Gil: allow');
  await server.until(gil.session_id, 'waiting');
  await server.close(fay, true);
  await server.close(gil, true);
});

it("shows a dialog with a pointer: that is nobody's alone, and a call or a key answers it", async () => {
  const bare = { agent_type: 'line', use_worktree: false, skip_permissions: undefined };
  const worker = await server.one({ name: 'Lin', prompt: 'pick', ...bare });
  await server.until(worker.session_id, 'waiting');
  const { attention } = await server.wait([worker]);
  const { session_id } = worker;
  expect(attention).toMatchObject([
    {
      waiting_for: 'dialog',
      detail: 'Pick one?',
      answer_with: ['Yes', 'No'].map(
        (option) => `answer_worker ${JSON.stringify({ session_id, decision: 'choose', option })}`,
      ),
    },
  ]);
  const answer = { session_id, decision: 'choose', option: 'No' };
  expect(await server.call('answer_worker', z.looseObject({}), answer)).toMatchObject({
    success: true,
    via: 'screen',
  });
  await server.until(session_id, 'idle');
  expect(stand.screen(worker)).toContain('picked No\nyou>');
  await server.message(worker, 'pick');
  await server.until(session_id, 'waiting');
  typed(`clear; ${crewmux} answer; echo code $?`);
  await sees(/! Lin shows a dialog .*\n +Pick one\?\n +1 +Yes\n +2 +No\n/);
  pressed('2');
  await sees(/code 0/);
  await eventually('it is picked', () => stand.screen(worker).match(/picked No\nyou>/g)?.length === 2);
  await server.close(worker);
});
