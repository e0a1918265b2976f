// The one table of the command line. Each word loads what it needs when it runs.

import { asCrewError } from '../model/errors.ts';
import { beginWords } from './begin-words.ts';
import type { ConfigOrder } from './config.ts';
import { crewWords } from './crew-words.ts';
import { helpOf, usageOf } from './help.ts';
import { loopWords } from './loop-words.ts';
import { pastWords } from './past-words.ts';
import { personsHint } from './persons-call.ts';
import { planWords } from './plan-words.ts';
import { namedFor, programName } from './program-name.ts';
import { scheduleWords } from './schedule-words.ts';
import { taskWords } from './task-words.ts';
import { json, readLine, twoForms, type Word, word } from './word.ts';
import { type CommandWorld, isWorkers } from './world.ts';

const inProject = { type: 'boolean', help: "in the project's file instead of yours" } as const;

export const words: readonly Word[] = [
  ...crewWords,
  ...beginWords,
  ...pastWords,
  taskWords,
  planWords,
  scheduleWords,
  loopWords,
  word({
    name: 'keep',
    summary: 'run the plans, loops and schedules of this project while no manager is there, until none is left',
    flags: {
      pane: { type: 'boolean', help: 'in a pane of its own, below the board of the crew' },
      stop: { type: 'boolean', help: 'end the one that keeps it' },
    },
    run(given, world) {
      if (isWorkers(world))
        return world.complain('A worker cannot keep a project; run this in a terminal of your own.\n');
      const two = twoForms(given, ['pane', 'stop']);
      if (two !== undefined) return world.complain(`crewmux keep: ${two}`);
      return world.keep({ does: given.has('stop') ? 'stop' : given.has('pane') ? 'keep-in-pane' : 'keep' });
    },
  }),
  word({
    name: 'demo',
    summary: 'run the main job on a scratch repository, with no account',
    flags: {
      keep: { type: 'boolean', help: 'leave the crew up to look at, until you press Enter' },
      stay: { type: 'boolean', help: 'leave two workers for you to answer, land and close, until you press Enter' },
    },
    run: ({ has }, world) => world.playDemo({ keep: has('keep'), stay: has('stay') }),
  }),
  word({
    name: 'init',
    summary: 'add crewmux to .mcp.json at the top of this checkout, and print the entry for Codex',
    flags: {
      codex: { type: 'boolean', help: "add it to Codex's config.toml too" },
      commands: { type: 'boolean', help: 'copy the slash commands into this project' },
      yes: { type: 'boolean', help: 'also outside of a git checkout, without a question' },
      hooks: { type: 'boolean', help: 'let agents show their sessions its crew: the hooks of the plugin' },
    },
    async run({ has }, world) {
      const [{ init }, { loadSettings }] = await Promise.all([import('./init.ts'), import('../settings/settings.ts')]);
      const { defaults, commands } = loadSettings({ ...world, projectPath: world.cwd }).settings;
      const variables = await world.workerVariables(defaults.pass_env);
      const programs = { claude: commands.claude[0] ?? 'claude', codex: commands.codex[0] ?? 'codex' };
      const order = { codex: has('codex'), commands: has('commands'), hooks: has('hooks'), yes: has('yes') };
      return init(order, { ...world, variables, programs });
    },
  }),
  {
    name: 'config',
    summary: 'show and change the settings',
    words: [
      word({
        name: 'init',
        summary: 'write a configuration file with the defaults',
        flags: { project: inProject },
        run: ({ has }, world) => config({ verb: 'init', inProject: has('project') }, world),
      }),
      word({
        name: 'show',
        summary: 'print every setting, and where its value comes from',
        flags: { explain: { type: 'boolean', help: 'and what it means' } },
        run: ({ has }, world) => config({ verb: 'show', explains: has('explain') }, world),
      }),
      word({
        name: 'get',
        summary: 'print one setting as JSON',
        positionals: ['<key>'],
        run: ({ positionals: [key = ''] }, world) => config({ verb: 'get', key }, world),
      }),
      word({
        name: 'set',
        summary: 'change one setting; the value is JSON, or plain text',
        positionals: ['<key>', '<value>'],
        flags: { project: inProject },
        run: ({ positionals: [key = '', value = ''], has }, world) =>
          config({ verb: 'set', key, value, inProject: has('project') }, world),
      }),
      word({
        name: 'unset',
        summary: 'take one setting out of the file, so that its default counts again',
        positionals: ['<key>'],
        flags: { project: inProject },
        run: ({ positionals: [key = ''], has }, world) =>
          config({ verb: 'unset', key, inProject: has('project') }, world),
      }),
      word({
        name: 'path',
        summary: 'print where configuration, state and log lie',
        run: (_, world) => config({ verb: 'path' }, world),
      }),
    ],
  },
  word({
    name: 'trust',
    summary: "show what this project's configuration would change, and ask whether you agree",
    flags: {
      branch: {
        type: 'string',
        value: 'branch',
        help: 'show where a worker may have moved a branch, and ask about that',
      },
      yes: { type: 'boolean', help: 'agree without a question' },
      revoke: { type: 'boolean', help: 'take the agreement back' },
    },
    async run({ has, text }, world) {
      const branch = text('branch');
      const other = has('yes') ? '--yes' : branch === undefined ? undefined : '--branch';
      if (other !== undefined && has('revoke'))
        return world.complain(`crewmux trust: ${other} and --revoke exclude each other.\n`);
      const [{ trust }, { resolveProject }, { systemClock }, { processRef }] = await Promise.all([
        import('./trust.ts'),
        import('../settings/paths.ts'),
        import('../system/clock.ts'),
        import('../system/process.ts'),
      ]);
      const folders = await world.projectFolders(resolveProject('auto', world));
      const me = await processRef(world.pid);
      const way = has('yes') ? 'agree' : 'ask';
      const full = { ...world, folders, clock: systemClock, me };
      if (branch === undefined) return trust(has('revoke') ? 'revoke' : way, full);
      return (await import('./trust-branch.ts')).trustBranch(branch, way, full);
    },
  }),
  word({
    name: 'roles',
    summary: 'list the roles of workers, where each comes from, and what is left aside',
    flags: { json },
    async run({ has }, world) {
      const [{ roles }, { resolveProject }] = await Promise.all([import('./roles.ts'), import('../settings/paths.ts')]);
      const folders = await world.projectFolders(resolveProject('auto', world));
      return roles({ json: has('json') }, { ...world, folders });
    },
  }),
  word({
    name: 'templates',
    summary: 'list the templates of plans, where each comes from, and what is left aside',
    flags: { json },
    async run({ has }, world) {
      const [{ templatesText }, crew] = await Promise.all([import('./templates.ts'), world.look()]);
      const found = await crew.jobs.templates().finally(() => crew.dispose());
      return world.write(templatesText(found, { json: has('json') }));
    },
  }),
  word({
    name: 'doctor',
    summary: 'look at tmux, git, agents, trust, settings and state',
    flags: {
      clean: { type: 'boolean', help: 'remove old state of closed workers and ended tasks, and look at nothing' },
      json,
    },
    async run({ has }, world) {
      if (has('clean')) return (await import('./clean.ts')).clean(world);
      const [{ doctor }, examiner] = await Promise.all([import('./doctor.ts'), examinerHere(world)]);
      return doctor({ json: has('json') }, { ...world, examine: examiner.doctor });
    },
  }),
  word({
    name: 'sessions',
    summary: 'show your sessions of Claude Code and Codex, in a crew or not',
    flags: {
      tasks: { type: 'boolean', help: 'their to-do items instead' },
      all: { type: 'boolean', help: 'also those that have ended' },
      json,
    },
    async run({ has }, world) {
      const [{ sessions }, examiner, { systemClock }] = await Promise.all([
        import('./sessions.ts'),
        examinerHere(world),
        import('../system/clock.ts'),
      ]);
      const how = { tasks: has('tasks'), all: has('all'), json: has('json') };
      return sessions(how, { ...world, examiner, now: systemClock.now() });
    },
  }),
  word({
    name: 'completion',
    summary: 'print what your shell needs to complete these words',
    positionals: ['<shell>'],
    choices: ['bash', 'zsh', 'fish'],
    async run({ positionals: [shell = ''] }, world) {
      const { isShell, scripts } = await import('./completion.ts');
      if (isShell(shell)) return world.write(scripts[shell]);
      return world.complain(`crewmux completion: bash, zsh or fish, and not ${JSON.stringify(shell)}.\n`);
    },
  }),
  word({
    name: 'help',
    aliases: ['-h', '--help'],
    summary: 'print this, or the help of a word',
    positionals: ['[word…]'],
    run: ({ positionals }, world) =>
      positionals.length === 0 ? world.write(helpOf(words, [])) : runLine([...positionals, '--help'], world),
  }),
  word({
    name: 'version',
    aliases: ['-v', '--version'],
    summary: 'print the version',
    run: (_, { write, version }) => write(`${version}\n`),
  }),
];

async function examinerHere(world: CommandWorld) {
  const { resolveProject, stateHome } = await import('../settings/paths.ts');
  return world.examiner(resolveProject('auto', world), stateHome(world));
}

/** Runs one line and returns its exit code: 1 for one that cannot be done, 2 for one that is wrong. */
export async function runLine(args: readonly string[], plainWorld: CommandWorld): Promise<number> {
  const [first, second, ...typed] = args;
  // For the scripts of `completion`, with a line as far as it is typed.
  if (first === 'completion' && second === 'offer')
    return (await import('./completion.ts')).offer(words, typed, plainWorld);
  const read = readLine(words, args);
  const world = asStarted(plainWorld);
  if (read.is === 'run') {
    try {
      return await read.word.run(read.given, read.word.isForeign ? { ...world, write: plainWorld.write } : world);
    } catch (thrown) {
      const { message, hint } = asCrewError(thrown);
      world.complain(`${message}\n${personsHint(hint)}\n`);
      return 1;
    }
  }
  if (read.is === 'help') return world.write(helpOf(words, read.path));
  const place = ['crewmux', ...read.path.map(({ name }) => name)].join(' ');
  return world.complain(`${place}: ${read.why}\n${usageOf(read.path)}\n\`${place} --help\` says more.\n`);
}

/** Each hint names the program as the person has started it. */
function asStarted(world: CommandWorld): CommandWorld {
  const name = programName(world);
  const named = (say: (text: string) => number) => (text: string) => say(namedFor(text, name));
  return { ...world, write: named(world.write), complain: named(world.complain) };
}

const terminalNote = `crewmux serves MCP on stdin and stdout, which are a terminal here; an MCP client starts it so.
\`crewmux init\` makes it known to your clients; these words are for people:

`;

/** For the program alone on a terminal, where no client speaks to it. */
export const explainAtTerminal = (world: CommandWorld): number =>
  asStarted(world).write(`${terminalNote}${helpOf(words, [])}`);

const config = async (order: ConfigOrder, world: CommandWorld): Promise<number> =>
  (await import('./config.ts')).config(order, world);
