// A home for both agents in which each dialog of a start can be met on purpose.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fields } from '../../support/mcp.ts';
import type { ClaudeHome } from '../claude-home.ts';
import { makeCodexHome } from '../codex-home.ts';
import { agentBinary } from '../install.ts';

/** What crewmux says at every start to keep a dialog away is left out when the worker's environment says so. */
const codexWithout = `#!${process.execPath}
const { spawnSync } = require('node:child_process');
const { CODEX_WITHOUT: without = '' } = process.env;
const words = process.argv.slice(2);
const isLeftOut = (word) => word !== undefined && word.startsWith(without);
const kept = words.filter((word, i) => !isLeftOut(word) && !(word === '-c' && isLeftOut(words[i + 1])));
process.exit(spawnSync(${JSON.stringify(agentBinary('codex'))}, kept, { stdio: 'inherit' }).status ?? 1);
`;

const untilScript = `touch "$1"
until [ -e "$2" ]; do sleep 0.05; done
touch "$3"
`;

/** A command that makes the file `began`, goes on until the driver makes the file `go`, and makes the file `went`. */
export const untilGo = (mark: string): string => `sh until.sh began${mark} go${mark} went${mark}`;

export async function makeStageHome(): Promise<ClaudeHome> {
  const home = await makeCodexHome();
  const bin = home.sandbox.dir('bin');
  writeFileSync(join(bin, 'codex-without.cjs'), codexWithout, { mode: 0o755 });
  const starter = `#!/bin/sh\n[ -z "$CODEX_WITHOUT" ] && exec ${agentBinary('codex')} "$@"\nexec ${join(bin, 'codex-without.cjs')} "$@"\n`;
  writeFileSync(join(bin, 'codex'), starter, { mode: 0o755 });
  mkdirSync(join(home.env.CODEX_HOME ?? home.sandbox.home, 'nobody'), { recursive: true });
  const repo = (name: string): string => {
    const path = home.repo(name);
    writeFileSync(join(path, 'until.sh'), untilScript);
    home.sandbox.git(path, 'add', '.');
    home.sandbox.git(path, 'commit', '-q', '-m', 'Wait for a file');
    return path;
  };
  return { ...home, repo, env: { ...home.env, CREWMUX_CODEX_COMMAND: join(bin, 'codex') } };
}

/** A spawn of a Codex that believes there is a newer one. */
export function outdated({ env, sandbox }: ClaudeHome): Fields {
  const seen = { latest_version: '99.0.0', last_checked_at: new Date().toISOString() };
  writeFileSync(join(env.CODEX_HOME ?? sandbox.home, 'version.json'), JSON.stringify(seen));
  return { env: { CODEX_WITHOUT: 'check_for_update' } };
}

/** A repository that brings an MCP server with it. */
export function withServer({ repo, spareName, sandbox }: ClaudeHome): string {
  const path = repo(spareName());
  writeFileSync(join(path, '.mcp.json'), JSON.stringify({ mcpServers: { one: { command: 'true' } } }));
  sandbox.git(path, 'add', '.mcp.json');
  sandbox.git(path, 'commit', '-q', '-m', 'Bring a server');
  return path;
}
