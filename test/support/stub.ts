// How tests start the edge over the cardboard crew.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ServerCommand } from './mcp.ts';
import type { Sandbox } from './sandbox.ts';

const root = resolve(import.meta.dirname, '../..');

export interface Stub extends ServerCommand {
  /** What has happened to the crew, one line each. */
  diary(): readonly string[];
  readonly logPath: string;
}

/** Bundles the stub into a folder, as the product is bundled, so that its many starts cost little; returns its path. */
export function buildStub(folder: string): string {
  const program = join(folder, 'stub.mjs');
  execFileSync(process.execPath, [join(root, 'scripts/build.mjs'), 'test/support/stub-server.ts', program]);
  return program;
}

interface StubOptions {
  readonly program: string;
  readonly sandbox: Sandbox;
  readonly env?: Readonly<Record<string, string>>;
}

export function stubServer({ program, sandbox, env = {} }: StubOptions): Stub {
  const diaryPath = join(sandbox.root, 'diary');
  const logPath = join(sandbox.root, 'log');
  return {
    command: process.execPath,
    args: [program],
    env: { ...sandbox.env, STUB_DIARY: diaryPath, STUB_LOG: logPath, ...env },
    cwd: sandbox.root,
    diary: () => (existsSync(diaryPath) ? readFileSync(diaryPath, 'utf8').split('\n').filter(Boolean) : []),
    logPath,
  };
}
