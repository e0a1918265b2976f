// A server without a client: it does one thing with the crew and ends, or is killed at a chosen line of its journals.
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';
import { z } from 'zod';

const wish = z.object({
  repo: z.string(),
  home: z.string(),
  userHome: z.string(),
  program: z.array(z.string()),
  worker: z.string().optional(),
  message: z.object({ id: z.string(), text: z.string() }).optional(),
  /** It dies before or after the write of the first line that matches, into the file of this name. */
  dies: z.object({ when: z.enum(['before', 'after']), file: z.string(), line: z.string() }).optional(),
});
export type Wish = z.input<typeof wish>;
const asked = wish.parse(JSON.parse(process.argv[2] ?? '{}'));
if (asked.dies !== undefined) dieAt(asked.dies);
const { buildCrew } = await import('../../src/graph.ts');
const { repo: project, home, userHome, program, message } = asked;
const log = { path: '', write: () => undefined };
const world = { env: process.env, userHome, project, home, pid: process.pid, program, log, remind: () => undefined };
const crew = await buildCrew(world);
const run = { signal: new AbortController().signal, tell: () => undefined };
const worker = asked.worker ?? (await started());
const delivery = { delivery: 'queue', asCommand: false, keep: true } as const;
const sent = message && (await crew.send({ ...delivery, ...message, workers: [worker] }))[worker];
const { messages } = await crew.logs({ worker, pages: 50, offset: 0, format: 'full' });
const prompts = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
const { crew: name } = await crew.place({ project });
const { terminal_id: terminal } = await crew.examine({ worker, screenLines: 0 });
const work = crew.work({ crews: [name], tasks: new Set(['t1']) });
process.stdout.write(JSON.stringify({ verdict: sent?.verdict, terminal, prompts, work }));
await crew.dispose();
process.exit(0);

async function started(): Promise<string> {
  const order = { project, useWorktree: false, agentType: 'claude', task: { id: 't1', attempt: 1 } } as const;
  const { sessions, failed } = await crew.start({ workers: [order] }, run);
  const [one] = sessions;
  if (one === undefined) throw new Error(JSON.stringify(failed));
  return one.session_id;
}

function dieAt({ when, file, line }: NonNullable<z.output<typeof wish>['dies']>): void {
  const { open } = fs;
  const die = () => process.kill(process.pid, 'SIGKILL');
  fs.open = async (path, ...rest) => {
    const handle = await open(path, ...rest);
    if (basename(String(path)) !== file) return handle;
    const write = handle.write.bind(handle);
    const watched = async (bytes: Buffer) => {
      const isIt = bytes.toString().includes(line);
      if (isIt && when === 'before') die();
      const written = await write(bytes);
      if (isIt) die();
      return written;
    };
    return Object.assign(handle, { write: watched });
  };
  syncBuiltinESMExports();
}
