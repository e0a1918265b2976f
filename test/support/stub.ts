// How tests start the edge over the cardboard crew.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ServerCommand } from './mcp.ts';
import type { Sandbox } from './sandbox.ts';

const root = resolve(import.meta.dirname, '../..');

export interface Stub extends ServerCommand {
  /** What has happened to the crew, one line each. */
  diary(): readonly string[];
  readonly logPath: string;
}

export function stubServer(sandbox: Sandbox, env: Readonly<Record<string, string>> = {}): Stub {
  const diaryPath = join(sandbox.root, 'diary');
  const logPath = join(sandbox.root, 'log');
  return {
    command: process.execPath,
    args: ['--import', pathToFileURL(join(root, 'scripts/ts.mjs')).href, join(root, 'test/support/stub-server.ts')],
    env: { ...sandbox.env, STUB_DIARY: diaryPath, STUB_LOG: logPath, ...env },
    cwd: sandbox.root,
    diary: () => (existsSync(diaryPath) ? readFileSync(diaryPath, 'utf8').split('\n').filter(Boolean) : []),
    logPath,
  };
}
