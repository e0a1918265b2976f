// Who of some workers comes back, with which conversation and where, and who does not. Pure.
import { oneLine } from '../../model/plain-text.ts';

/** What is left of the conversation that a worker had. */
export type LeftConversation =
  | { readonly is: 'there'; readonly id: string; readonly path: string }
  /** It had begun, and no file holds it any more. */
  | { readonly is: 'gone'; readonly id: string }
  /** Nobody has said anything in it. */
  | { readonly is: 'unbegun' }
  /** The agent writes none down; it may go on with its last one in the folder. */
  | { readonly is: 'unwritten'; readonly resumes: boolean };

export interface Ended {
  readonly id: string;
  readonly name: string;
  readonly agentType: string;
  readonly lives: boolean;
  /** Why nobody can tell whether it lives. */
  readonly unseen?: string;
  readonly folder: {
    readonly path: string;
    /** `branch`: gone, and its branch brings it back. */
    readonly is: 'there' | 'branch' | 'gone';
  };
  readonly conversation: LeftConversation;
  /** The last prompt that it got of us. */
  readonly prompt: string | undefined;
  /** Why it is not started again unless somebody names it. */
  readonly stopped: string | undefined;
}

export interface HowAsked {
  /** Begin a new conversation with the last prompt. */
  readonly fresh: boolean;
  /** Begin a new one without a prompt where the old one is gone: whoever asks sends one itself. */
  readonly orAnew?: boolean;
  /** Somebody named this worker, which tries again whatever failed before. */
  readonly isNamed: boolean;
}

export interface PlannedRestart {
  readonly id: string;
  readonly name: string;
  readonly action: 'restart' | 'fresh' | 'leave';
  readonly reason: string;
  /** How it comes back after all. */
  readonly hint?: string;
}

type Way = Pick<PlannedRestart, 'action' | 'reason' | 'hint'>;

export const plannedRestart = (one: Ended, asked: HowAsked): PlannedRestart => ({
  id: one.id,
  name: one.name,
  ...(obstacleOf(one, asked) ?? (asked.fresh ? anew(one) : goingOn(one, asked))),
});

function obstacleOf({ id, lives, unseen, folder, stopped }: Ended, { isNamed }: HowAsked): Way | undefined {
  const leave = (reason: string, hint?: string): Way => ({ action: 'leave', reason, ...(hint && { hint }) });
  if (unseen !== undefined) return leave(`nobody can tell whether it lives: ${unseen}`);
  if (lives) return leave('it is alive');
  if (folder.is === 'gone') return leave(`the folder it worked in is gone: ${folder.path}`);
  if (stopped !== undefined && !isNamed) return leave(stopped, `${restartCall([id])} tries again.`);
  return undefined;
}

export const restartCall = (ids: readonly string[], more: { readonly fresh?: true } = {}): string =>
  `restart_workers ${JSON.stringify({ session_ids: ids, ...more })}`;

const longestQuote = 80;

/** A prompt that nobody has is no reason to leave it: it waits for a message. */
function anew({ folder, prompt }: Ended): Way {
  const words = prompt === undefined ? 'no prompt of its own is known' : `its last prompt is ${quoted(prompt)}`;
  return { action: 'fresh', reason: `it begins a new conversation in ${placeWords(folder)}; ${words}` };
}

function goingOn(one: Ended, { orAnew = false }: HowAsked): Way {
  const { id, agentType, folder, conversation } = one;
  const place = placeWords(folder);
  switch (conversation.is) {
    case 'there':
      return { action: 'restart', reason: `its conversation ${conversation.id} goes on in ${place}` };
    case 'gone': {
      const reason = `its conversation ${conversation.id} is gone: no transcript holds it`;
      return orAnew
        ? { action: 'fresh', reason: `${reason}, so it begins a new one in ${place}` }
        : {
            action: 'leave',
            reason,
            hint: `${restartCall([id], { fresh: true })} begins a new one with its last prompt.`,
          };
    }
    case 'unbegun':
      return { action: 'fresh', reason: `it had no conversation yet, and begins one in ${place}` };
    case 'unwritten':
      return conversation.resumes
        ? { action: 'restart', reason: `${agentType} goes on with its last conversation in ${place}` }
        : { action: 'fresh', reason: `${agentType} has no resume_args, so it begins a new conversation in ${place}` };
  }
}

const placeWords = ({ path, is }: Ended['folder']): string =>
  is === 'branch' ? `${path}, made again from its branch` : path;

function quoted(text: string): string {
  const line = oneLine(text);
  return JSON.stringify(line.length > longestQuote ? `${line.slice(0, longestQuote)}…` : line);
}
