// The bin: chooses what to be, and hands the real world to it.
import { homedir, tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import description from '../package.json' with { type: 'json' };
import type { LogLevel, Settings } from './settings/settings.ts';

const usage = `Usage: crewmux [word]

  (none)           serve MCP on stdio; an MCP client starts it like this
  demo [--keep]    run the main job on a scratch repository; --keep leaves it up to look at
  init [--codex]   make crewmux known to Claude Code in this project, and to Codex
  config <verb>    init | show | get <key> | set <key> <value> | path
  trust            read what this project's configuration changes, and agree to it (--yes | --revoke)
  doctor [--json]  look at what workers need here, and say what is missing
  --version        print the version
  --help           print this
`;

type Word = (args: readonly string[]) => Promise<number> | number;

// Each word imports what it needs when it is chosen: the server's start is what clients wait for.
const words: Readonly<Record<string, Word>> = {
  config: async (args) => (await import('./cli/config.ts')).config(args, { ...sources(), write, complain }),
  init: initProject,
  trust: agreeToProject,
  doctor: examineMachine,
  demo: playDemo,
  // No words for people: an agent and its hooks start the two, the demo and the tests the third in place of an agent.
  worker: serveWorker,
  hook: async (args) =>
    (await import('./hook/hook.ts')).hook({
      args,
      input: process.stdin,
      write,
      env: process.env,
      parentPid: process.ppid,
    }),
  'scripted-agent': scriptedAgent,
  '--version': () => write(`${description.version}\n`),
  '--help': () => write(usage),
};

const write = (text: string) => {
  process.stdout.write(text);
  return 0;
};

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
    import('./mcp/lifecycle.ts'),
    import('./mcp/profiles.ts'),
    import('./settings/paths.ts'),
    import('./system/log.ts'),
    import('./system/clock.ts'),
  ]);
  const world = sources();
  const home = stateHome(world);
  const project = resolveProject('auto', world);
  // The settings are read with the first need of them, after the handshake; until then their default counts.
  let level: LogLevel = 'warn';
  let reading: Promise<Settings> | undefined;
  const settings = () => {
    reading ??= readSettings();
    return reading;
  };
  const log = openLog({
    path: logPath(home),
    level: () => level,
    clock: systemClock,
    stderr: (line) => process.stderr.write(line),
  });
  async function readSettings() {
    const { loadSettings } = await import('./settings/settings.ts');
    const loaded = loadSettings({ ...world, projectPath: project });
    level = loaded.settings.log_level;
    for (const problem of loaded.problems) log.write('warn', problem.message);
    return loaded.settings;
  }
  if (isWorker(world.env)) {
    return serveUntilEnd(process, {
      version: description.version,
      log,
      profile: noCrewProfile,
      open: async () => noCrew,
    });
  }
  await serveUntilEnd(process, {
    version: description.version,
    log,
    profile: managerProfile(async () => (await settings()).limits.max_wait_seconds),
    async open() {
      const [{ buildCrew }] = await Promise.all([import('./graph.ts'), settings()]);
      const program = [process.execPath, fileURLToPath(import.meta.url)];
      return buildCrew({ ...world, project, home, pid: process.pid, program, log, remind });
    },
  });
}

async function initProject(args: readonly string[]): Promise<number> {
  const [{ init }, { workerEnvironment }, { loadSettings }] = await Promise.all([
    import('./cli/init.ts'),
    import('./agents/environment.ts'),
    import('./settings/settings.ts'),
  ]);
  const { cwd, ...from } = sources();
  const { pass_env: passes } = loadSettings({ ...from, projectPath: cwd }).settings.defaults;
  const variables = Object.keys(workerEnvironment(process.env, { agentType: 'claude', passes }));
  return init(args, { ...sources(), program: fileURLToPath(import.meta.url), variables, write, complain });
}

async function agreeToProject(args: readonly string[]): Promise<number> {
  const [{ trust }, { resolveProject }, { systemClock }, { projectFolders }, { processStart }] = await Promise.all([
    import('./cli/trust.ts'),
    import('./settings/paths.ts'),
    import('./system/clock.ts'),
    import('./graph.ts'),
    import('./system/process.ts'),
  ]);
  const world = sources();
  const folders = await projectFolders({ env: world.env, project: resolveProject('auto', world) });
  const me = { pid: process.pid, processStart: (await processStart(process.pid)) ?? '' };
  const atTerminal = process.stdin.isTTY && process.stdout.isTTY ? { ask: saysYes } : {};
  return trust(args, { ...world, folders, clock: systemClock, me, ...atTerminal, write, complain });
}

/** Only a line that says so is a yes; an end of the input is none. */
async function saysYes(question: string): Promise<boolean> {
  const { createInterface } = await import('node:readline');
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await new Promise<string>((resolve) => {
    lines.on('close', () => resolve(''));
    lines.question(question, resolve);
  });
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
}

async function examineMachine(args: readonly string[]): Promise<number> {
  const [{ doctor }, { resolveProject, stateHome }] = await Promise.all([
    import('./cli/doctor.ts'),
    import('./settings/paths.ts'),
  ]);
  const world = sources();
  const examine = async () =>
    (await import('./graph.ts')).examine({ ...world, project: resolveProject('auto', world), home: stateHome(world) });
  return doctor(args, { examine, write, complain });
}

/** The tools of one worker, started by its agent. */
async function serveWorker(): Promise<number> {
  const [{ serveUntilEnd }, { workerProfile }, { logPath, stateHome }, { openLog }, { systemClock }] =
    await Promise.all([
      import('./mcp/lifecycle.ts'),
      import('./mcp/profiles.ts'),
      import('./settings/paths.ts'),
      import('./system/log.ts'),
      import('./system/clock.ts'),
    ]);
  const home = stateHome(sources());
  const log = openLog({
    path: logPath(home),
    level: () => 'warn',
    clock: systemClock,
    stderr: (line) => process.stderr.write(line),
  });
  await serveUntilEnd(process, {
    version: description.version,
    log,
    profile: workerProfile,
    async open() {
      const { openDesk } = await import('./worker/desk.ts');
      return openDesk({ home, tokenPath: process.env.CREWMUX_WORKER_TOKEN_FILE, clock: systemClock });
    },
  });
  return 0;
}

async function playDemo(args: readonly string[]): Promise<number> {
  const { demo } = await import('./demo/demo.ts');
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop.abort());
  const code = await demo({
    write,
    node: process.execPath,
    bundle: fileURLToPath(import.meta.url),
    path: process.env.PATH ?? '/usr/bin:/bin',
    tmp: tmpdir(),
    stop: stop.signal,
    ...(args.includes('--keep') ? { until: () => pressedEnter(stop.signal) } : {}),
  });
  process.stdin.pause();
  return code;
}

const pressedEnter = (stop: AbortSignal) =>
  new Promise<void>((resolve) => {
    for (const event of ['data', 'end']) process.stdin.once(event, () => resolve());
    stop.addEventListener('abort', () => resolve());
    process.stdin.resume();
  });

async function scriptedAgent(argv: readonly string[]): Promise<number> {
  const { runScriptedAgent } = await import('./demo/agent/agent.ts');
  const { env, stdin, stdout, pid } = process;
  const onSignal = (name: NodeJS.Signals, act: () => void) => void process.on(name, act);
  return runScriptedAgent({ argv, env, stdin, stdout, cwd: process.cwd(), pid, onSignal });
}

async function main([word, ...args]: readonly string[]): Promise<void> {
  if (word === undefined) return serveMcp();
  const chosen = Object.hasOwn(words, word) ? words[word] : undefined;
  process.exitCode =
    chosen === undefined ? complain(`crewmux: unknown word "${word}".\n\n${usage}`) : await chosen(args);
}

main(process.argv.slice(2));
