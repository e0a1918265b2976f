// A home in which both real CLIs start without a question, answered by one fake model.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newNonce } from '../../src/model/ids.ts';
import { eventually } from '../support/sandbox.ts';
import { type ClaudeHome, makeClaudeHome } from './claude-home.ts';
import { agentBinary, cacheDir } from './install.ts';

export async function makeCodexHome(): Promise<ClaudeHome> {
  const home = await makeClaudeHome();
  // Codex makes no use of a home below the folder for temporary files.
  const codexHome = join(cacheDir(), `home-${newNonce()}`);
  mkdirSync(codexHome, { recursive: true });
  writeFileSync(join(codexHome, 'config.toml'), config(home.model.url, home.trusted));
  return {
    ...home,
    env: { ...home.env, CODEX_HOME: codexHome, CREWMUX_CODEX_COMMAND: agentBinary('codex') },
    async dispose() {
      await home.dispose();
      rmSync(codexHome, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    },
  };
}

/**
 * Codex now and then leaves letters of its start-up row among those of its status row, and draws neither again. crewmux
 * then sees no prompt box and hands messages to Codex's own queue. A test of typing begins another Codex, and so does
 * one that is to see it at rest before its first turn.
 */
export async function begunWhole(
  tmux: (...args: string[]) => string,
  begin: () => string | Promise<string>,
): Promise<string> {
  let torn: string | undefined;
  for (;;) {
    const pane = await begin();
    // Only now: without a pane the tmux server would end in between.
    if (torn !== undefined) tmux('kill-pane', '-t', torn);
    const screen = () => tmux('capture-pane', '-p', '-t', pane);
    await eventually('its prompt box', () => /^› /m.test(screen()));
    const isWhole = () => /^ {2}GPT-.* · \//m.test(screen());
    if (await eventually('its status row', isWhole, 10_000).catch(() => false)) return pane;
    torn = pane;
  }
}

const config = (url: string, trusted: readonly string[]): string => `
model = "gpt-5.5"
model_provider = "fake"
[model_providers.fake]
name = "fake"
base_url = "${url}/v1"
wire_api = "responses"
requires_openai_auth = false
request_max_retries = 2
stream_max_retries = 2
${trusted.map((folder) => `[projects."${folder}"]\ntrust_level = "trusted"\n`).join('')}`;
