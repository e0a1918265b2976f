// One look at a main checkout, and what is new there since the last.
import { resolve } from 'node:path';
import {
  byWitnesses,
  certain,
  type Escapes,
  escapesIn,
  isNothing,
  joined,
  newIn,
  noEscapes,
  type Sight,
  type Span,
  settled,
  standing,
  type WitnessedEscapes,
} from '../../model/escape.ts';
import type { EventDraft } from '../../model/event.ts';
import { isStepThere, lookAtCheckout, type Moves, movesSince } from '../../worktree/checkout.ts';
import { type FolderFacts, inspectFolder } from '../../worktree/inspect.ts';
import type { CrewContext } from '../workers/roster.ts';
import { type Book, readBook, withBook, writeBook } from './escape-book.ts';
import { traced } from './escape-trace.ts';

const mostNamed = 20;
/** An agent writes down what it did soon after, or never. */
const tracedMs = 10 * 60_000;

/** Undefined where there is no main checkout. */
export async function checkoutOf(context: CrewContext, path: string): Promise<FolderFacts | undefined> {
  const folder = await inspectFolder({ path, env: context.env }).catch(() => undefined);
  return folder === undefined || folder.isBare || folder.worktreeRoot !== folder.mainRepoPath ? undefined : folder;
}

/** Looks, notes and tells what is new; resolves with everything that stands. */
export const lookForEscapes = (
  context: CrewContext,
  repo: FolderFacts,
  spansOf: () => Promise<readonly Span[]>,
): Promise<Escapes> =>
  withBook(context, repo, async () => {
    const book = await readBook(context, repo);
    const sight = await lookAtCheckout({ repo, at: context.clock.now(), except: worktreesIn(context, repo) });
    const spans = await spansOf();
    const found = await newSince(repo, { book, sight, spans });
    const known = book?.escapes ?? noEscapes;
    const left = await stillThere(context, repo, { known, sight });
    // What an agent did may stand in its transcript only after its turn.
    const since = (book?.sight.at ?? 0) - tracedMs;
    const escapes = settled(await traced(context, repo, { found: joined(left, found), since }), since);
    const [before, now] = [certain(known), certain(escapes)];
    const drafts = [
      ...draftsOf(context, repo, { escapes: newIn(before, now), gone: false }),
      ...draftsOf(context, repo, { escapes: newIn(now, before), gone: true }),
    ];
    if (drafts.length > 0) await context.log.append(drafts);
    await writeBook(context, repo, { sight, escapes });
    return now;
  });

async function newSince(
  repo: FolderFacts,
  { book, sight, spans }: { book: Book | undefined; sight: Sight; spans: readonly Span[] },
): Promise<Escapes> {
  const before = book?.sight;
  const { steps, paths, undone } = before === undefined ? noMoves : await movesSince(repo, before, sight);
  // What a worker has put there itself it may take away.
  const own = new Set(book?.escapes.files.filter(({ tool }) => tool !== undefined).map(({ path }) => path));
  const lost = undone.filter(({ path }) => !own.has(path));
  return escapesIn({ before, now: sight, steps, moved: paths, undone: lost, spans });
}

const noMoves: Moves = { steps: [], paths: new Set(), undone: [] };

function worktreesIn(context: CrewContext, repo: FolderFacts): readonly string[] {
  const own = context.roster.records().flatMap(({ worktreePath }) => worktreePath ?? []);
  return [resolve(repo.mainRepoPath, context.settingsFor(repo.mainRepoPath).settings.worktrees.dir), ...own];
}

/** A step is nobody's news any more when all who worked then are closed. */
async function stillThere(
  context: CrewContext,
  repo: FolderFacts,
  { known, sight }: { known: Escapes; sight: Sight },
): Promise<Escapes> {
  const records = context.log.records();
  const isOpen = (id: string) => (records.get(id)?.phase ?? 'closed') !== 'closed';
  const checked = await Promise.all(
    known.commits.map(async (step) => ((await isStepThere(repo, sight, step)) ? [step] : [])),
  );
  const there = new Set(checked.flat());
  return standing(known, { now: sight, isThere: (step) => there.has(step), isOpen });
}

function draftsOf(
  context: CrewContext,
  { mainRepoPath }: FolderFacts,
  { escapes, gone }: { escapes: Escapes; gone: boolean },
): readonly EventDraft[] {
  if (isNothing(escapes)) return [];
  const records = context.log.records();
  return byWitnesses(escapes).flatMap(({ workers, tool, files, commits, undone }: WitnessedEscapes) => {
    const [workerId] = workers;
    const data = {
      in: mainRepoPath,
      files: files.slice(0, mostNamed).map(({ path }) => path),
      file_count: files.length,
      commits: commits.slice(0, mostNamed).map(({ commit, subject }) => ({ commit, subject })),
      ...(undone.length === 0 ? {} : { undone: undone.slice(0, mostNamed).map(({ path }) => path) }),
      workers: workers.map((id) => records.get(id)?.name ?? id).sort(),
      ...(tool === undefined ? {} : { named_by: tool }),
      gone,
    };
    return workerId === undefined ? [] : [{ type: 'escaped' as const, workerId, data }];
  });
}
