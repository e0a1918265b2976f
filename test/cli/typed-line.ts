// A line of the command line, run in a world where all that it says is kept.
import { realpath } from 'node:fs/promises';
import { runLine } from '../../src/cli/words.ts';
import type { CommandWorld } from '../../src/cli/world.ts';

export interface Typed {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** The world is complete but for where things lie. */
export async function type(
  args: readonly string[],
  world: Partial<CommandWorld> & Pick<CommandWorld, 'userHome' | 'cwd'>,
): Promise<Typed> {
  let [out, err] = ['', ''];
  const code = await runLine(args, {
    env: {},
    pid: process.pid,
    program: '/usr/lib/node_modules/crewmux/dist/crewmux.mjs',
    self: ['crewmux'],
    version: '9.9.9',
    examiner: async () => ({
      doctor: async () => ({ status: 'ok', findings: [] }),
      agentSessions: async () => ({ sessions: [] }),
    }),
    checkoutTop: (folder) => realpath(folder),
    branches: async () => [],
    projectFolders: async (project) => [project],
    between: () => Promise.reject(new Error('no git here')),
    workerVariables: async () => [],
    commandTexts: async () => ({}),
    pluginHooks: async () => '{"hooks":{}}',
    isIgnored: async () => true,
    look: () => Promise.reject(new Error('no crew here')),
    visit: () => Promise.reject(new Error('no crew here')),
    attach: () => Promise.reject(new Error('no tmux here')),
    keep: async ({ does }) => (does === 'keep' ? 42 : 43),
    playDemo: async ({ keep }) => (keep ? 41 : 40),
    unread: async () => undefined,
    write(text) {
      out += text;
      return 0;
    },
    complain(text) {
      err += text;
      return 2;
    },
    ...world,
  });
  return { code, out, err };
}
