// A loop as a person reads it. Pure.
import { oneLine } from '../model/plain-text.ts';
import type { runLoopOutput } from '../wire/loops.ts';
import type { Shape } from '../wire/parts.ts';
import { usageWords } from '../wire/usage.ts';
import { personsCall } from './persons-call.ts';

export function loopText(shown: Shape<typeof runLoopOutput>, program: string): readonly string[] {
  const { loop_id: id, state, iteration, plans, usage, reason, next_calls: calls } = shown;
  return [
    `loop ${id} on crewmux/loop-${id}: ${state}, iteration ${iteration}${usage === undefined ? '' : `, ${usageWords(usage)} so far`}`,
    ...(reason === undefined ? [] : [`  ${oneLine(reason)}`]),
    ...plans.map(({ plan_id, name, state: of }) => `  ${oneLine(`plan ${name} [${plan_id}]: ${of}`)}`),
    ...new Set(calls.map((call) => `    ${personsCall(call, program)}`)),
  ];
}
