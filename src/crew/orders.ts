// What orders of several rooms share.
import type { Remember } from '../model/request.ts';

/** On whose behalf an act runs. */
export interface Run {
  /** Calls the act off; it says itself what it leaves. */
  readonly signal: AbortSignal;
  /** Tells whoever waits that the act goes on. */
  readonly tell: (message: string) => void;
  /** A person, at a terminal or in a form; the manager otherwise. */
  readonly by?: 'person';
}

export interface AnswerOrder {
  readonly worker: string;
  readonly requestId?: string;
  readonly decision: 'allow' | 'deny' | 'choose' | 'text';
  /** The model reads it; for `text` it is the answer. */
  readonly message?: string;
  readonly option?: string;
  /** The answer of each question, by its words. */
  readonly answers?: Readonly<Record<string, string>>;
  /** Takes the place of the tool's input. */
  readonly input?: Readonly<Record<string, unknown>>;
  readonly remember?: Remember;
}

/** A branch of a plan, which no worker has: its jobs land there. */
export interface PlanBranch {
  /** Of the plan; events carry it. */
  readonly id: string;
  readonly name: string;
  /** The main checkout of the repository. */
  readonly repoPath: string;
  readonly crew: string;
  readonly branch: string;
  readonly base: { readonly ref: string; readonly sha: string };
  /** What of it has landed before. */
  readonly landed?: { readonly target: string; readonly source: string; readonly to: string };
}
