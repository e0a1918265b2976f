// A private HOME in which the real CLI starts without a question, answered by a fake model.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quoted } from '../../src/model/quote.ts';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';
import { type FakeModel, startFakeModel } from './fake/server.ts';
import { agentBinary } from './install.ts';

const apiKey = 'sk-ant-fake-0123456789abcdefghijklmnopqrstuvwxyz';

export interface ClaudeHome {
  readonly sandbox: Sandbox;
  readonly model: FakeModel;
  readonly claude: string;
  readonly env: Record<string, string>;
  /** Every folder that `repo` can make. */
  readonly trusted: readonly string[];
  /** A repository with one commit that both agents trust: one of the names known from the start, or a spare one. */
  repo(name: string): string;
  /** A name for `repo` that nobody has had yet. */
  spareName(): string;
  dispose(): Promise<void>;
}

// All of them are trusted before the first agent starts: agents write that file too, and would lose a later word.
const names = ['project', 'by-hand', 'hooked'];
const spareNames = Array.from({ length: 100 }, (_, i) => `spare-${i}`);

export async function makeClaudeHome(): Promise<ClaudeHome> {
  const sandbox = makeSandbox();
  const model = await startFakeModel();
  const known = [...names, ...spareNames];
  const spares = spareNames.values();
  const trusted = known.map((name) => join(sandbox.root, name));
  seed(sandbox.dir('home/.claude'), trusted);
  return {
    sandbox,
    trusted,
    model,
    claude: starterIn(sandbox),
    env: { ...sandbox.env, ...claudeEnv(model.url) },
    repo(name) {
      if (!known.includes(name)) throw new Error(`Nobody trusts a repository "${name}"; its name comes too late.`);
      return sandbox.repo(name);
    },
    spareName() {
      const { value } = spares.next();
      if (value === undefined) throw new Error(`All ${spareNames.length} spare repositories are in use.`);
      return value;
    },
    async dispose() {
      sandbox.dispose();
      await model.close();
    },
  };
}

/** Optimised code is not worth its making in a program that lives for a minute: the tests take a third less without. */
function starterIn(sandbox: Sandbox): string {
  const path = join(sandbox.dir('bin'), 'claude');
  const words = ['#!/bin/sh', `BUN_JSC_useDFGJIT=0 exec ${quoted(agentBinary('claude'))} "$@"`, ''];
  writeFileSync(path, words.join('\n'), { mode: 0o755 });
  return path;
}

const claudeEnv = (url: string) => ({
  // For any other shell than these two Claude Code takes the one that the machine has, zsh before bash.
  SHELL: '/bin/bash',
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
