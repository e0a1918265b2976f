// The bin: chooses what to be, and hands the real world to it.
import { homedir, tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import description from '../../package.json' with { type: 'json' };
import type { CommandWorld, KeepOrder } from '../cli/world.ts';
import type { World } from '../graph.ts';
import { toolSets } from '../model/tool-set.ts';
import type { LogLevel } from '../settings/settings.ts';
import { atFirstCall } from '../system/once.ts';

const bundle = fileURLToPath(import.meta.url);

type Program = (args: readonly string[]) => Promise<number>;

// No words for people: an agent and its hooks start the two, the demo and the tests the third in place of an agent.
// They load nothing of the command line, and the server's start is what clients wait for.
const programs: Readonly<Record<string, Program>> = {
  worker: serveWorker,
  hook: async (args) =>
    args[0] === 'crew'
      ? tellCrew()
      : (await import('../hook/hook.ts')).hook({
          args,
          input: process.stdin,
          write,
          env: process.env,
          parentPid: process.ppid,
        }),
  'scripted-agent': scriptedAgent,
  'keep-driver': driveKept,
  'crew-key': async (args) =>
    (await import('./crew-key.ts')).pressKey(args, { env: process.env, program: self, write }),
};

const write = (text: string) => {
  process.stdout.write(text);
  return 0;
};

/** For a manager, and not for a worker as the other hooks are. */
async function tellCrew(): Promise<number> {
  const [hook, { readOpenWork }, { stateHome }, { systemClock }] = await Promise.all([
    import('../hook/tell-crew.ts'),
    import('../work/verbs/open-work.ts'),
    import('../settings/paths.ts'),
    import('../system/clock.ts'),
  ]);
  const home = stateHome(sources());
  const now = systemClock.now();
  const work = (isHere: (folder: string) => boolean) => readOpenWork(home, isHere);
  return hook.tellCrew({ input: process.stdin, write, env: process.env, home, now, work });
}

const complain = (text: string) => {
  process.stderr.write(text);
  return 2;
};

const remind = (pid: number) => {
  try {
    process.kill(pid, 'SIGCHLD');
  } catch {
    // It is gone, which others find out and tell.
  }
};

const sources = () => ({ env: process.env, userHome: process.env.HOME ?? homedir(), cwd: process.cwd() });

const examiner = async (project: string, home: string) =>
  (await import('../graph.ts')).examinerOf({ ...sources(), project, home });

/** Set in the pane of each worker, and handed on to the servers that its agent starts. */
const isWorker = (env: NodeJS.ProcessEnv) => (env.CREWMUX_WORKER ?? '') !== '';

async function serveMcp(): Promise<void> {
  const [
    { serveUntilEnd },
    { managerProfile, noCrew, noCrewProfile },
    { logPath, resolveProject, stateHome },
    { openLog },
    { systemClock },
  ] = await Promise.all([
    import('../mcp/lifecycle.ts'),
    import('../mcp/profiles.ts'),
    import('../settings/paths.ts'),
    import('../system/log.ts'),
    import('../system/clock.ts'),
  ]);
  const world = sources();
  const [home, project] = [stateHome(world), resolveProject('auto', world)];
  // The settings are read with the first need of them, after the handshake; until then their default counts.
  let level: LogLevel = 'warn';
  const log = openLog({
    path: logPath(home),
    level: () => level,
    clock: systemClock,
    stderr: (line) => process.stderr.write(line),
  });
  const settings = atFirstCall(async () => {
    const { loadSettings } = await import('../settings/settings.ts');
    const loaded = loadSettings({ ...world, projectPath: project });
    level = loaded.settings.log_level;
    for (const problem of loaded.problems) log.write('warn', problem.message);
    return loaded.settings;
  });
  const sets = atFirstCall(async () => {
    const { mayChooseTools } = await import('../settings/chosen-tools.ts');
    return mayChooseTools({ ...world, projectPath: project }) ? (await settings()).tools.sets : toolSets;
  });
  const { version } = description;
  if (isWorker(world.env)) {
    return serveUntilEnd(process, { version, log, profile: noCrewProfile, open: async () => noCrew });
  }
  await serveUntilEnd(process, {
    version,
    log,
    profile: managerProfile({
      maxWaitSeconds: async () => (await settings()).limits.max_wait_seconds,
      examiner: () => examiner(project, home),
      sets,
      elicits: async () => (await settings()).attention.elicit,
      untoldPlace: async () => (await import('./untold-place.ts')).untoldPlace({ home, pid: process.pid, settings }),
      written: async () => (await import('./roles-and-templates.ts')).writtenIn({ ...world, project, home, log }),
    }),
    async open() {
      const [{ buildCrew }] = await Promise.all([import('../graph.ts'), settings()]);
      return buildCrew({ ...world, project, home, pid: process.pid, program: self, log, remind });
    },
  });
}

/** The tools of one worker, started by its agent. */
async function serveWorker(): Promise<number> {
  const [{ serveUntilEnd }, { plannerProfile, workerProfile }, paths, { openLog }, { systemClock }, { isPlanners }] =
    await Promise.all([
      import('../mcp/lifecycle.ts'),
      import('../mcp/profiles.ts'),
      import('../settings/paths.ts'),
      import('../system/log.ts'),
      import('../system/clock.ts'),
      import('../store/worker-token.ts'),
    ]);
  const home = paths.stateHome(sources());
  const log = openLog({
    path: paths.logPath(home),
    level: () => 'warn',
    clock: systemClock,
    stderr: (line) => process.stderr.write(line),
  });
  await serveUntilEnd(process, {
    version: description.version,
    log,
    profile: (await isPlanners(process.env.CREWMUX_WORKER_TOKEN_FILE)) ? plannerProfile : workerProfile,
    async open() {
      const { openDesk } = await import('../worker/desk.ts');
      return openDesk({ home, tokenPath: process.env.CREWMUX_WORKER_TOKEN_FILE, clock: systemClock });
    },
    onListed: () =>
      void tellConnected().catch((error: unknown) => log.write('warn', 'connected, but not noted', error)),
  });
  return 0;
}

let isConnected = false;
async function tellConnected(): Promise<void> {
  const path = process.env.CREWMUX_WORKER_TOKEN_FILE;
  if (path === undefined || isConnected) return;
  isConnected = true;
  const { noteConnected } = await import('../worker/connected.ts');
  await noteConnected(path);
}

async function scriptedAgent(argv: readonly string[]): Promise<number> {
  const { runScriptedAgent } = await import('../demo/agent/agent.ts');
  const { env, stdin, stdout, pid } = process;
  const onSignal = (name: NodeJS.Signals, act: () => void) => void process.on(name, act);
  return runScriptedAgent({ argv, env, stdin, stdout, cwd: process.cwd(), pid, onSignal });
}

/** For a word that needs the crew: what goes wrong stands in the log alone, and the word says what matters. */
async function crewWorld(): Promise<World> {
  const [{ logPath, resolveProject, stateHome }, { openLog }, { systemClock }] = await Promise.all([
    import('../settings/paths.ts'),
    import('../system/log.ts'),
    import('../system/clock.ts'),
  ]);
  const world = sources();
  const home = stateHome(world);
  const level = () => 'warn' as const;
  const log = openLog({ path: logPath(home), level, clock: systemClock, stderr: () => undefined });
  return { ...world, project: resolveProject('auto', world), home, pid: process.pid, program: self, log, remind };
}

async function keepProject({ does }: KeepOrder): Promise<number> {
  const [{ keep, keepInPane, stopKeeping }, world] = await Promise.all([import('./keep.ts'), crewWorld()]);
  if (does !== 'keep') return (does === 'stop' ? stopKeeping : keepInPane)(world, { write, complain });
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop.abort());
  return keep(world, { write, complain, stop: stop.signal });
}

/** A keeper starts it, and ends its input; a signal to the terminal's whole group is the keeper's to answer. */
async function driveKept(): Promise<number> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const inputEnds = new Promise<void>((resolve) => process.stdin.resume().once('close', () => resolve()));
  const [{ driveKept: drive }, world] = await Promise.all([import('./keep.ts'), crewWorld()]);
  const code = await drive(world, { write, inputEnds });
  process.exit(code);
}

const isAtTerminal = () => process.stdin.isTTY && process.stdout.isTTY;

const self = [process.execPath, bundle];

const commandWorld = async (): Promise<CommandWorld> => ({
  ...sources(),
  pid: process.pid,
  program: bundle,
  self,
  version: description.version,
  write,
  unread: () => new Promise<void>((resolve) => process.stdout.once('error', () => resolve())),
  complain,
  ...(isAtTerminal() ? (await import('../cli/keyboard.ts')).terminalOf(process) : {}),
  ...(process.stdout.isTTY ? { columns: process.stdout.columns } : {}),
  look: async () => (await import('../graph.ts')).lookAround(await crewWorld()),
  visit: async (order) => (await import('../graph.ts')).visit(await crewWorld(), order),
  attach: async (pane, how) => (await import('../graph.ts')).attach({ env: process.env }, pane, how),
  examiner,
  between: async (repo, commits) => (await import('../graph.ts')).commitsBetween(process.env, repo, commits),
  projectFolders: async (project) => (await import('../graph.ts')).projectFolders({ env: process.env, project }),
  branches: async (folder) => (await import('../graph.ts')).branchesOf(process.env, folder),
  checkoutTop: async (folder) => (await import('../graph.ts')).checkoutTop(process.env, folder),
  async workerVariables(passes) {
    const { workerEnvironment } = await import('../agents/environment.ts');
    return Object.keys(workerEnvironment(process.env, { agentType: 'claude', passes }));
  },
  commandTexts: async () => (await import('../model/skill-texts.ts')).skillTexts,
  pluginHooks: async () => (await import('./plugin-hooks.ts')).pluginHooks,
  isIgnored: async (folder, file) => (await import('../graph.ts')).isIgnored(process.env, folder, file),
  playDemo: async (how) =>
    (await import('./play-demo.ts')).playDemo(how, { host: process, write, complain, bundle, tmp: tmpdir() }),
  keep: keepProject,
});

async function main(line: readonly string[]): Promise<void> {
  const [word = '', ...args] = line;
  if (line.length === 0 && !process.stdin.isTTY) return serveMcp();
  const program = Object.hasOwn(programs, word) ? programs[word] : undefined;
  process.exitCode = await (program?.(args) ?? runForPerson(line));
}

async function runForPerson(line: readonly string[]): Promise<number> {
  const { explainAtTerminal, runLine } = await import('../cli/words.ts');
  // Whoever reads may stop reading, as `head` does.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  if (line.length === 0) return explainAtTerminal(await commandWorld());
  const done = new AbortController();
  // A word may wait for something that does not by itself keep this process.
  const { pause } = await import('../system/clock.ts');
  void pause(longestWordMs, done.signal);
  const code = await runLine(line, await commandWorld()).finally(() => done.abort());
  await Promise.all([process.stdout, process.stderr].map(written));
  // A library may keep a timer for seconds after its work is done.
  process.exit(code);
}

/** Resolves once its reader has taken everything, or is gone. */
const written = (stream: NodeJS.WriteStream) => new Promise<void>((resolve) => stream.write('', () => resolve()));

const longestWordMs = 2 ** 31 - 1;

main(process.argv.slice(2));
