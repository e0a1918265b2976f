// Tools in the words of the command line, or as what a manager can do. Pure.
import { z } from 'zod';
import { forPerson, type Hint } from '../model/advice.ts';
import { parseJson } from '../model/json.ts';
import { quote } from '../model/quote.ts';

const oneOrMore = z.union([z.string().transform((one) => [one]), z.array(z.string())]);

const given = z.looseObject({
  plan_id: z.string().optional(),
  checkpoint: z.string().optional(),
  action: z.string().optional(),
  job: oneOrMore.optional(),
  prompt: z.string().optional(),
  task_id: z.string().optional(),
  session_id: z.string().optional(),
  session_ids: oneOrMore.optional(),
  message: z.string().optional(),
  test_command: z.string().optional(),
  force: z.boolean().optional(),
  fresh: z.boolean().optional(),
  skip: z.array(z.string()).optional(),
  id: z.string().optional(),
  goal: z.string().optional(),
  max_iterations: z.number().optional(),
  now: z.boolean().optional(),
});

type Given = z.output<typeof given>;

/** The word, and what the arguments say in it: a line each; none where they say nothing. */
type Line = readonly [word: string, lines?: (args: Given) => readonly string[]];

const oneWorker = ({ session_id: worker }: Given): readonly string[] => listed(worker && quote(worker));
const listed = (word: string | undefined): readonly string[] => (word === undefined ? [] : [word]);

/** Without the name of the program. */
const spoken: Readonly<Record<string, Line>> = {
  approve_plan: [
    'plan approve',
    ({ plan_id: plan, checkpoint, action, job, prompt }) =>
      listed(plan).map((one) =>
        [
          one,
          ...(checkpoint === undefined ? [] : [`--at ${checkpoint}`]),
          ...(action === undefined || action === 'continue' ? [] : [`--action ${action}`]),
          ...(job === undefined ? [] : [`--job ${job.join(',')}`]),
          ...(prompt === undefined ? [] : [`--prompt ${quote(prompt)}`]),
        ].join(' '),
      ),
  ],
  cancel_plan: ['plan cancel', ({ plan_id: plan }) => listed(plan)],
  plan_status: ['plan', ({ plan_id: plan }) => listed(plan)],
  wait_tasks: ['status --watch'],
  wait_idle_workers: ['wait', ({ session_ids = [] }) => listed(session_ids.map(quote).join(' ') || undefined)],
  crew_status: ['status'],
  list_workers: ['status'],
  list_tasks: ['task list'],
  check_conflicts: ['status'],
  examine_worker: ['status --json'],
  list_agent_sessions: ['sessions'],
  diff_worker: ['diff', oneWorker],
  read_worker_logs: ['logs', oneWorker],
  read_worker_screen: ['attach', oneWorker],
  merge_worker: [
    'merge',
    ({ session_id: worker, test_command: tests }) =>
      listed(worker && quote(worker)).map((one) => `${one}${tests === undefined ? '' : ` --test ${quote(tests)}`}`),
  ],
  message_workers: [
    'message',
    ({ session_ids = [], message = '' }) => session_ids.map((worker) => `${quote(worker)} ${quote(message)}`),
  ],
  restart_workers: [
    'restart',
    ({ session_ids = [], fresh }) =>
      listed([...session_ids.map(quote), ...(fresh === true ? ['--fresh'] : [])].join(' ') || undefined),
  ],
  close_workers: [
    'close',
    ({ session_ids = [], force }) =>
      listed([...session_ids.map(quote), ...(force === true ? ['--force'] : [])].join(' ') || undefined),
  ],
  answer_worker: ['answer'],
  run_loop: [
    'loop',
    ({ action, goal, max_iterations: most, now }) =>
      action === undefined || action === 'status'
        ? []
        : [
            [
              action,
              ...listed(goal && quote(goal)),
              ...(most === undefined ? [] : [`--max-iterations ${most}`]),
              ...(now === true ? ['--now'] : []),
            ].join(' '),
          ],
  ],
  schedule_task: [
    'schedule',
    ({ action, id }) => (action === undefined || action === 'list' ? [] : [[action, ...listed(id)].join(' ')]),
  ],
};

const editing = ({ skip = [], test_command: tests }: Given): string =>
  skip.length > 0 ? `leave ${skip.join(', ')} out` : tests === undefined ? 'change the plan' : 'change its tests';

/** After "ask your manager to": what the command line cannot do. */
const managers: Readonly<Record<string, (args: Given) => string>> = {
  edit_plan: editing,
  update_task: ({ action = 'change' }) =>
    `${action === 'priority' ? 'change' : action} the ${action === 'resume' ? 'project' : 'task'}`,
  open_pull_request: () => 'open a pull request',
  ask_expert: () => 'ask an expert',
  submit_task: () => 'submit a task',
  create_plan: () => 'make a plan',
  spawn_workers: () => 'start a worker',
  restore_work: () => 'bring back what was saved',
  sync_worker: () => 'bring the worker up to date with its base',
  cleanup_worktrees: () => 'remove worktrees that nobody needs',
};

/** What a person types for the call, or asks their manager for where no word does it. */
export function personsCall(call: string, program = 'crewmux'): string {
  const [, tool = '', json = ''] = /^(\w+) (\{.*\})$/s.exec(call) ?? [];
  return tool === '' ? personsHint(call) : wordsOf(tool, given.safeParse(parseJson(json)).data ?? {}, program);
}

function wordsOf(tool: string, args: Given, program = 'crewmux'): string {
  if (tool === 'update_task' && (args.action === 'start' || args.action === 'cancel') && args.task_id !== undefined)
    return `${program} task ${args.action} ${args.task_id}`;
  if (tool === 'wait_tasks' && args.plan_id !== undefined) return `${program} plan ${args.plan_id} --watch`;
  const [word, lines] = Object.hasOwn(spoken, tool) ? (spoken[tool] ?? []) : [];
  if (word === undefined) {
    const act = Object.hasOwn(managers, tool) ? managers[tool]?.(args) : undefined;
    return act === undefined ? 'ask your manager' : `ask your manager to ${act}`;
  }
  const said = lines?.(args) ?? [];
  return (said.length === 0 ? [''] : said).map((line) => `${program} ${word} ${line}`.trimEnd()).join(' && ');
}

/** Tools without a word of their own. */
const others = [
  ...['discover_workers', 'adopt_worker', 'annotate_worker', 'interrupt_workers', 'read_reports'],
  ...['check_idle_workers', 'poll_worker_changes', 'set_permissions', 'list_worktrees', 'issue_tracker_help'],
];

const jsonObject = String.raw`\{(?:"(?:[^"\\]|\\.)*"|[^{}"]|\{(?:"(?:[^"\\]|\\.)*"|[^{}"])*\})*\}`;
const toolNames = [...Object.keys(spoken), ...Object.keys(managers), ...others];
const calls = new RegExp(String.raw`\b(?:([Cc])all )?(${toolNames.join('|')})\b(?: (${jsonObject}))?`, 'g');

/** What to do, for somebody at a terminal: each call that its text holds, in their words. */
export const personsHint = (hint: Hint): string =>
  forPerson(hint).replace(calls, (_, verb: string | undefined, tool: string, json: string | undefined) => {
    const words = wordsOf(tool, given.safeParse(parseJson(json ?? '')).data ?? {});
    if (words.startsWith('crewmux ')) return `${verb === undefined ? '' : verb === 'C' ? 'Run ' : 'run '}\`${words}\``;
    if (json !== undefined) return words;
    return verb === undefined ? 'your manager' : verb === 'C' ? 'Ask your manager' : 'ask your manager';
  });
