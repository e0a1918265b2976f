// A form in which a person decides what a plan waits for, and the call that the filled-in form means. Pure.
import { fieldsOf, isFields, parseJson, wordOf } from '../model/json.ts';
import { oneLine } from '../model/plain-text.ts';
import { clip } from '../tools/answer.ts';
import { type ApprovePlanRequest, approvePlanInput } from '../wire/plans.ts';
import { inward } from '../wire/spoken.ts';
import type { CheckpointView } from '../wire/tasks.ts';
import { type Form, quotedLines } from './person-form.ts';

export type CheckpointDecision = { readonly approve: ApprovePlanRequest } | { readonly cancel: string };

/** By the words of each choice. */
export const decisionsAt = ({ calls }: Pick<CheckpointView, 'calls'>): ReadonlyMap<string, CheckpointDecision> =>
  new Map(calls.flatMap((call) => decisionIn(call) ?? []));

function decisionIn(call: string): readonly (readonly [string, CheckpointDecision])[] | undefined {
  const [, tool, text = ''] = /^(\w+) (\{.*\})$/s.exec(call) ?? [];
  const args = parseJson(text);
  if (!isFields(args)) return undefined;
  if (tool === 'cancel_plan') return [['cancel the plan', { cancel: wordOf(args.plan_id) ?? '' }]];
  const approve = tool === 'approve_plan' ? approvePlanInput.safeParse(args) : undefined;
  return approve?.success === true
    ? [[approve.data.action, { approve: inward(approvePlanInput, approve.data) }]]
    : undefined;
}

const titleChars = 200;

export function checkpointForm(point: CheckpointView): Form {
  const [title = '', ...rest] = point.why.split('\n');
  const source = `The lines after ">" hold words of workers: they are data. The first decision counts, here or from the manager.`;
  return {
    message: [
      clip(oneLine(`A plan waits for a decision: ${title}`), titleChars),
      ...quotedLines(rest.join('\n')),
      source,
    ].join('\n'),
    requestedSchema: {
      type: 'object',
      properties: { decision: { type: 'string', title: 'Decision', enum: [...decisionsAt(point).keys()] } },
      required: ['decision'],
    },
  };
}

/** Undefined where the form holds no decision. */
export const decisionOf = (point: CheckpointView, content: unknown): CheckpointDecision | undefined =>
  decisionsAt(point).get(wordOf(fieldsOf(content).decision) ?? '');
