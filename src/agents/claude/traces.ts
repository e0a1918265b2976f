// Where Claude Code writes what it does.
import { join } from 'node:path';
import type { Agent } from '../agent.ts';

const longestSlug = 200;

/** The folder name Claude Code makes of a working directory, one dash for each UTF-16 unit that is no letter or digit. */
export function projectSlug(cwd: string): string {
  const slug = cwd.replace(/[^a-zA-Z0-9]/g, '-');
  return slug.length <= longestSlug ? slug : `${slug.slice(0, longestSlug)}-${hash36(cwd)}`;
}

function hash36(text: string): string {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return Math.abs(hash).toString(36);
}

export const configDir = (env: Readonly<Record<string, string>>): string =>
  env.CLAUDE_CONFIG_DIR ?? join(env.HOME ?? '/', '.claude');

export const traces: Agent['traces'] = ({ cwd, agentSessionId, env }) => ({
  transcriptPath: join(configDir(env), 'projects', projectSlug(cwd), `${agentSessionId}.jsonl`),
  transcriptBelow: { dir: join(configDir(env), 'projects'), name: `${agentSessionId}.jsonl` },
  stateDir: join(configDir(env), 'sessions'),
});
