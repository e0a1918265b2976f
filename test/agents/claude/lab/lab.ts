// A real Claude Code in a private tmux server, its model an imitation on 127.0.0.1. For the recorder, not for tests.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { claudeAgent } from '../../../../src/agents/claude/claude.ts';
import { newUuid } from '../../../../src/model/ids.ts';
import { noRules } from '../../../../src/model/rule.ts';
import { type FakeModel, startFakeModel } from '../../../real/fake/server.ts';
import { makeSandbox, type Sandbox } from '../../../support/sandbox.ts';
import { endProcess, rest, type Specimen, watchSpecimen } from './specimen.ts';

export interface StartOptions {
  readonly prompt?: string;
  readonly resume?: { readonly agentSessionId: string; readonly fork: boolean };
  readonly permissionMode?: string;
  readonly skipPermissions?: boolean;
  /** An empty value removes the variable. */
  readonly env?: Readonly<Record<string, string>>;
  /** Behind our own flags, so that they win. */
  readonly extraArgs?: readonly string[];
  /** False for a program that is expected to stop at a dialog. */
  readonly untilReady?: boolean;
}

const apiKey = 'sk-ant-api03-dummy-dummy-dummy-dummy-dummy-dummy-0123456789abcdef';
const approvedKey = { customApiKeyResponses: { approved: [apiKey.slice(-20)], rejected: [] } };
const setUp = { hasCompletedOnboarding: true, hasSeenAutoDefaultNotice: true };

export class Lab {
  readonly box: Sandbox;
  readonly project: string;
  readonly #claude: string;
  readonly #model: FakeModel;
  #launches = 0;

  constructor(on: { readonly claude: string; readonly model: FakeModel }) {
    this.#claude = on.claude;
    this.#model = on.model;
    this.box = makeSandbox();
    this.project = this.box.repo('project');
    this.box.tmux('new-session', '-d', '-s', 'keep', '-x', '120', '-y', '40', 'cat');
    this.box.tmux('set', '-g', 'remain-on-exit', 'on');
    this.configure({});
  }

  /** Writes Claude Code's own configuration: set up, the key approved, and what is given laid over that. */
  configure(config: Readonly<Record<string, unknown>>): void {
    const path = join(this.box.home, '.claude', '.claude.json');
    writeFileSync(path, JSON.stringify({ ...setUp, ...approvedKey, ...config }));
  }

  /** Writes a file below the sandbox's root, or removes it. */
  file(path: string, content: string | undefined): void {
    const full = join(this.box.root, path);
    this.box.dir(join(path, '..'));
    if (content === undefined) rmSync(full, { force: true });
    else writeFileSync(full, content);
  }

  async start(options: StartOptions = {}): Promise<Specimen> {
    this.#launches += 1;
    const launchDir = this.box.dir(`launch-${this.#launches}`);
    const signalsPath = join(launchDir, 'signals.jsonl');
    const { prompt, resume, permissionMode, skipPermissions = false, extraArgs = [] } = options;
    const plan = claudeAgent.launch({
      workerId: '0badcafe',
      name: 'ada',
      cwd: this.project,
      launchDir,
      signalsPath,
      tripwire: [],
      rules: noRules,
      command: [this.#claude],
      program: [process.execPath, 'dist/crewmux.mjs'],
      agentSessionId: newUuid(),
      skipPermissions,
      env: this.#env(options.env ?? {}),
      ...(prompt === undefined ? {} : { prompt }),
      ...(resume === undefined ? {} : { resume }),
      ...(permissionMode === undefined ? {} : { permissionMode }),
    });
    for (const { path, content } of plan.files) writeFileSync(path, content, { mode: 0o600 });
    const env = Object.entries(plan.env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
    const window = ['new-window', '-d', '-P', '-F', '#{pane_id}', '-c', this.project];
    const end = plan.argv.includes('--') ? plan.argv.indexOf('--') : plan.argv.length;
    const argv = [...plan.argv.slice(0, end), ...extraArgs, ...plan.argv.slice(end)];
    const pane = this.box.tmux(...window, ...env, '--', ...argv);
    const { box, project: cwd } = this;
    const specimen = watchSpecimen({ box, pane, signalsPath, plan, cwd });
    if (options.untilReady !== false) await specimen.ready();
    return specimen;
  }

  /** Ends every program started so far. */
  async sweep(): Promise<void> {
    const windows = this.box.tmux('list-panes', '-a', '-F', '#{window_index} #{pane_pid}').split('\n');
    const started = windows.map((line) => line.split(' ')).filter(([index]) => index !== '0');
    for (const [, pid] of started) endProcess(Number(pid));
    await rest(300);
    for (const [index] of started) this.box.tmux('kill-window', '-t', `keep:${index}`);
  }

  async dispose(): Promise<void> {
    await this.sweep();
    this.box.dispose();
    await this.#model.close();
  }

  #env(extra: Readonly<Record<string, string>>): Record<string, string> {
    const all = {
      ...this.box.env,
      // Else it takes the shell that the machine has.
      SHELL: '/bin/bash',
      ANTHROPIC_BASE_URL: this.#model.url,
      ANTHROPIC_API_KEY: apiKey,
      DISABLE_TELEMETRY: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_ERROR_REPORTING: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CLAUDE_CODE_SANDBOXED: '1',
      IS_SANDBOX: '1',
      ...extra,
    };
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
  }
}

export const openLab = async (claude: string): Promise<Lab> => new Lab({ claude, model: await startFakeModel() });
