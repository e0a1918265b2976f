// What the hook program adds to a signal: what became of the request.
import { z } from 'zod';
import type { HookSignal } from '../model/turn.ts';
import type { SignalLine } from './signal-line.ts';

const ruling = z.discriminatedUnion('decision', [
  z.looseObject({ decision: z.enum(['allowed', 'denied']) }),
  z.looseObject({
    decision: z.literal('parked'),
    request_id: z.string(),
    rule: z.string().optional(),
    suggestions: z.array(z.unknown()).optional(),
    person_only: z.boolean().optional(),
  }),
  z.looseObject({ decision: z.literal('shown'), rule: z.string().optional(), person_only: z.boolean().optional() }),
  z.looseObject({ decision: z.literal('answered'), request_id: z.string(), by: z.string(), answer: z.string() }),
  z.looseObject({ decision: z.literal('handed-over'), request_id: z.string() }),
]);

type Asked = Extract<HookSignal, { kind: 'permission' }>;

/** Where a held request stands: in place of the agent's dialog, or behind its conversation. */
type RequestPlace = Pick<Asked, 'hidden' | 'besides'>;

/** A request as the hook was asked it, with what the program made of it; a request nobody ruled on stands as it is. */
export function ruledSignal(line: SignalLine, asked: Asked, about: RequestPlace): HookSignal {
  const { data } = ruling.safeParse(line.ruling);
  if (data === undefined) return asked;
  const { from, at } = asked;
  switch (data.decision) {
    case 'allowed':
    case 'denied':
      return { from, kind: 'ruled', at, tool: asked.tool, decision: data.decision === 'allowed' ? 'allow' : 'deny' };
    case 'shown':
      return { ...asked, ...whyOf(data) };
    case 'parked': {
      const { request_id: requestId, suggestions } = data;
      return {
        ...asked,
        requestId,
        ...about,
        ...whyOf(data),
        ...(suggestions === undefined ? {} : { suggestions }),
      };
    }
    case 'answered':
      return { from, kind: 'answered', at, requestId: data.request_id, by: data.by, decision: data.answer };
    case 'handed-over':
      return { from, kind: 'handed-over', at, requestId: data.request_id };
  }
}

const whyOf = ({
  rule,
  person_only,
}: {
  readonly rule?: string | undefined;
  readonly person_only?: boolean | undefined;
}) => ({
  ...(rule === undefined ? {} : { rule }),
  ...(person_only === true ? { personOnly: true as const } : {}),
});
