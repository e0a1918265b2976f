// What an agent waits for at each question that somebody has answered before, and how soon a manager hears of one that none does.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { askingCommand, beforehandCommand } from '../src/agents/signal-hook.ts';
import { tripwireWords } from '../src/permissions/tripwire.ts';
import { addRemembered } from '../src/store/remembered.ts';
import { list } from '../src/wire/parts.ts';
import { makeSandbox, type Sandbox } from '../test/support/sandbox.ts';
import { percentile, type Row, timed } from './measure.ts';
import { agentEnv, openStand } from './stand.ts';

const rounds = 30;
const question = {
  hook_event_name: 'PermissionRequest',
  tool_name: 'Bash',
  tool_input: { command: 'npm test' },
  cwd: '/',
};

export async function measureHook(): Promise<Row[]> {
  const sandbox = makeSandbox();
  try {
    return await measureIn(sandbox);
  } finally {
    sandbox.dispose();
  }
}

async function measureIn(sandbox: Sandbox): Promise<Row[]> {
  const launchDir = sandbox.dir('workers/aaaa0001/launches/1');
  const workerDir = join(sandbox.root, 'workers/aaaa0001');
  const place = { v: 1, root: '/', userHome: '/', stateHome: sandbox.root };
  mkdirSync(workerDir, { recursive: true });
  writeFileSync(join(workerDir, 'place.json'), JSON.stringify(place));
  const input = JSON.stringify(question.tool_input);
  await addRemembered(sandbox.root, 'worker:aaaa0001', { tool: 'Bash', input, decision: 'allow' });
  const program = [process.execPath, resolve('dist/crewmux.mjs')];
  const spec = { marker: 'm', signalsPath: join(launchDir, 'signals.jsonl'), launchDir, program, agent: 'claude' };
  const play = (file: string, args: readonly string[], told: object = question) =>
    timed(async () => {
      const child = spawn(file, args, { env: sandbox.env, stdio: ['pipe', 'ignore', 'ignore'] });
      child.stdin.end(JSON.stringify(told));
      await once(child, 'exit');
    });
  const bare: number[] = [];
  const ruled: number[] = [];
  const idle: number[] = [];
  const looked: number[] = [];
  const before = beforehandCommand({ ...spec, unjudged: '', tripwire: tripwireWords });
  const deletion = { ...question, hook_event_name: 'PreToolUse', tool_input: { command: 'rm -rf build' } };
  const silent: number[] = [];
  const telling: number[] = [];
  const atPrompt = promptCommand();
  const untold = join(sandbox.dir('untold'), '7');
  const session = { ...sandbox.env, CREWMUX_HOME: sandbox.root, CLAUDE_PID: '7' };
  const prompt = () => timed(() => once(spawn('sh', ['-c', atPrompt], { env: session, stdio: 'ignore' }), 'exit'));
  for (let i = 0; i < rounds; i++) {
    rmSync(untold, { force: true });
    silent.push(await prompt());
    writeFileSync(untold, `${i} ${process.pid}\n${'x'.repeat(600)}\n`);
    telling.push(await prompt());
    bare.push(await play(process.execPath, ['-e', '0']));
    ruled.push(await play('sh', ['-c', askingCommand(spec)]));
    idle.push(await play('sh', ['-c', before]));
    looked.push(await play('sh', ['-c', before], deletion));
  }
  const ratio = percentile(ruled, 0.5) / percentile(bare, 0.5);
  return [
    { what: 'node -e 0, beside the hook', unit: 'ms', samples: bare },
    { what: 'a hook that a remembered answer decides', unit: 'ms', samples: ruled },
    { what: 'the same, as a multiple of node -e 0', unit: 'x', samples: [ratio], target: { p50: 2.5 } },
    { what: 'a hook before a tool that nobody need look at', unit: 'ms', samples: idle, target: { p50: 20 } },
    { what: 'a hook before a deletion, which the tripwire reads', unit: 'ms', samples: looked },
    { what: 'the hook at a prompt that has nothing to tell', unit: 'ms', samples: silent, target: { p99: 150 } },
    { what: 'the same with something to tell', unit: 'ms', samples: telling, target: { p99: 150 } },
  ];
}

const hooks = z.object({
  hooks: z.object({ UserPromptSubmit: list(z.object({ hooks: list(z.object({ command: z.string() })) })) }),
});

function promptCommand(): string {
  const { UserPromptSubmit } = hooks.parse(JSON.parse(readFileSync('plugin/hooks/hooks.json', 'utf8'))).hooks;
  return UserPromptSubmit[0]?.hooks[0]?.command ?? '';
}

const waited = z.object({ attention: list(z.looseObject({ request_id: z.string().optional(), since: z.string() })) });
const asks = 10;

/** From the moment the hook was run to the answer of the wait that tells of it. */
export async function measureAttention(): Promise<Row[]> {
  const stand = await openStand();
  try {
    const [worker] = await stand.spawn([{ permission_mode: 'manual', env: agentEnv }]);
    if (worker === undefined) throw new Error('no worker');
    const id = worker.session_id;
    const told: number[] = [];
    for (let i = 0; i < asks; i++) {
      await stand.message(id, `BASH touch made-${i}\nSAY made`);
      const { attention } = waited.parse(await stand.server.call('wait_idle_workers', { session_ids: [id] }));
      const [need] = attention;
      if (need?.request_id === undefined) throw new Error(`Nothing was asked: ${JSON.stringify(attention)}`);
      told.push(Date.now() - Date.parse(need.since));
      await stand.server.call('answer_worker', { session_id: id, request_id: need.request_id, decision: 'allow' });
      await stand.wait([id]);
    }
    return [{ what: 'permission asked -> wait answered', unit: 'ms', samples: told, target: { p99: 1_000 } }];
  } finally {
    await stand.dispose();
  }
}
