// Keeps where branches stand that a worker's commands could move, and refuses to use one that somebody else moved.
import type { Disposer } from '../../model/clock.ts';
import { CrewError } from '../../model/errors.ts';
import type { EventDraft } from '../../model/event.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import {
  dropTipBook,
  readTipBook,
  type TipBook,
  tipBookName,
  tipBookPath,
  writeTipBook,
} from '../../store/tip-book.ts';
import { pause } from '../../system/clock.ts';
import { exists } from '../../system/disk.ts';
import { withLock } from '../../system/lock.ts';
import { type Gathered, gather } from '../../system/pace.ts';
import { gitFoldersOf } from '../../worktree/git/git-link.ts';
import type { Repo } from '../../worktree/git/inspect.ts';
import type { CrewContext } from './crew-context.ts';
import { isAtWork } from './escapes.ts';
import { canWriteRefs, guardedIn, membersOf, movedWords, namesOf, trustCall } from './moved-branches.ts';
import { type Fresh, lookAtTips } from './tip-look.ts';

const quietMs = 300;
const lockTimeoutMs = 30_000;
/** A commit writes the history, then the branch; a landing the branch, then the log. */
const mostLooks = 3;

/** Looks after each turn of such a worker, when it starts or ends, and when this server becomes its manager. */
export function watchTips(context: CrewContext): Disposer {
  const looks = new Map<string, Gathered>();
  const request = (id: string) => {
    const record = context.log.records().get(id);
    const repo = record?.mainRepoPath;
    if (record === undefined || repo === undefined || !canWriteRefs(record) || !context.roster.isMine(record)) return;
    const known = looks.get(repo) ?? looksAt(context, repo);
    looks.set(repo, known);
    known.request();
  };
  const stops = [
    context.roster.onChange(({ workerId, before, after }) => {
      if (isAtWork(before) && !isAtWork(after)) request(workerId);
    }),
    context.log.onEvents((events) => {
      for (const { workerId, set } of events)
        if ([set?.manager, set?.launch, set?.phase].some((one) => one !== undefined)) request(workerId);
    }),
  ];
  return () => {
    for (const stop of stops) stop();
    for (const { stop } of looks.values()) stop();
  };
}

const looksAt = (context: CrewContext, repo: string): Gathered =>
  gather(
    {
      clock: context.clock,
      gatherMs: quietMs,
      restMs: () => quietMs,
      onTrouble: (error) => context.logger.write('warn', `branches of ${repo} could not be looked at`, error),
    },
    async () => {
      await look(context, { repo });
    },
  );

/** Takes the tips before such a worker's launch. Throws where they cannot be kept. */
export async function keepTips(context: CrewContext, record: WorkerRecord): Promise<void> {
  if (record.mainRepoPath !== undefined) await look(context, { repo: record.mainRepoPath, starting: record });
}

/** Branches that an act uses, each with the commit that it has read there. */
export type Uses = ReadonlyMap<string, string | undefined>;

/** Throws `target_moved` where one of the branches was moved, or was never known to stand at that commit. */
export async function refuseMoved(context: CrewContext, repo: Repo, uses: Uses): Promise<void> {
  const book = await look(context, { repo: repo.mainRepoPath, uses });
  if (book === undefined) return;
  const [kept, moved] = [new Map(Object.entries(book.kept)), new Map(Object.entries(book.moved))];
  for (const [branch, at] of uses) {
    const known = kept.get(branch);
    const open = moved.get(branch);
    const isKnown = at === undefined || known?.includes(at);
    if (known === undefined || (open === undefined && isKnown)) continue;
    const { words } = movedWords(context, {
      repo: book.repo,
      branch,
      from: known.at(-1) ?? '',
      to: open?.to ?? at ?? '',
      open,
    });
    throw new CrewError(
      'target_moved',
      words,
      `Nothing was changed. Only the user can agree to it, in a terminal: ${trustCall(book.repo, branch)}`,
    );
  }
}

interface Asked {
  readonly repo: string;
  readonly uses?: Uses;
  readonly starting?: WorkerRecord;
}

/** Undefined where no such worker is there, or has been since somebody agreed; then nothing was read. */
async function look(context: CrewContext, asked: Asked): Promise<TipBook | undefined> {
  const { repo, starting } = asked;
  const { root } = context.home;
  const isNeeded = starting !== undefined || guardedIn(context, repo).length > 0;
  if (!isNeeded && !(await exists(tipBookPath(root, repo)))) return undefined;
  const commonDir = gitFoldersOf(repo)?.commonDir;
  if (commonDir === undefined) return undefined;
  const act = async () => {
    await context.log.catchUp();
    const before = await readTipBook(root, repo, (message) => context.logger.write('warn', message));
    for (let left = mostLooks - 1; ; left -= 1) {
      const members = membersOf(context, repo);
      const guarded = [...guardedIn(context, repo), ...(starting === undefined ? [] : [starting])];
      const seen = await lookAtTips(context, { ...asked, commonDir, before, members, guarded, canWriteRefs });
      if (seen.fresh.length > 0 && left > 0) {
        await pause(quietMs);
        continue;
      }
      const isOver = guarded.length === 0 && Object.keys(seen.book.moved).length === 0;
      await (isOver ? dropTipBook(root, repo) : writeTipBook(root, seen.book));
      await report(context, seen.book, seen.fresh);
      return seen.book;
    }
  };
  // Of several servers one reports what is new.
  const lock = context.home.lockPath(`tips-${tipBookName(repo)}`);
  return withLock(lock, act, { me: context.me, timeoutMs: lockTimeoutMs });
}

async function report(context: CrewContext, { repo }: TipBook, fresh: readonly Fresh[]): Promise<void> {
  const drafts = fresh.flatMap(({ branch, from, to, workers }): readonly EventDraft[] => {
    const [workerId] = workers;
    const data = { in: repo, branch, from, to, workers: namesOf(context, workers) };
    return workerId === undefined ? [] : [{ type: 'ref_moved', workerId, data }];
  });
  if (drafts.length > 0) await context.log.append(drafts);
}
