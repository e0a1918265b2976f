// Whose own tool calls name what appeared in the main checkout; looked up only when something has.
import { join, relative } from 'node:path';
import { readLines } from '../jsonl/slice.ts';
import { certain, type Escapes, isNothing } from '../model/escape.ts';
import { type Call, callFor } from '../model/escape-call.ts';
import type { WorkerRecord } from '../model/worker.ts';
import type { FolderFacts } from '../worktree/inspect.ts';
import type { House } from './house.ts';
import { transcriptOf } from './transcript.ts';

/** As far back as a call is looked for. */
const newestMessages = 400;

/** The same, with one worker alone where a call of its names the file or the checkout. */
export async function traced(house: House, { mainRepoPath }: FolderFacts, found: Escapes): Promise<Escapes> {
  if (isNothing(found)) return found;
  const ids = new Set([...found.files, ...found.commits].flatMap(({ workers }) => workers));
  const calls = new Map(await Promise.all([...ids].map(async (id) => [id, await callsOf(house, id)] as const)));
  const maker = (
    { workers, at }: Escapes['files'][number] | Escapes['commits'][number],
    path: string,
    step?: string,
  ) => {
    const makers = workers.flatMap((id) => {
      const { cwd, made } = calls.get(id) ?? { cwd: '', made: [] };
      const names = [path, relative(cwd, path)].filter((name) => name !== '');
      const tool = callFor({ calls: made, names, at, ...(step === undefined ? {} : { step }) });
      return tool === undefined ? [] : [{ workers: [id], tool }];
    });
    return makers.length === 1 ? makers[0] : undefined;
  };
  return certain({
    files: found.files.map((file) => ({ ...file, ...maker(file, join(mainRepoPath, file.path)) })),
    commits: found.commits.map((commit) => ({ ...commit, ...maker(commit, mainRepoPath, commit.subject) })),
  });
}

async function callsOf(house: House, id: string): Promise<{ readonly cwd: string; readonly made: readonly Call[] }> {
  const record = house.log.records().get(id);
  if (record === undefined) return { cwd: '', made: [] };
  const made = await newestCalls(house, record).catch((error: unknown) => {
    house.logger.write('warn', `the calls of ${id} could not be read`, error);
    return [];
  });
  return { cwd: record.projectPath, made };
}

async function newestCalls(house: House, record: WorkerRecord): Promise<readonly Call[]> {
  const { path, agent, conversation } = await transcriptOf(house, record);
  const { messages } = conversation.totals;
  const blocks = conversation.blocksFor(Math.max(0, messages - newestMessages), messages);
  const [first, last] = [blocks[0], blocks.at(-1)];
  if (first === undefined || last === undefined) return [];
  const lines = await readLines(path, { from: first.from, to: last.to });
  return lines.flatMap((line) => {
    const { entry } = agent.decodeLine(line);
    return (entry?.toolUses ?? []).map(({ name, input }) => ({ tool: name, input, at: entry?.at ?? 0 }));
  });
}
