// Tools in the words of the command line, where it has them: a call, and the hint of a refusal. Pure.
import { z } from 'zod';
import { parseJson } from '../model/json.ts';
import { quote } from '../model/quote.ts';

const given = z.looseObject({
  plan_id: z.string().optional(),
  checkpoint: z.string().optional(),
  action: z.string().optional(),
  job: z.union([z.string(), z.array(z.string())]).optional(),
  prompt: z.string().optional(),
  session_id: z.string().optional(),
  session_ids: z.array(z.string()).optional(),
  message: z.string().optional(),
  test_command: z.string().optional(),
});

type Given = z.output<typeof given>;

const spoken: Readonly<Record<string, (args: Given) => string | undefined>> = {
  approve_plan: ({ plan_id = '', checkpoint, action, job, prompt }) =>
    [
      `plan approve ${plan_id}`,
      ...(checkpoint === undefined ? [] : [`--at ${checkpoint}`]),
      ...(action === undefined || action === 'continue' ? [] : [`--action ${action}`]),
      ...(job === undefined ? [] : [`--job ${[job].flat().join(',')}`]),
      ...(prompt === undefined ? [] : [`--prompt ${quote(prompt)}`]),
    ].join(' '),
  cancel_plan: ({ plan_id = '' }) => `plan cancel ${plan_id}`,
  wait_tasks: ({ plan_id }) => (plan_id === undefined ? undefined : `plan ${plan_id} --watch`),
  diff_worker: ({ session_id = '' }) => `diff ${session_id}`,
  read_worker_logs: ({ session_id = '' }) => `logs ${session_id}`,
  merge_worker: ({ session_id = '', test_command: tests }) =>
    `merge ${session_id}${tests === undefined ? '' : ` --test ${quote(tests)}`}`,
  message_workers: ({ session_ids = [], message = '' }) =>
    session_ids.length === 1 ? `message ${session_ids[0]} ${quote(message)}` : undefined,
  answer_worker: () => 'answer',
};

/** The call as it stands where only a manager can make it. */
export function personsCall(call: string): string {
  const [, tool = '', json = ''] = /^(\w+) (\{.*\})$/s.exec(call) ?? [];
  const args = given.safeParse(parseJson(json)).data;
  const words = args === undefined || !Object.hasOwn(spoken, tool) ? undefined : spoken[tool]?.(args);
  return words === undefined ? call : `crewmux ${words}`;
}

/** Longer ones first. */
const inHints: readonly (readonly [words: string, persons: string])[] = [
  ['Call list_workers for ids and names', '`crewmux status` shows the names'],
  ['the attach command is in list_workers', '`crewmux attach`'],
  ['answer_worker, as attention in crew_status shows', '`crewmux answer`'],
  ['interrupt_workers first', 'interrupt it in its pane first'],
  ['pass force: true', 'pass --force'],
  ['list_workers', '`crewmux status`'],
  ['crew_status', '`crewmux status`'],
  ['wait_idle_workers', '`crewmux status --watch`'],
  ['answer_worker', '`crewmux answer`'],
  ['message_workers', '`crewmux message`'],
  ['restart_workers', '`crewmux restart`'],
  ['close_workers', '`crewmux close`'],
  ['merge_worker', '`crewmux merge`'],
  ['diff_worker', '`crewmux diff`'],
  ['read_worker_logs', '`crewmux logs`'],
  ['read_worker_screen', '`crewmux attach`'],
  ['plan_status', '`crewmux plan`'],
  ['approve_plan', '`crewmux plan approve`'],
  ['cancel_plan', '`crewmux plan cancel`'],
];

// A name that arguments follow is a call, and stays one.
const anyInHints = new RegExp(`\\b(?:${inHints.map(([words]) => words).join('|')})\\b(?! \\{)`, 'g');
const persons = new Map(inHints);

/** What to do, for somebody at a terminal; what has no word there stays. */
export const personsHint = (hint: string): string => hint.replace(anyInHints, (words) => persons.get(words) ?? words);
