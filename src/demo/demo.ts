// Runs the main job in a few seconds, on a scratch repository, with scripted agents in place of models.
import { platform } from 'node:os';
import { z } from 'zod';
import { missingSentence, type Needed, needed } from '../model/needs.ts';
import { run } from '../system/exec.ts';
import { briefWorker, evidenceWords } from '../wire/worker.ts';
import { connectDemo, type DemoClient } from './client.ts';
import { makeScratch, type Scratch } from './scratch.ts';

export interface DemoOptions {
  readonly write: (text: string) => void;
  readonly complain: (text: string) => void;
  /** Node and this program: they start the server, and with an argument the scripted agent. */
  readonly node: string;
  readonly bundle: string;
  readonly path: string;
  readonly tmp: string;
  /** Resolves when the person has seen enough; the crew stays up until then. */
  readonly until?: () => Promise<void>;
  /** The person answers, lands and closes by themselves: nothing is done for them. */
  readonly stays?: boolean;
  /** Aborts when the person wants the demo to end at once. */
  readonly stop: AbortSignal;
}

const spawned = z.looseObject({
  sessions: z.array(briefWorker),
  attach: z.string().nullable(),
  failed: z.array(z.looseObject({ error: z.string() })),
});
const waited = z.looseObject({
  waited_seconds: z.number(),
  all_idle: z.boolean(),
  idle_session_ids: z.array(z.string()),
  attention: z.array(
    z.looseObject({
      session_id: z.string(),
      title: z.string(),
      request_id: z.string().optional(),
      tool: z.looseObject({ input: z.looseObject({ command: z.string().optional() }) }).optional(),
      options: z.array(z.string()).optional(),
    }),
  ),
});
const answered = z.looseObject({ via: z.string(), status: z.string() });
const logs = z.looseObject({ messages: z.array(z.looseObject({ role: z.string(), content: z.string() })) });
const messaged = z.looseObject({
  results: z.record(
    z.string(),
    z.looseObject({
      verdict: z.string(),
      evidence: z.looseObject({ detail: z.string() }),
      turn: z.looseObject({ ended_by: z.string().optional() }).nullish(),
    }),
  ),
});
const foreseen = z.looseObject({
  pairs: z.array(z.looseObject({ conflicts: z.array(z.string()) })),
  against_base: z.array(z.looseObject({ conflicts: z.array(z.string()) })),
});
const reviewed = z.looseObject({ file_count: z.number(), additions: z.number() });
const merged = z.looseObject({
  outcome: z.string(),
  target: z.string(),
  to_commit: z.string(),
  checkout: z.string(),
  tests: z.looseObject({ status: z.string() }),
});
const closed = z.looseObject({
  results: z.record(z.string(), z.looseObject({ worktree: z.string(), branch: z.string().nullable() })),
});

/** The longest wait for a worker: too long for a slow machine to reach, and below the timeout of a call. */
const patienceSeconds = 110;

/** The programs that are not installed, of those that it needs. */
async function missingOf(path: string): Promise<readonly Needed[]> {
  const ran = await Promise.all(needed.map((program) => run(program, versionArgs[program], { env: { PATH: path } })));
  return needed.filter((_, at) => ran[at]?.startError !== undefined);
}

const versionArgs = { tmux: ['-V'], git: ['--version'] } as const;

/** Runs to the end and returns 0, or says what failed and returns 1; 130 when it was stopped. Leaves nothing behind. */
export async function demo(options: DemoOptions): Promise<number> {
  const { write, stop } = options;
  const agent = [options.node, options.bundle, 'scripted-agent'];
  const missing = await missingOf(options.path);
  if (missing.length > 0) {
    options.complain(`${missingSentence(missing, platform())}\n`);
    return 1;
  }
  let scratch: Scratch | undefined;
  try {
    scratch = await makeScratch({ tmp: options.tmp, path: options.path, agent });
    await playWithServer(scratch, options);
    return 0;
  } catch (error) {
    if (stop.aborted) write('\nStopped. Nothing of it is left behind.\n');
    else write(`The demo failed: ${error instanceof Error ? error.message : String(error)}\n`);
    return stop.aborted ? 130 : 1;
  } finally {
    await scratch?.remove();
  }
}

async function playWithServer(scratch: Scratch, options: DemoOptions): Promise<void> {
  const { node, bundle, stop } = options;
  const client = await connectDemo({ command: node, args: [bundle], env: scratch.env, cwd: scratch.repo });
  // Closing the connection makes a running call fail.
  const close = () => void client.close();
  stop.addEventListener('abort', close, { once: true });
  try {
    stop.throwIfAborted();
    await (options.stays === true ? stay(client, scratch, options) : play(client, scratch, options));
  } finally {
    await client.close();
  }
}

const setting = 'A scratch repository, real tmux, real git worktrees, and two scripted agents in place of models.\n';

async function stay(client: DemoClient, scratch: Scratch, { write, until, stop }: DemoOptions): Promise<void> {
  const say = (text: string) => write(`${text}\n`);
  say(setting);
  await spawnTwo(client, scratch, say);
  say('One of them asks for something. Type that line in another terminal; there, C-b is the Ctrl key with b, then:');
  say('   C-b a   answer what a worker asks');
  say('   C-b b   the board, with keys: g lands, x closes, q ends it');
  say('   C-b ?   every key');
  say('   C-b d   leave; nothing ends');
  say('\nPress Enter here to end the crew and remove the scratch repository.\n');
  await until?.();
  stop.throwIfAborted();
}

async function play(client: DemoClient, scratch: Scratch, { write, until, stop }: DemoOptions): Promise<void> {
  const say = (text: string) => write(`${text}\n`);
  say(setting);
  const names = await spawnTwo(client, scratch, say);
  await untilDone(client, names, say);
  say('3. read_worker_logs: what they say they did.');
  for (const name of names) {
    const { messages } = await client.call('read_worker_logs', { session_id: name }, logs);
    say(
      `   ${name}: ${
        messages
          .findLast((message) => message.role === 'assistant')
          ?.content.split('\n')
          .at(-1) ?? ''
      }`,
    );
  }
  await speakAgain(client, names, say);
  await needSomebody(client, names, say);
  if (until !== undefined) {
    say('The crew stays up for you to look at. Press Enter to close it.\n');
    await until();
    stop.throwIfAborted();
  }
  await land(client, names, say);
  say('7. close_workers: agents ended, clean worktrees removed, branches kept.');
  const { results } = await client.call('close_workers', { session_ids: names, force: true }, closed);
  for (const [name, one] of Object.entries(results)) say(`   ${name}: worktree ${one.worktree}, branch ${one.branch}`);
  say(`\n${await scratch.git('log', '--oneline', '--graph', '--all', '--decorate')}`);
  say(
    '\nThat was all of it: both landed on main, tested, and nothing was pushed. Try it with `claude`: see the README.',
  );
}

async function land(client: DemoClient, names: readonly string[], say: (text: string) => void): Promise<void> {
  say('6. check_conflicts, diff_worker and merge_worker: foresee, review, and land one after the other, tested.');
  const { pairs, against_base } = await client.call('check_conflicts', { session_ids: names }, foreseen);
  const clashes = [...pairs, ...against_base].flatMap(({ conflicts }) => conflicts);
  say(
    `   ${names.join(' and ')}: ${clashes.length === 0 ? 'no conflicts foreseen' : `conflicts in ${clashes.join(', ')}`}`,
  );
  for (const name of names) {
    const { file_count, additions } = await client.call('diff_worker', { session_id: name, stat: true }, reviewed);
    const one = await client.call('merge_worker', { session_id: name, test_command: 'test -s README.md' }, merged);
    say(
      `   ${name}: ${file_count} file, +${additions}; ${one.outcome} on ${one.target} as ${one.to_commit.slice(0, 7)}, tests ${one.tests.status}, checkout ${one.checkout}`,
    );
  }
  say('');
}

async function spawnTwo(client: DemoClient, scratch: Scratch, say: (text: string) => void): Promise<readonly string[]> {
  say('1. spawn_workers: two workers, each in its own pane, worktree and branch.');
  const task = (file: string, text: string) =>
    [
      'SLEEP 1',
      `WRITE ${file} ${text}`,
      `BASH git add ${file} && git commit -q -m "Add ${file}"`,
      `SAY I wrote ${file} and committed it.`,
    ].join('\n');
  const { sessions, attach, failed } = await client.call(
    'spawn_workers',
    {
      workers: [
        { project_path: scratch.repo, annotation: 'cart', prompt: task('cart.txt', 'apples'), skip_permissions: true },
        {
          project_path: scratch.repo,
          annotation: 'checkout',
          prompt: task('checkout.txt', 'pay here'),
          permission_mode: 'acceptEdits',
        },
      ],
    },
    spawned,
  );
  if (sessions.length < 2) throw new Error(failed.map(({ error }) => error).join('; '));
  for (const worker of sessions) {
    say(`   ${worker.name} on branch ${worker.branch ?? '?'}: ${worker.status} (${evidenceWords(worker)})`);
  }
  if (attach !== null) say(`   Watch them in another terminal: ${attach}`);
  say('');
  return sessions.map(({ name }) => name);
}

async function speakAgain(client: DemoClient, names: readonly string[], say: (text: string) => void): Promise<void> {
  say('\n4. message_workers: more work, with proof of arrival, and a wait for that very turn.');
  const [first = ''] = names;
  const message = 'Thank you. One more thing:\nSAY The cart holds apples.';
  const { results } = await client.call(
    'message_workers',
    { session_ids: [first], message, wait_mode: 'all', timeout: patienceSeconds },
    messaged,
  );
  for (const [name, one] of Object.entries(results))
    say(`   ${name}: ${one.verdict} (${one.evidence.detail}); its turn: ${one.turn?.ended_by ?? 'not over yet'}`);
}

/** Waits for all workers at once; answers a worker that asks, and waits again. */
async function untilDone(client: DemoClient, names: readonly string[], say: (text: string) => void): Promise<void> {
  say('2. wait_idle_workers: one call waits for both, and ends early when one of them asks for something.');
  for (;;) {
    const done = await client.call('wait_idle_workers', { session_ids: names, timeout: patienceSeconds }, waited);
    const [need] = done.attention;
    if (need === undefined) {
      if (!done.all_idle) throw new Error(`${names.join(' and ')} were not idle within ${done.waited_seconds} s.`);
      say(`   ${done.idle_session_ids.join(' and ')} idle after another ${done.waited_seconds} s.\n`);
      return;
    }
    say(`   after ${done.waited_seconds} s: ${need.title}`);
    await give(client, need, { decision: 'allow' }, say);
  }
}

type Need = z.infer<typeof waited>['attention'][number];

async function give(client: DemoClient, need: Need, decision: object, say: (text: string) => void): Promise<void> {
  const { session_id, request_id } = need;
  const { via, status } = await client.call('answer_worker', { session_id, request_id, ...decision }, answered);
  say(`   answer_worker ${JSON.stringify(decision)}: taken through its ${via}; it is ${status}.`);
}

async function needSomebody(client: DemoClient, names: readonly string[], say: (text: string) => void): Promise<void> {
  say('\n5. A worker asks a question: the wait ends at once, with the call that answers.');
  const asker = names[1] ?? '';
  await client.call('message_workers', { session_ids: [asker], message: 'ASK Which colour?|red|blue' }, messaged);
  const asked = { session_ids: [asker], timeout: patienceSeconds };
  const { attention, waited_seconds } = await client.call('wait_idle_workers', asked, waited);
  if (attention.length === 0) throw new Error(`${asker} asked nothing within ${waited_seconds} s.`);
  for (const need of attention) {
    say(`   after ${waited_seconds} s: ${need.title}: ${need.options?.join(' or ') ?? ''}`);
    await give(client, need, { decision: 'choose', option: 'blue' }, say);
  }
  await client.call('wait_idle_workers', asked, waited);
  say('');
}
