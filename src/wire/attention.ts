// A worker that needs someone, the answer it gets, and the evidence for what is said of a worker.
import { z } from 'zod';
import { quote } from '../model/quote.ts';
import { type Remember, remembers } from '../model/request.ts';
import { evidenceSources, waitingKinds } from '../model/turn.ts';
import { statuses } from '../model/worker.ts';
import { agentText, label, list, type Shape, sessionId, shortened } from './parts.ts';

export const evidence = z.object({
  source: z.enum(evidenceSources),
  at: z.string(),
  detail: z.string(),
});

/** What keeps a worker from a new turn: the limit of its account in the agent's own words, or a bound; and until when. */
const limitShape = z.object({
  kind: z.enum(['account', 'turns', 'cost']),
  detail: z.string(),
  resets_at: z.string().exactOptional(),
  /** The agent has said that it goes on by itself then. */
  goes_on: z.literal(true).exactOptional(),
});
export const limit = limitShape.exactOptional();
export type LimitView = Shape<typeof limitShape>;

/** A worker that needs someone, with the exact calls that help. */
export const attention = z.object({
  session_id: z.string(),
  name: z.string(),
  waiting_for: z.enum([...waitingKinds, 'dead', 'stuck', 'ref_moved']),
  /** Given where `answer_worker` can answer the agent itself. */
  request_id: z.string().exactOptional(),
  since: z.string(),
  title: z.string(),
  detail: z.string(),
  limit,
  /** Long texts of the input are cut; the file at `path` has all of it. */
  tool: z
    .object({ name: z.string(), input: z.unknown(), cwd: z.string(), path: z.string().exactOptional() })
    .exactOptional(),
  options: list(z.string()).exactOptional(),
  /** The rule that put it to somebody. */
  rule: z.string().exactOptional(),
  /** What each choice of `remember` would make hold: the choice, a colon, and words. */
  suggestions: list(z.string()).exactOptional(),
  /** Each works as it stands. */
  answer_with: list(z.string()),
});
export type AttentionView = Shape<typeof attention>;

/** Allowed or denied, whatever options its dialog has on the screen. */
export const isYesOrNo = ({ waiting_for: kind, request_id: id }: AttentionView): boolean =>
  id !== undefined && (kind === 'permission' || kind === 'plan_approval');

type NeedName = Pick<AttentionView, 'session_id' | 'request_id' | 'since'> & { readonly waiting_for: string };

/** Tells one need of one worker from the next. */
export const attentionKey = ({ session_id, request_id, waiting_for, since }: NeedName): string =>
  `${session_id} ${request_id ?? `${waiting_for} ${since}`}`;

/** How a caller answers what no call in `answer_with` can, at the end of `detail`. */
export const callerHints = {
  free: 'In words of your own: answer_worker with this session_id and request_id, decision "text", and message.',
  screen: 'In words of your own: answer_worker with this session_id, decision "text", and message.',
  several:
    'Answer all at once: answer_worker with this session_id and request_id, decision "choose", and answers: by the words of each question a label or words of your own.',
  user: 'Ask your user before you allow it.',
} as const;

export const withHint = (detail: string, hint: keyof typeof callerHints | undefined): string =>
  hint === undefined ? detail : [detail, callerHints[hint]].filter((part) => part !== '').join('\n');

/** The detail for a person, who makes no calls. */
export function needDetail({ detail }: Pick<AttentionView, 'detail'>): string {
  const hint = Object.values(callerHints).find((one) => detail === one || detail.endsWith(`\n${one}`));
  return hint === undefined ? detail : detail.slice(0, -hint.length).trimEnd();
}

/** What is asked in one line, for a place that names the worker beside it. */
export function needLine(need: Pick<AttentionView, 'name' | 'waiting_for' | 'title' | 'detail'>): string {
  const { name, waiting_for, title } = need;
  const wants = `${name} wants to `;
  if (waiting_for === 'permission' && title.startsWith(wants)) return title.slice(wants.length);
  return needDetail(need).split('\n')[0] ?? '';
}

type Way = (need: Pick<AttentionView, 'name' | 'answer_with'>) => string;

/** Needs that nobody answers in the pane. */
const wayOut: Readonly<Partial<Record<AttentionView['waiting_for'], Way>>> = {
  dead: ({ name }) => `crewmux restart ${quote(name)}`,
  ref_moved: ({ answer_with: [command = ''] }) => command,
};

export interface PersonsNeed {
  readonly title: string;
  readonly detail: string;
  /** What leads a person there, or who helps instead. */
  readonly way: string;
}

/** For a person, who cannot make the calls that answer. `way` leads to the worker's pane. */
export function needForPerson(need: AttentionView, way: string): PersonsNeed {
  const { name, waiting_for, request_id, tool, title, answer_with } = need;
  // What a worker asks its manager is not to be seen in its pane, and its title repeats it.
  const isOwnQuestion = waiting_for === 'question' && request_id !== undefined && tool === undefined;
  return {
    title: isOwnQuestion ? `${name} asks its manager` : title,
    detail: needDetail(need),
    way: isOwnQuestion ? 'crewmux answer' : (wayOut[waiting_for]?.({ name, answer_with }) ?? way),
  };
}

export const suggestionLine = (choice: Remember, words: string): string => `${choice}: ${words}`;

/** The line of that choice among the suggestions; undefined where it is not offered. */
export const suggestionOf = ({ suggestions }: AttentionView, choice: Remember): string | undefined =>
  suggestions?.find((line) => line.startsWith(suggestionLine(choice, '')));

const decisions = ['allow', 'deny', 'choose', 'text'] as const;

export const answerInput = z.strictObject({
  session_id: sessionId,
  request_id: label.exactOptional().describe('From attention; needed when several are open.'),
  decision: z
    .enum(decisions)
    .describe('allow or deny a tool or plan; choose or text for a question; choose for a dialog.'),
  message: agentText.min(1).exactOptional().describe('Why not, for the model; with "text" the answer itself.'),
  option: label.exactOptional().describe('The label chosen, from options.'),
  answers: z.record(z.string(), z.string()).exactOptional().describe('The answer to each question, by its words.'),
  input: z
    .record(z.string(), z.unknown())
    .exactOptional()
    .describe('With "allow": run the tool with this input instead.'),
  remember: z
    .enum(remembers)
    .exactOptional()
    .describe('Answer so from now on, as suggestions says; "edits" accepts its file edits.'),
});

export const answerOutput = z.object({
  /** The agent was seen to take it. */
  success: z.boolean(),
  session_id: z.string(),
  request_id: z.string().nullable(),
  decision: z.enum(decisions),
  via: z.enum(['hook', 'screen', 'worker_tool', 'us']),
  /** The label chosen on the screen. */
  option: z.string().exactOptional(),
  /** What holds from now on, in words. */
  remembered: z.string().exactOptional(),
  evidence,
  status: z.enum(statuses),
  hint: z.string().exactOptional(),
  ...shortened,
});
export type AnswerResult = Shape<typeof answerOutput>;
