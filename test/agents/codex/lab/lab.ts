// A real Codex in a private tmux server, its model an imitation on 127.0.0.1. For the recorder, not for tests.
import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { codexAgent } from '../../../../src/agents/codex/codex.ts';
import { planHandover } from '../../../../src/agents/codex/delivery.ts';
import { newNonce } from '../../../../src/model/ids.ts';
import { noRules } from '../../../../src/model/rule.ts';
import { type FakeModel, startFakeModel } from '../../../real/fake/server.ts';
import { makeSandbox, type Sandbox } from '../../../support/sandbox.ts';
import { rest, type Specimen, watchSpecimen } from './specimen.ts';

export interface StartOptions {
  readonly prompt?: string;
  readonly resume?: { readonly agentSessionId: string; readonly fork: boolean };
  readonly permissionMode?: string;
  readonly mcpServers?: Readonly<Record<string, unknown>>;
  /** Settings and flags of ours that are left out, to see what they keep away. */
  readonly without?: RegExp;
}

interface Configured {
  readonly provided?: boolean;
  readonly trusted?: boolean;
}

export class Lab {
  readonly box: Sandbox;
  readonly model: FakeModel;
  readonly project: string;
  readonly codexHome: string;
  readonly #codex: string;
  #launches = 0;

  constructor(on: { readonly codex: string; readonly model: FakeModel }) {
    this.#codex = on.codex;
    this.model = on.model;
    this.box = makeSandbox();
    this.project = this.box.repo('project');
    // Codex makes no use of a home below the folder for temporary files.
    this.codexHome = join(process.cwd(), 'node_modules/.cache', `codex-lab-${newNonce()}`);
    mkdirSync(this.codexHome, { recursive: true });
    this.configure();
    this.box.tmux('new-session', '-d', '-s', 'keep', '-x', '120', '-y', '40', 'cat');
    this.box.tmux('set', '-g', 'remain-on-exit', 'on');
  }

  /** Writes the user's settings; without a provider it is as after an installation, and nobody trusts anything yet. */
  configure({ provided = true, trusted = provided }: Configured = {}): void {
    const provider = `
model_provider = "fake"
[model_providers.fake]
name = "fake"
base_url = "${this.model.url}/v1"
wire_api = "responses"
requires_openai_auth = false
request_max_retries = 1
stream_max_retries = 1
`;
    const trust = `[projects."${this.project}"]\ntrust_level = "trusted"\n`;
    this.file('config.toml', `model = "gpt-5.5"\n${provided ? provider : ''}${trusted ? trust : ''}`);
  }

  /** Writes a file in Codex's own folder. */
  file(name: string, content: string): void {
    writeFileSync(join(this.codexHome, name), content);
  }

  async start({ without, ...options }: StartOptions = {}): Promise<Specimen> {
    this.#launches += 1;
    const launchDir = this.box.dir(`launch-${this.#launches}`);
    const signalsPath = join(launchDir, 'signals.jsonl');
    const { box, project: cwd } = this;
    const plan = codexAgent.launch({
      workerId: '0badcafe',
      name: 'ada',
      cwd,
      launchDir,
      signalsPath,
      tripwire: [],
      rules: noRules,
      command: [this.#codex],
      program: [process.execPath, 'dist/crewmux.mjs'],
      agentSessionId: 'unused',
      skipPermissions: false,
      env: { ...box.env, CODEX_HOME: this.codexHome },
      ...options,
    });
    for (const { path, content } of plan.files) writeFileSync(path, content);
    const env = Object.entries(plan.env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
    const window = ['new-window', '-d', '-P', '-F', '#{pane_id}', '-c', cwd];
    const pane = box.tmux(...window, ...env, '--', ...left(plan.argv, without));
    return watchSpecimen({ box, pane, signalsPath });
  }

  /** Puts a message into Codex's own queue, as its program does. */
  async queue(agentSessionId: string, text: string): Promise<void> {
    const { args } = planHandover({ text, agentSessionId });
    await promisify(execFile)(this.#codex, [...args], { env: { ...this.box.env, CODEX_HOME: this.codexHome } });
  }

  /** Ends every program started so far. */
  async sweep(): Promise<void> {
    for (const index of this.box.tmux('list-windows', '-t', 'keep', '-F', '#{window_index}').split('\n')) {
      if (index !== '0') this.box.tmux('kill-window', '-t', `keep:${index}`);
    }
    await rest(300);
  }

  async dispose(): Promise<void> {
    this.box.dispose();
    await this.model.close();
    rmSync(this.codexHome, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

/** The words without those that match; `-c` goes with its setting. */
const left = (argv: readonly string[], without: RegExp | undefined): readonly string[] =>
  without === undefined
    ? argv
    : argv.filter((word, i) => !without.test(word) && !(word === '-c' && without.test(argv[i + 1] ?? '')));

export const openLab = async (codex: string): Promise<Lab> => new Lab({ codex, model: await startFakeModel() });
