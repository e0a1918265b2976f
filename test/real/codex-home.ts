// A home in which both real CLIs start without a question, answered by one fake model.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newNonce } from '../../src/model/ids.ts';
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
