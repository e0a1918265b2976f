// The crew in memory: the record of every worker, and what crewmux follows of the live ones.
import { resolveWorker } from '../../model/address.ts';
import type { Disposer } from '../../model/clock.ts';
import { asCrewError, type CrewError } from '../../model/errors.ts';
import type { Signal } from '../../model/turn.ts';
import type { ManagerRef, PaneRecord, WorkerRecord } from '../../model/worker.ts';
import { isSameProcess } from '../../system/process.ts';
import type { TurnState } from '../../turn/reduce-turn.ts';
import type { LimitView } from '../../wire/attention.ts';
import type { WorkerView } from '../../wire/worker.ts';
import type { Context } from '../context.ts';
import { AccountMemory } from './account-memory.ts';
import { Following } from './following.ts';
import type { LastWord, MovedTree } from './last-word.ts';
import { StateFiles } from './state-files.ts';
import { statusOf, workerView } from './view.ts';

type RosterParts = Pick<Context, 'clock' | 'log' | 'terminal' | 'me'> & {
  readonly agentOf: Context['agents']['of'];
  readonly isAlive: (process: ManagerRef) => Promise<boolean>;
  readonly onTrouble: (error: unknown) => void;
  /** The bound that keeps it from a new turn. */
  readonly boundOf: (record: WorkerRecord) => LimitView | undefined;
};

export interface WorkerChange {
  readonly workerId: string;
  readonly signal: Signal;
  readonly before: TurnState;
  readonly after: TurnState;
}

/** Those that have ended for certain: of one that cannot be looked at nobody takes the workers. */
export async function endedOf(
  managers: readonly ManagerRef[],
  { isAlive, onTrouble }: Pick<RosterParts, 'isAlive' | 'onTrouble'>,
): Promise<readonly ManagerRef[]> {
  const looks = managers.map((manager) =>
    isAlive(manager).catch((error: unknown) => {
      onTrouble(error);
      return true;
    }),
  );
  const alive = await Promise.all(looks);
  return managers.filter((_, index) => !alive[index]);
}

export class Roster {
  readonly #parts: RosterParts;
  readonly #stateFiles: StateFiles;
  readonly #following = new Map<string, Following>();
  readonly #listeners = new Set<(change: WorkerChange) => void>();
  readonly #followListeners = new Set<(following: Following) => void>();
  readonly #spendingListeners = new Set<(workerId: string) => void>();
  /** Workers that this server is ending: their death makes no event and needs nobody. */
  readonly closing = new Set<string>();
  /** Workers that another manager has taken from this one, and when. */
  readonly takenAway = new Map<string, number>();
  /** Spawns that an ended server has left, and of which nobody could tell what became of them. */
  readonly cutOff = new Set<string>();
  /** Workers whose agent has crashed and is about to be started again. */
  readonly returning = new Set<string>();
  /** Workers whose worktree no longer belongs to the repository that it was made of, as of their last turn. */
  readonly movedTrees = new Map<string, MovedTree>();
  readonly accounts = new AccountMemory();
  // As of the last look; a manager may die at any time after it.
  #deadManagers: readonly ManagerRef[] = [];

  constructor(parts: RosterParts) {
    this.#parts = parts;
    this.#stateFiles = new StateFiles(parts.clock);
  }

  records(): readonly WorkerRecord[] {
    return [...this.#parts.log.records().values()];
  }

  /** Throws `unknown_worker` or `ambiguous_worker`. */
  resolve(text: string): WorkerRecord {
    return resolveWorker(text, this.records());
  }

  /** As `resolve`, with the error as a result. */
  tryResolve(text: string): { readonly record: WorkerRecord } | { readonly error: CrewError } {
    try {
      return { record: this.resolve(text) };
    } catch (thrown) {
      return { error: asCrewError(thrown) };
    }
  }

  /** The record as it is now; throws when the worker was never known. */
  record(id: string): WorkerRecord {
    return this.#parts.log.records().get(id) ?? this.resolve(id);
  }

  following(id: string): Following | undefined {
    return this.#following.get(id);
  }

  turn(id: string): TurnState | undefined {
    return this.#following.get(id)?.state;
  }

  /** It is neither dead nor closed; its record may learn of a death a moment later. */
  lives(record: WorkerRecord): boolean {
    const status = statusOf(record, this.turn(record.id));
    return status !== 'dead' && status !== 'closed';
  }

  all(): readonly Following[] {
    return [...this.#following.values()];
  }

  /** Begins to follow a launch; the same launch twice is one following, a new launch or word replaces the old. */
  follow(record: WorkerRecord, word?: LastWord): Following {
    const known = this.#following.get(record.id);
    const isOld = word !== undefined && JSON.stringify(word) !== JSON.stringify(known?.word);
    if (known !== undefined && known.launch.dir === record.launch.dir && !isOld) return known;
    void known?.close();
    const { clock, agentOf, onTrouble } = this.#parts;
    const parts = { agent: agentOf(record), clock, stateFiles: this.#stateFiles, onTrouble, word };
    const following = new Following(record, parts);
    this.#following.set(record.id, following);
    for (const listen of [...this.#followListeners]) listen(following);
    following.onSignal((signal, { before, after }) => {
      for (const listen of [...this.#listeners]) listen({ workerId: record.id, signal, before, after });
    });
    following.spending.onChange(() => {
      for (const listen of [...this.#spendingListeners]) listen(record.id);
    });
    return following;
  }

  async unfollow(id: string): Promise<void> {
    const following = this.#following.get(id);
    this.#following.delete(id);
    await following?.close();
    if (following !== undefined && this.isMine(this.record(id)))
      await following.spending.keep().catch(this.#parts.onTrouble);
  }

  /** Called for every signal of every worker that is followed. */
  onChange(listen: (change: WorkerChange) => void): Disposer {
    this.#listeners.add(listen);
    return () => this.#listeners.delete(listen);
  }

  /** Called for every worker that is followed when it has used something that no signal tells. */
  onSpending(listen: (workerId: string) => void): Disposer {
    this.#spendingListeners.add(listen);
    return () => this.#spendingListeners.delete(listen);
  }

  /** Called for every launch that is followed from now on. */
  onFollow(listen: (following: Following) => void): Disposer {
    this.#followListeners.add(listen);
    return () => this.#followListeners.delete(listen);
  }

  isMine(record: WorkerRecord): boolean {
    return isSameProcess(record.manager, this.#parts.me);
  }

  /** Another server that is alive manages it. */
  isOthers(record: WorkerRecord): boolean {
    // A manager that was not looked at yet counts as alive, so that nobody takes its workers by mistake.
    return !this.isMine(record) && !this.#deadManagers.some((manager) => isSameProcess(manager, record.manager));
  }

  /** Looks which managers live now; views and refusals use that look. */
  async lookAtManagers(): Promise<void> {
    const managers = new Map(this.records().map(({ manager }) => [`${manager.pid} ${manager.processStart}`, manager]));
    this.#deadManagers = await endedOf([...managers.values()], this.#parts);
  }

  /** The record with the conversation that the worker has open now; the log may get it a moment later. */
  present(record: WorkerRecord): WorkerRecord {
    const following = this.#following.get(record.id);
    if (following === undefined) return record;
    const { agentSessionId, transcriptPath } = following;
    return { ...record, launch: { ...record.launch, agentSessionId, transcriptPath } };
  }

  view(record: WorkerRecord): WorkerView {
    const following = this.#following.get(record.id);
    const mine = this.isMine(record);
    return workerView(this.present(record), {
      turn: following?.state,
      bound: this.lives(record) ? this.#parts.boundOf(record) : undefined,
      mine,
      managerAlive: mine || this.isOthers(record),
      attach: record.pane === undefined ? undefined : this.attach(record.pane),
    });
  }

  /** The command with which a person looks at the pane. */
  attach(pane: Pick<PaneRecord, 'session' | 'socket'>): string {
    return this.#parts.terminal.of(pane.socket).attachCommand(pane.session);
  }

  async dispose(): Promise<void> {
    await Promise.all(this.all().map((following) => following.close()));
    this.#following.clear();
  }
}
