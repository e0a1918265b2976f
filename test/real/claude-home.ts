// A private HOME in which the real CLI starts without a question, answered by a fake model.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';
import { type FakeModel, startFakeModel } from './fake/server.ts';
import { agentBinary } from './install.ts';

const apiKey = 'sk-ant-fake-0123456789abcdefghijklmnopqrstuvwxyz';

export interface ClaudeHome {
  readonly sandbox: Sandbox;
  readonly model: FakeModel;
  readonly claude: string;
  readonly env: Record<string, string>;
  /** A repository with one commit that Claude trusts. */
  repo(name: string): string;
  dispose(): Promise<void>;
}

/** Trust is read when the CLI starts, so name every repository before the first worker of it. */
export async function makeClaudeHome(): Promise<ClaudeHome> {
  const sandbox = makeSandbox();
  const model = await startFakeModel();
  const trusted: string[] = [];
  const configDir = sandbox.dir('home/.claude');
  seed(configDir, trusted);
  return {
    sandbox,
    model,
    claude: agentBinary('claude'),
    env: { ...sandbox.env, ...claudeEnv(model.url) },
    repo(name) {
      const path = sandbox.repo(name);
      trusted.push(path);
      seed(configDir, trusted);
      return path;
    },
    async dispose() {
      sandbox.dispose();
      await model.close();
    },
  };
}

const claudeEnv = (url: string) => ({
  ANTHROPIC_BASE_URL: url,
  ANTHROPIC_API_KEY: apiKey,
  DISABLE_TELEMETRY: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_ERROR_REPORTING: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  // As root the CLI skips permissions only inside a sandbox.
  IS_SANDBOX: '1',
});

function seed(configDir: string, trusted: readonly string[]): void {
  const projects = Object.fromEntries(trusted.map((path) => [path, { hasTrustDialogAccepted: true }]));
  const known = {
    hasCompletedOnboarding: true,
    hasSeenAutoDefaultNotice: true,
    customApiKeyResponses: { approved: [apiKey.slice(-20)], rejected: [] },
    projects,
  };
  mkdirSync(configDir, { recursive: true });
  writeFileSync(join(configDir, '.claude.json'), JSON.stringify(known));
}
