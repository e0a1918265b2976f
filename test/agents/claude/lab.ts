// A real Claude Code in a private tmux server, its model an imitation on 127.0.0.1. For the recorder, not for tests.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { claudeAgent } from '../../../src/agents/claude/claude.ts';
import { newUuid } from '../../../src/model/ids.ts';
import type { Stroke } from '../../../src/model/stroke.ts';
import { eventually, makeSandbox, type Sandbox } from '../../support/sandbox.ts';

const key = 'sk-ant-api03-dummy-dummy-dummy-dummy-dummy-dummy-0123456789abcdef';

export interface LabOptions {
  /** The `claude` program. */
  readonly claude: string;
  /** The imitation of the Messages API; a script that takes `--port`. */
  readonly fake: string;
}

export interface Lab {
  readonly box: Sandbox;
  readonly port: number;
  start(options?: StartOptions): Promise<Specimen>;
  release(name: string): Promise<void>;
  /** What the model was asked, newest last. */
  requests(): Promise<unknown>;
  dispose(): Promise<void>;
}

export interface StartOptions {
  readonly prompt?: string;
  readonly resume?: { readonly agentSessionId: string; readonly fork: boolean };
  readonly permissionMode?: string;
  readonly skipPermissions?: boolean;
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  /** Laid over `.claude.json`; undefined values remove a key. */
  readonly config?: Record<string, unknown>;
  /** Merged into our settings file. */
  readonly settings?: (settings: Record<string, unknown>) => Record<string, unknown>;
  readonly extraArgs?: readonly string[];
  readonly mcpServers?: Record<string, unknown>;
  readonly appendSystemPrompt?: string;
  readonly untilReady?: boolean;
  readonly rows?: number;
}

export interface Specimen {
  readonly agentSessionId: string;
  readonly transcriptPath: string;
  readonly signalsPath: string;
  readonly pane: string;
  /** State files in the order seen, without repeats. */
  readonly states: { at: number; text: string }[];
  /** The screen, with colours. */
  screen(): string;
  deliver(strokes: readonly Stroke[]): Promise<void>;
  send(text: string): Promise<void>;
  state(): Record<string, unknown>;
  status(wanted: string, ceilingMs?: number): Promise<void>;
  signals(): string;
  transcript(): string;
  quit(): void;
}

export const rest = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

export async function openLab({ claude, fake }: LabOptions): Promise<Lab> {
  const box = makeSandbox();
  const port = await freePort();
  const api = spawn(process.execPath, [fake, '--port', String(port), '--log', join(box.root, 'api.jsonl')], {
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}`;
  await eventually('the imitation answers', () =>
    fetch(`${url}/__health`).then(
      (r) => r.ok,
      () => false,
    ),
  );
  writeFileSync(
    join(box.home, '.claude', '.claude.json'),
    JSON.stringify({
      hasCompletedOnboarding: true,
      hasSeenAutoDefaultNotice: true,
      customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] },
    }),
  );
  const project = box.repo('project');
  box.tmux('new-session', '-d', '-s', 'keep', '-x', '120', '-y', '40', 'cat');
  box.tmux('set', '-g', 'remain-on-exit', 'on');
  const base = {
    ...box.env,
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: key,
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_SANDBOXED: '1',
    IS_SANDBOX: '1',
  };
  let launches = 0;
  const lab: Lab = {
    box,
    port,
    release: (name) => fetch(`${url}/__release/${name}`).then(() => undefined),
    requests: () => fetch(`${url}/__log`).then((r) => r.json()),
    async start(options = {}) {
      launches += 1;
      const launchDir = box.dir(`launch-${launches}`);
      if (options.config !== undefined) {
        const path = join(box.home, '.claude', '.claude.json');
        writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...options.config }));
      }
      const cwd = options.cwd ?? project;
      const env = Object.fromEntries(Object.entries({ ...base, ...options.env }).filter(([, v]) => v !== ''));
      const signalsPath = join(launchDir, 'signals.jsonl');
      const plan = claudeAgent.launch({
        workerId: '0badcafe',
        name: 'ada',
        cwd,
        launchDir,
        signalsPath,
        command: [claude],
        agentSessionId: newUuid(),
        skipPermissions: options.skipPermissions ?? false,
        env,
        ...(options.prompt === undefined ? {} : { prompt: options.prompt }),
        ...(options.resume === undefined ? {} : { resume: options.resume }),
        ...(options.permissionMode === undefined ? {} : { permissionMode: options.permissionMode }),
        ...(options.mcpServers === undefined ? {} : { mcpServers: options.mcpServers }),
        ...(options.appendSystemPrompt === undefined ? {} : { appendSystemPrompt: options.appendSystemPrompt }),
      });
      for (const file of plan.files) {
        const change = options.settings;
        const content =
          change !== undefined && file.path.endsWith('settings.json')
            ? JSON.stringify(change(JSON.parse(file.content)))
            : file.content;
        writeFileSync(file.path, content, { mode: 0o600 });
      }
      const at = plan.argv.indexOf('--');
      const extra = options.extraArgs ?? [];
      const argv = at < 0 ? [...plan.argv, ...extra] : [...plan.argv.slice(0, at), ...extra, ...plan.argv.slice(at)];
      const envArgs = Object.entries(plan.env).flatMap(([k, v]) => ['-e', `${k}=${v}`]);
      const pane = box.tmux('new-window', '-d', '-P', '-F', '#{pane_id}', '-c', cwd, ...envArgs, '--', ...argv);
      box.tmux('resize-window', '-t', pane, '-x', '120', '-y', String(options.rows ?? 40));
      return specimen({ box, pane, signalsPath, plan, cwd, untilReady: options.untilReady ?? true });
    },
    async dispose() {
      for (const pane of box.tmux('list-panes', '-a', '-F', '#{pane_pid}').split('\n')) {
        try {
          process.kill(Number(pane), 'SIGTERM');
        } catch {
          // gone already
        }
      }
      await rest(300);
      api.kill();
      box.dispose();
    },
  };
  return lab;
}

async function specimen(on: {
  box: Sandbox;
  pane: string;
  signalsPath: string;
  plan: ReturnType<typeof claudeAgent.launch>;
  cwd: string;
  untilReady: boolean;
}): Promise<Specimen> {
  const { box, pane, signalsPath, plan, cwd } = on;
  const traces = claudeAgent.traces({ cwd, agentSessionId: plan.agentSessionId, env: plan.env });
  const pid = Number(box.tmux('display', '-p', '-t', pane, '#{pane_pid}'));
  const statePath = join(traces.stateDir ?? '', `${pid}.json`);
  const read = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '');
  const states: { at: number; text: string }[] = [];
  const timer = setInterval(() => {
    const text = read(statePath);
    if (text !== '' && text !== states.at(-1)?.text) states.push({ at: Date.now(), text });
  }, 3);
  timer.unref();
  const one: Specimen = {
    agentSessionId: plan.agentSessionId,
    transcriptPath: traces.transcriptPath,
    signalsPath,
    pane,
    states,
    screen: () => box.tmux('capture-pane', '-e', '-p', '-t', pane),
    async deliver(strokes) {
      await performAll(box, pane, strokes);
    },
    async send(text) {
      const delivery = claudeAgent.planDelivery({ text, asCommand: text.startsWith('/') });
      if ('refused' in delivery) throw new Error(delivery.refused);
      await one.deliver(delivery.strokes);
    },
    state: () => {
      try {
        return JSON.parse(read(statePath) || '{}');
      } catch {
        return {};
      }
    },
    async status(wanted, ceilingMs = 15_000) {
      try {
        await eventually(`status ${wanted}`, () => one.state().status === wanted, ceilingMs);
      } catch (thrown) {
        throw new Error(`${String(thrown)}\n${JSON.stringify(one.state())}\n${one.screen()}`);
      }
    },
    signals: () => read(signalsPath),
    transcript: () => read(traces.transcriptPath),
    quit() {
      clearInterval(timer);
      try {
        process.kill(pid, 'SIGTERM');
      } catch {
        // gone already
      }
    },
  };
  if (on.untilReady) {
    try {
      await eventually(
        'the agent is ready',
        () => one.signals().includes('SessionStart') && one.state().status !== undefined,
        15_000,
      );
    } catch (thrown) {
      throw new Error(`${String(thrown)}\n${one.screen()}`);
    }
  }
  return one;
}

/** Strokes with no pause between them go out in one tmux command, as fast as a control client would send them. */
async function performAll(box: Sandbox, pane: string, strokes: readonly Stroke[]): Promise<void> {
  let batch: string[] = [];
  let files = 0;
  const flush = () => {
    if (batch.length > 0) box.tmux(...batch.slice(0, -1));
    batch = [];
  };
  for (const stroke of strokes) {
    if ('pauseMs' in stroke) {
      flush();
      await rest(stroke.pauseMs);
    } else if ('press' in stroke) {
      batch.push('send-keys', '-t', pane, '--', stroke.press, ';');
    } else if ('type' in stroke) {
      const bytes = [...Buffer.from(stroke.type)].map((b) => b.toString(16));
      batch.push('send-keys', '-t', pane, '-H', ...bytes, ';');
      if (batch.length > 1500) flush();
    } else {
      files += 1;
      const path = join(box.root, `paste-${files}.txt`);
      writeFileSync(path, stroke.paste);
      batch.push('load-buffer', '-b', `lab${files}`, path, ';');
      batch.push('paste-buffer', '-p', '-d', '-r', '-b', `lab${files}`, '-t', pane, ';');
      if (batch.length > 1500) flush();
    }
  }
  flush();
}

/** The files of a folder, sorted; an empty list when it is missing. */
export const filesIn = (path: string): readonly string[] => (existsSync(path) ? readdirSync(path).sort() : []);
