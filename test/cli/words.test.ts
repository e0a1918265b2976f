import { expect, it } from 'vitest';
import type { Word } from '../../src/cli/word.ts';
import { words } from '../../src/cli/words.ts';
import type { SessionsQuery, SessionsResult, SessionView } from '../../src/wire/sessions.ts';
import { type } from './typed-line.ts';

const run = (line: string) => type(line.split(' ').filter(Boolean), { userHome: '/nowhere/home', cwd: '/nowhere' });

const paths = (all: readonly Word[], before = ''): readonly string[] =>
  all.flatMap((one) => {
    const path = `${before}${one.name}`;
    return 'words' in one ? [path, ...paths(one.words, `${path} `)] : [path];
  });

it.each(paths(words))('%s has a help that begins with its usage, asked for in any way', async (path) => {
  const help = await run(`${path} --help`);
  expect(help).toEqual({ code: 0, err: '', out: expect.stringMatching(new RegExp(`^Usage: crewmux ${path}`)) });
  expect(await run(`${path} -h`)).toEqual(help);
  expect(await run(`help ${path}`)).toEqual(help);
});

it.each(['help', '-h', '--help'])('%s lists every word for people, and none that only agents start', async (line) => {
  const { code, out, err } = await run(line);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatchInlineSnapshot(`
    "Usage: crewmux [word]

      (none)                            serve MCP on stdio; an MCP client starts it like this
      status [flags]                    show the workers (who needs somebody comes first), then plans and tasks
      board [--plain]                   show the crew with a cursor, and a key for each of these words; ? lists the keys, q ends
      usage [flags]                     show what workers have used: tokens first, money second
      attach [worker] [flags]           open a worker's pane in tmux, or the crew; C-b d leaves
      logs <worker> [flags]             print a worker's conversation
      answer [--plain]                  show what waits for somebody, and answer with one key each; without a terminal only show
      message [flags] <worker> <text…>  type a message into a worker, and print its verdict
      diff <worker> [--stat]            print what a worker has changed since its base, committed or not
      merge <worker> [flags]            merge a worker's branch into the one it was begun from
      close [worker…] [flags]           end workers for good; branches are kept, and worktrees that hold work
      adopt <session>                   take an agent that runs in tmux into the crew, by its id of \`crewmux sessions\`
      restart [worker…] [flags]         start dead or closed workers again, each with its conversation
      spawn <prompt…> [flags]           start a worker on a task, as in: spawn "Fix the cart." --name Ada
      wait [worker…] [flags]            wait until workers are idle, all of this project unless named; exit 1 for any other end
      digest [flags]                    tell what landed, failed, waits, was skipped and spent since a time, and how to go on
      events [flags]                    print what has happened in the crew since a time, oldest first
      task [flags]                      show the tasks of this project; submit, start or cancel one
      plan [plan] [flags]               show a plan with its jobs and what it waits for, or all plans; let it go on, end it, or save it
      schedule [--json]                 show what is entered again and again; add, remove, enable or disable it
      loop [--json]                     show the goal that is worked at plan after plan; start, resume or stop it
      keep [--pane] [--stop]            run the plans, loops and schedules of this project while no manager is there, until none is left
      demo [--keep] [--stay]            run the main job on a scratch repository, with no account
      init [flags]                      add crewmux to .mcp.json at the top of this checkout, and print the entry for Codex
      config <word>                     show and change the settings
      trust [flags]                     show what this project's configuration would change, and ask whether you agree
      roles [--json]                    list the roles of workers, where each comes from, and what is left aside
      templates [--json]                list the templates of plans, where each comes from, and what is left aside
      doctor [--clean] [--json]         look at tmux, git, agents, trust, settings and state
      sessions [flags]                  show your sessions of Claude Code and Codex, in a crew or not
      completion <shell>                print what your shell needs to complete these words
      help [word…]                      print this, or the help of a word
      version                           print the version

    Exit codes: 0 done, 1 failed or refused, 2 a wrong line.
    "
  `);
});

it.each(['version', '-v', '--version'])('%s prints the version alone', async (line) => {
  expect(await run(line)).toEqual({ code: 0, out: '9.9.9\n', err: '' });
});

it.each([
  ['frobnicate', 'crewmux: unknown word "frobnicate".\n'],
  ['kill Ada', 'crewmux: unknown word "kill". Did you mean close?'],
  ['docter', 'crewmux: unknown word "docter". Did you mean doctor?'],
  ['--versoin', 'crewmux: unknown flag "--versoin". Did you mean --version?'],
  ['toString', 'crewmux: unknown word "toString".'],
  ['help docter', 'crewmux: unknown word "docter". Did you mean doctor?'],
  ['doctor --jsno', 'crewmux doctor: unknown flag "--jsno". Did you mean --json?'],
  ['doctor --toString', 'crewmux doctor: unknown flag "--toString".'],
  ['doctor -j', 'crewmux doctor: unknown flag "-j".'],
  ['doctor now', 'crewmux doctor: "now" is too much.\nUsage: crewmux doctor [--clean] [--json]\n'],
  ['doctor --json=no', 'crewmux doctor: --json takes no value, and got "no".'],
  ['config', 'crewmux config: one of these words must follow: init, show, get, set, unset, path'],
  ['config shwo', 'crewmux config: unknown word "shwo". Did you mean show?'],
  ['config get', 'crewmux config get: <key> is missing.\nUsage: crewmux config get <key>\n'],
  ['config show --project', 'crewmux config show: unknown flag "--project".'],
  ['trust --yes --revoke', 'crewmux trust: --yes and --revoke exclude each other.'],
  ['close', 'crewmux close: name workers, or pass --all alone.'],
  ['close --all Ada', 'crewmux close: name workers, or pass --all alone.'],
  ['spawn --host big now', 'crewmux spawn: unknown flag "--host".'],
  ['spawn --template bug-fix --role tester now', 'crewmux spawn: --template says the agents and roles of its jobs'],
  ['wait --timeout soon', 'crewmux wait: --timeout takes seconds up to 86400, and got soon.'],
  ['task list --state gone', 'crewmux task list: --state is one of queued, blocked,'],
  ['task submit', 'crewmux task submit: <prompt…> is missing.'],
  ['task sumbit now', 'crewmux task: unknown word "sumbit". Did you mean submit?'],
  ['task now', 'crewmux task: "now" is too much.'],
  ['plan cancle shop', 'crewmux plan: unknown word "cancle". Did you mean cancel?'],
  ['ans', 'crewmux: unknown word "ans". Did you mean answer?'],
  ['close --al', 'crewmux close: unknown flag "--al". Did you mean --all?'],
  ['plan --watch --json', 'crewmux plan: --watch and --json exclude each other.'],
  ['status --json --plain', 'crewmux status: --json and --plain exclude each other.'],
  ['plan --watch', 'crewmux plan: --watch needs a terminal that it can draw on; --plain prints it once.\n'],
  ['plan one two', 'crewmux plan: "two" is too much.\nUsage: crewmux plan [plan] [--watch] [--json] [--plain]\n'],
  ['plan approve', 'crewmux plan approve: <plan> is missing.'],
  ['logs Ada -n none', 'crewmux logs: --messages takes a number from 1 to 500, and got none.'],
  [
    'digest --since yesterday',
    'crewmux digest: --since takes ISO 8601, such as 2030-01-31T12:00:00Z, or how long ago, such as 90m, 12h or 2d, and got "yesterday".',
  ],
  ['events --since -1h', 'crewmux events: --since needs a value.'],
  ['message Ada', 'crewmux message: <text…> is missing.'],
  ['message --stat Ada hello', 'crewmux message: unknown flag "--stat".'],
  ['worker --help', 'crewmux: unknown word "worker".'],
])('%s is refused with the nearest that is known, and nothing runs', async (line, why) => {
  expect(await run(line)).toEqual({ code: 2, out: '', err: expect.stringContaining(why) });
});

it('a worker that is not there is refused with a word that a person can type', async () => {
  const err = 'No worker is called "nobody". There are no workers.\n`crewmux status` shows the names.\n';
  expect(await run('logs nobody')).toEqual({ code: 1, out: '', err });
});

it('run by npx, an error, a usage and a refused line name npx', async () => {
  const program = '/home/me/.npm/_npx/1a2b/node_modules/crewmux/dist/crewmux.mjs';
  const byNpx = (...line: string[]) => type(line, { userHome: '/nowhere/home', cwd: '/nowhere', program });
  expect((await byNpx('logs', 'nobody')).err).toContain('\n`npx -y crewmux status` shows the names.\n');
  expect((await byNpx('doctor', '--help')).out).toMatch(/^Usage: npx -y crewmux doctor/);
  expect((await byNpx('plan', 'approve')).err).toContain('`npx -y crewmux plan approve --help` says more.');
});

it('list is another name of status', async () => {
  expect((await run('list --help')).out).toMatch(/^Usage: crewmux status /);
});

it('a flag reaches the word that it is given to', async () => {
  expect(await run('demo')).toMatchObject({ code: 40 });
  expect(await run('demo --keep')).toMatchObject({ code: 41 });
});

it('sessions are a row each, at home by ~, and one that is in no crew is said', async () => {
  const asked: unknown[] = [];
  const evidence = { source: 'agent', at: '2030-01-01T00:00:00.000Z', detail: 'busy' } as const;
  const one: SessionView = {
    agent_session_id: 'u1',
    agent_type: 'codex',
    project_path: '/nowhere/home/p',
    status: 'working',
    evidence,
    started_at: evidence.at,
    last_activity: '2000-01-01T00:00:00.000Z',
    title: 'Mend \u001b it',
    kind: 'headless',
    tasks: { pending: 1, in_progress: 0, completed: 2 },
  };
  const todo = {
    agent_session_id: 'u1',
    project_path: '/p',
    subject: 'Look',
    status: 'in_progress',
    blocked_by: ['2'],
  } as const;
  const examiner = async () => ({
    doctor: async () => ({ status: 'ok' as const, findings: [] }),
    agentSessions: async (query: SessionsQuery): Promise<SessionsResult> => {
      asked.push(query);
      return query.view === 'tasks' ? { tasks: [todo] } : { sessions: [one], warnings: ['1 file could not be read'] };
    },
  });
  const world = { userHome: '/nowhere/home', cwd: '/nowhere', examiner };
  const { out } = await type(['sessions'], world);
  expect(out.replace(/ \d+ d /, ' <age> ')).toMatchInlineSnapshot(`
    "STATE    AGENT            AGE     SESSION  DONE  PROJECT  WORKS ON
    working  codex, headless  <age>  u1       2/3   ~/p      Mend it

    1 session in no crew: \`crewmux adopt <session>\` takes one that runs in tmux.

    1 file could not be read
    "
  `);
  expect((await type(['sessions', '--tasks', '--all'], world)).out).toMatchInlineSnapshot(`
    "STATE        SESSION  PROJECT  ITEM
    in progress  u1       /p       Look (waits for 2)
    "
  `);
  expect(JSON.parse((await type(['sessions', '--json'], world)).out)).toMatchObject({
    sessions: [{ title: one.title }],
  });
  expect(asked).toMatchObject([{ active_only: true }, { view: 'tasks', active_only: false }, { active_only: true }]);
  const usage = { input_tokens: 100, output_tokens: 20, cache_tokens: 12_000 };
  const agentSessions = async () => ({ sessions: [{ ...one, usage }, one] });
  const spent = await type(['sessions'], {
    ...world,
    examiner: async () => ({ ...(await examiner()), agentSessions }),
  });
  expect(spent.out).toMatch(/DONE +TOKENS +PROJECT.*\n.* 2\/3 +12\.1k +~\/p .*\n.* 2\/3 +- +~\/p /);
});

it('the doctor ends with a count of what is wrong, and names no tool', async () => {
  const findings = [
    { check: 'a', status: 'ok', detail: 'fine' },
    { check: 'b', status: 'fail', detail: 'bad', fix: 'Mend it.' },
    { check: 'c', status: 'warn', detail: 'so so', fix: 'Call list_workers for ids.' },
    { check: 'd', status: 'warn', detail: 'so so', fix: 'Wait.' },
  ] as const;
  const doctor = async () => ({ status: 'fail' as const, findings });
  const examiner = async () => ({ doctor, agentSessions: async () => ({ sessions: [] }) });
  const { code, out } = await type(['doctor'], { userHome: '/nowhere/home', cwd: '/nowhere', examiner });
  expect(code).toBe(1);
  expect(out).toContain('WARN  c: so so\n      Run `crewmux status` for ids.\n');
  expect(out).toMatch(/\n1 problem, 2 warnings\n$/);
});
