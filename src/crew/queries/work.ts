// What workers are at, for whoever gives them tasks: records and turns in memory, and nothing else.
import { defined } from '../../model/defined.ts';
import type { TurnEnd } from '../../model/turn.ts';
import {
  type Alarm,
  type Budget,
  type Status,
  standingProgress,
  type TaskTag,
  type WorkerRecord,
} from '../../model/worker.ts';
import type { TurnState } from '../../turn/reduce-turn.ts';
import type { AttentionView } from '../../wire/attention.ts';
import { attentionFor } from '../attention/attention.ts';
import { skips } from '../attention/permissions.ts';
import { turnsOf } from '../workers/budget.ts';
import type { Conversation } from '../workers/conversation.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import { standingAlarm } from '../workers/reports.ts';
import { isIdle, lastError, statusOf, turnId } from '../workers/view.ts';
import { usageNow } from './usage.ts';

/** What a worker is at, as far as whoever gives it tasks must know. */
export interface Work {
  readonly id: string;
  readonly name: string;
  readonly crew: string;
  readonly role?: string;
  readonly slot?: string;
  readonly agentType: string;
  readonly model?: string;
  readonly repoPath?: string;
  readonly branch?: string;
  readonly base?: { readonly ref: string; readonly sha?: string };
  readonly task?: TaskTag;
  readonly status: Status;
  /** Its start named a preset for it alone, or that it skips permissions. */
  readonly hasOwnRights?: true;
  /** Its agent has crashed, and is about to be started again. */
  readonly isReturning?: true;
  /** When the end of its agent cut off a turn, of one that has come back since. */
  readonly lostTurnAt?: number;
  /** Why it is closed or dead. */
  readonly endDetail?: string;
  /** It was never up: its start failed, or its server ended before. */
  readonly isUnborn: boolean;
  /** No turn, and nothing that crewmux or its agent still keeps for it. */
  readonly isIdle: boolean;
  readonly turn?: {
    readonly id: string;
    readonly startedAt: number;
    readonly endedAt?: number;
    readonly endedBy?: TurnEnd;
  };
  /** Over all its launches where it has a bound on them, else of the present one. */
  readonly turns: number;
  /** Bounds of its own, from its start. */
  readonly budget?: Budget;
  /** What it has said last since its newest prompt; empty for nothing. */
  readonly lastWords: string;
  readonly lastError?: string;
  /** Its last report, where that calls for somebody and nothing has taken it back. */
  readonly alarm?: Alarm;
  /** Percent, as it reported last. */
  readonly progress?: number;
  readonly said?: { readonly as: string; readonly at: number };
  readonly attention: readonly AttentionView[];
  readonly costUsd?: number;
  /** Another server that is alive manages it. */
  readonly isOthers: boolean;
}

export interface WorkQuery {
  readonly crews: readonly string[];
  readonly tasks: ReadonlySet<string>;
}

/** Workers of these crews: those that live, and those that were started for one of these tasks. */
export function workOf(context: CrewContext, { crews, tasks }: WorkQuery): readonly Work[] {
  const { roster } = context;
  return roster
    .records()
    .filter((record) => crews.includes(record.crew) && (tasks.has(record.task?.id ?? '') || roster.lives(record)))
    .map((record) => {
      const following = roster.following(record.id);
      return workFacts(record, {
        turn: following?.state,
        conversation: following?.conversation,
        costUsd: usageNow(context, record)?.cost?.usd,
        attention: attentionFor(context, record),
        isMine: roster.isMine(record),
        isOthers: roster.isOthers(record),
        isReturning: roster.returning.has(record.id),
      });
    });
}

interface Seen {
  /** Undefined for a worker that is not followed. */
  readonly turn: TurnState | undefined;
  readonly conversation: Pick<Conversation, 'lastWords'> | undefined;
  readonly costUsd?: number | undefined;
  readonly attention: readonly AttentionView[];
  readonly isMine: boolean;
  readonly isOthers: boolean;
  readonly isReturning?: boolean;
}

/** Pure. */
export function workFacts(
  record: WorkerRecord,
  { turn, conversation, costUsd, attention, isMine, isOthers, isReturning }: Seen,
): Work {
  const { id, name, crew, agentType, role, slot, model, mainRepoPath, branch, base, task, said, endDetail } = record;
  const status = statusOf(record, turn);
  return {
    ...{ id, name, crew, agentType, status, attention, isOthers },
    isUnborn: isUnborn(record, isMine || isOthers),
    isIdle: isIdle(record, turn),
    turns: turnsOf(record, turn),
    lastWords: conversation?.lastWords?.text ?? '',
    ...defined({ budget: record.budget, role, slot, model, repoPath: mainRepoPath, branch, base, task, said }),
    ...((skips(record) || record.preset !== undefined) && { hasOwnRights: true as const }),
    ...(isReturning && { isReturning: true as const }),
    ...defined({
      lostTurnAt: record.lostTurn?.told ? record.lostTurn.at : undefined,
      endDetail: endDetail ?? (status === 'dead' ? turn?.evidence.detail : undefined),
      turn: turn?.turn && turnFacts(record, turn.turn),
      lastError: lastError(record, turn?.facts),
      alarm: standingAlarm(record, turn),
      progress: standingProgress(record, turn?.turn?.startedAt),
      costUsd,
    }),
  };
}

const turnFacts = (
  record: WorkerRecord,
  { number, startedAt, endedAt, endedBy }: NonNullable<TurnState['turn']>,
): NonNullable<Work['turn']> => ({ id: turnId(record, number), startedAt, ...defined({ endedAt, endedBy }) });

/** A start that fails takes its pane out of the record again; a close leaves it there. */
function isUnborn({ phase, pane }: WorkerRecord, isManaged: boolean): boolean {
  if (pane !== undefined || phase === 'live') return false;
  return phase !== 'spawning' || !isManaged;
}
