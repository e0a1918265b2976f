// The branches that somebody moved who had no right to, as they are told, and whose worker could have done it.
import { quote } from '../../model/quote.ts';
import { isLiveOrSpawning, isSandboxed, type WorkerRecord } from '../../model/worker.ts';
import { type MovedTip, peekTipBook } from '../../store/tip-book.ts';
import type { CrewContext } from './crew-context.ts';

/** Its commands run in a sandbox that keeps no branch of others from them; so did each before crewmux noted it. */
export const canWriteRefs = ({ launch }: Pick<WorkerRecord, 'launch'>): boolean =>
  isSandboxed(launch) && launch.writesRefs !== false;

export const membersOf = (context: CrewContext, repo: string): readonly WorkerRecord[] =>
  context.roster.records().filter(({ mainRepoPath }) => mainRepoPath === repo);

export const guardedIn = (context: CrewContext, repo: string): readonly WorkerRecord[] =>
  membersOf(context, repo).filter((record) => isLiveOrSpawning(record) && canWriteRefs(record));

export const namesOf = (context: CrewContext, ids: readonly string[]): readonly string[] =>
  ids.map((id) => context.log.records().get(id)?.name ?? id).sort();

/** The call with which a person agrees; no tool can. */
export const trustCall = (repo: string, branch: string): string =>
  `cd ${quote(repo)} && crewmux trust --branch ${quote(branch)}`;

interface Moving {
  readonly repo: string;
  readonly branch: string;
  readonly from: string;
  readonly to: string;
  readonly open?: MovedTip | undefined;
}

export function movedWords(context: CrewContext, { repo, branch, from, to, open }: Moving) {
  const names = namesOf(context, open?.workers ?? guardedIn(context, repo).map(({ id }) => id));
  const who = names.length === 0 ? 'a worker' : new Intl.ListFormat('en', { type: 'disjunction' }).format(names);
  const title = `The branch ${branch} of ${repo} was moved from ${from.slice(0, 12)} to ${to.slice(0, 12)}`;
  const why = `no landing and no act in a checkout of the user's led it there. ${who} could have: their sandbox keeps no branch from them`;
  return { title, why, words: `${title}; ${why}.` };
}

export const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

export interface MovedBranch {
  readonly title: string;
  readonly detail: string;
  readonly call: string;
  readonly at: number;
}

/** The moved branches that this worker, as the first of all that could have done it, stands for. */
export function movedBranchesOf(context: CrewContext, record: WorkerRecord): readonly MovedBranch[] {
  const { mainRepoPath: repo } = record;
  if (repo === undefined || !canWriteRefs(record)) return [];
  const book = peekTipBook(context.home.root, repo);
  const records = context.log.records();
  const standsFor = (id: string) => {
    const one = records.get(id);
    return one !== undefined && one.phase !== 'closed' && canWriteRefs(one);
  };
  const kept = new Map(Object.entries(book?.kept ?? {}));
  return Object.entries(book?.moved ?? {}).flatMap(([branch, open]) => {
    if (open.workers.find(standsFor) !== record.id) return [];
    const from = kept.get(branch)?.at(-1) ?? '';
    const { title, why } = movedWords(context, { repo, branch, from, to: open.to, open });
    const call = trustCall(repo, branch);
    return [
      {
        title,
        detail: `${capital(why)}. Only a person can agree, in a terminal, where it shows what it holds now.`,
        call,
        at: open.at,
      },
    ];
  });
}
