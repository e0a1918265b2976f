// Whose own tool calls name what appeared in the main checkout; looked up only when something has.
import { join, relative } from 'node:path';
import { readLines } from '../../jsonl/slice.ts';
import type { Escapes } from '../../model/escape.ts';
import { type Call, callFor } from '../../model/escape-call.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { FolderFacts } from '../../worktree/inspect.ts';
import type { CrewContext } from '../workers/roster.ts';
import { transcriptOf } from '../workers/transcript.ts';

/** As far back as a call is looked for. */
const newestMessages = 400;

/** The same, with one worker alone where a call of its names the file or the checkout; what is older is not looked up again. */
export async function traced(
  context: CrewContext,
  { mainRepoPath }: FolderFacts,
  { found, since }: { readonly found: Escapes; readonly since: number },
): Promise<Escapes> {
  const isOpen = ({ tool, at }: Pick<Undone, 'tool' | 'at'>) => tool === undefined && at >= since;
  const all = [...found.files, ...found.commits, ...found.undone].filter(isOpen);
  if (all.length === 0) return found;
  const ids = new Set(all.flatMap(({ workers }) => workers));
  const calls = new Map(await Promise.all([...ids].map(async (id) => [id, await callsOf(context, id)] as const)));
  const maker = (one: Pick<Undone, 'workers' | 'at' | 'tool'>, { path, ...wanted }: Wanted) => {
    if (!isOpen(one)) return undefined;
    const { workers, at } = one;
    const makers = workers.flatMap((id) => {
      const { cwd, made } = calls.get(id) ?? { cwd: '', made: [] };
      const waysTo = (place: string) => [place, relative(cwd, place)].filter((name) => name !== '');
      const step = wanted.step === undefined ? {} : { step: wanted.step };
      const undoneIn = wanted.undoneIn === undefined ? {} : { undoneIn: waysTo(wanted.undoneIn) };
      const tool = callFor({ calls: made, names: waysTo(path), at, ...step, ...undoneIn });
      return tool === undefined ? [] : [{ workers: [id], tool }];
    });
    return makers.length === 1 ? makers[0] : undefined;
  };
  const whole = ({ path }: { readonly path: string }) => join(mainRepoPath, path);
  return {
    files: found.files.map((one) => ({ ...one, ...maker(one, { path: whole(one) }) })),
    commits: found.commits.map((one) => ({ ...one, ...maker(one, { path: mainRepoPath, step: one.subject }) })),
    undone: found.undone.map((one) => ({ ...one, ...maker(one, { path: whole(one), undoneIn: mainRepoPath }) })),
  };
}

type Undone = Escapes['undone'][number];

interface Wanted {
  readonly path: string;
  readonly step?: string;
  readonly undoneIn?: string;
}

async function callsOf(
  context: CrewContext,
  id: string,
): Promise<{ readonly cwd: string; readonly made: readonly Call[] }> {
  const record = context.log.records().get(id);
  if (record === undefined) return { cwd: '', made: [] };
  const made = await newestCalls(context, record).catch((error: unknown) => {
    context.logger.write('warn', `the calls of ${id} could not be read`, error);
    return [];
  });
  return { cwd: record.projectPath, made };
}

async function newestCalls(context: CrewContext, record: WorkerRecord): Promise<readonly Call[]> {
  const { path, agent, conversation } = await transcriptOf(context, record);
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
