// Requests that a hook has reported and that nobody has been seen to answer.
import type { HookSignal } from '../model/turn.ts';

/** A request that the agent waits for. */
export interface AgentRequest {
  readonly at: number;
  readonly waitingFor: 'permission' | 'question' | 'plan_approval';
  readonly tool: string;
  readonly input: unknown;
  /** Undefined where no file holds the request: then only the agent itself can be answered. */
  readonly requestId?: string;
  /** Our hook waits with it for an answer. */
  readonly held?: true;
  /** As long as it does, the agent shows no dialog of its own. */
  readonly hidden?: true;
  /** A background agent asks: the state of the conversation does not show it while our hook holds it. */
  readonly besides?: true;
  /** The rule that sent it here, in words. */
  readonly rule?: string;
  /** Whatever the rules say, only a person may allow it. */
  readonly personOnly?: true;
  /** What the agent proposes to remember, as it says it. */
  readonly suggestions?: readonly unknown[];
  /** The hook has passed it on; the agent has not gone on yet. */
  readonly answered?: RequestEnd;
}

export interface RequestEnd {
  readonly at: number;
  readonly by: string;
  readonly decision: string;
}

type Asked = readonly AgentRequest[];
type Of<Kind extends HookSignal['kind']> = Extract<HookSignal, { kind: Kind }>;

export const openOf = (asked: Asked): Asked => asked.filter((one) => one.answered === undefined);
export const heldOf = (asked: Asked): Asked => openOf(asked).filter((one) => one.held === true);

/** A hook that died with a request reports it once more, as one that nobody holds. */
export function noteAsked(asked: Asked, { from: _, kind: __, mode: ___, ...request }: Of<'permission'>): Asked {
  const { requestId } = request;
  const one: AgentRequest = requestId === undefined ? request : { ...request, held: true };
  const dropped = requestId === undefined ? asked.find((known) => isDropped(known, one)) : undefined;
  return [...asked.filter((known) => known !== dropped), one];
}

const isDropped = (known: AgentRequest, again: AgentRequest): boolean =>
  known.held === true && known.at === again.at && known.tool === again.tool;

/** An answered request stays until the agent goes on. */
export const noteAnswered = (asked: Asked, { requestId, at, by, decision }: Of<'answered'>): Asked =>
  asked.map((one) => (one.requestId === requestId ? { ...letGo(one), answered: { at, by, decision } } : one));

/** From now on only the agent's own screen asks. */
export const noteHandedOver = (asked: Asked, { requestId, at }: Of<'handed-over'>): Asked =>
  asked.map((one) => (one.requestId === requestId ? { ...letGo(one), at } : one));

export const letGo = ({ held: _, ...one }: AgentRequest): AgentRequest => one;

/** A dialog in sight shows that no hook hides it any more. */
export const noteDialog = (asked: Asked): Asked => asked.map((one) => (one.hidden ? letGo(one) : one));

/**
 * A turn ends with none of its own requests open, also where its end is read late. An answered one stays until the
 * agent's own state goes on, because until then that state says that it waits.
 */
export const askedAfterTurn = (asked: Asked, overAt: number): Asked =>
  asked.filter((one) => one.at >= overAt || one.besides === true || one.answered !== undefined);

/** Still open after the agent itself says that it waits for nothing. */
export const askedSince = (asked: Asked, at: number): Asked =>
  asked.filter((one) => one.at >= at || (one.besides === true && one.held === true));

/**
 * Still open when the conversation goes on: the requests that our hook holds. Where the agent itself says whether it
 * waits, all stay, because other calls and other agents go on beside an open request.
 */
export const stillOpen = ({ asked, agent }: { readonly asked: Asked; readonly agent: unknown }, at: number): Asked =>
  agent === undefined ? asked.filter((one) => one.held === true || one.at >= at) : asked;
