// Tools in the words of the command line, or as what a manager can do: a call, and a sentence that names them. Pure.
import { z } from 'zod';
import { parseJson } from '../model/json.ts';
import { quote } from '../model/quote.ts';

const oneOrMore = z.union([z.string().transform((one) => [one]), z.array(z.string())]);

const given = z.looseObject({
  plan_id: z.string().optional(),
  checkpoint: z.string().optional(),
  action: z.string().optional(),
  job: oneOrMore.optional(),
  prompt: z.string().optional(),
  session_id: z.string().optional(),
  session_ids: oneOrMore.optional(),
  message: z.string().optional(),
  test_command: z.string().optional(),
  force: z.boolean().optional(),
  skip: z.array(z.string()).optional(),
});

type Given = z.output<typeof given>;

const forOne = (id: string | undefined, line: (one: string) => string): readonly string[] =>
  id === undefined ? [] : [line(id)];

/** Lines of the shell without the name of the program; none where the arguments have no word. */
const spoken: Readonly<Record<string, (args: Given) => readonly string[]>> = {
  approve_plan: ({ plan_id: plan, checkpoint, action, job, prompt }) =>
    forOne(plan, (one) =>
      [
        `plan approve ${one}`,
        ...(checkpoint === undefined ? [] : [`--at ${checkpoint}`]),
        ...(action === undefined || action === 'continue' ? [] : [`--action ${action}`]),
        ...(job === undefined ? [] : [`--job ${job.join(',')}`]),
        ...(prompt === undefined ? [] : [`--prompt ${quote(prompt)}`]),
      ].join(' '),
    ),
  cancel_plan: ({ plan_id: plan }) => forOne(plan, (one) => `plan cancel ${one}`),
  plan_status: ({ plan_id }) => [plan_id === undefined ? 'plan' : `plan ${plan_id}`],
  wait_tasks: ({ plan_id }) => [plan_id === undefined ? 'status --watch' : `plan ${plan_id} --watch`],
  wait_idle_workers: () => ['status --watch'],
  crew_status: () => ['status'],
  list_workers: () => ['status'],
  diff_worker: ({ session_id: worker }) => forOne(worker, (one) => `diff ${one}`),
  read_worker_logs: ({ session_id: worker }) => forOne(worker, (one) => `logs ${one}`),
  read_worker_screen: ({ session_id: worker }) => forOne(worker, (one) => `attach ${one}`),
  merge_worker: ({ session_id: worker, test_command: tests }) =>
    forOne(worker, (one) => `merge ${one}${tests === undefined ? '' : ` --test ${quote(tests)}`}`),
  message_workers: ({ session_ids = [], message = '' }) =>
    session_ids.map((worker) => `message ${worker} ${quote(message)}`),
  restart_workers: ({ session_ids = [] }) => (session_ids.length === 0 ? [] : [`restart ${session_ids.join(' ')}`]),
  close_workers: ({ session_ids = [], force }) =>
    session_ids.length === 0 ? [] : [`close ${session_ids.join(' ')}${force === true ? ' --force' : ''}`],
  answer_worker: () => ['answer'],
  doctor: () => ['doctor'],
};

const editing = ({ skip = [], test_command: tests }: Given): string =>
  skip.length > 0 ? `leave ${skip.join(', ')} out` : tests === undefined ? 'change the plan' : 'change its tests';

/** After "ask your manager to": what the command line cannot do. */
const managers: Readonly<Record<string, (args: Given) => string>> = {
  edit_plan: editing,
  update_task: ({ action = 'change' }) => `${action === 'priority' ? 'change' : action} the task`,
  open_pull_request: () => 'open a pull request',
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
  if (tool === '') return personsHint(call);
  const args = given.safeParse(parseJson(json)).data ?? {};
  const lines = Object.hasOwn(spoken, tool) ? (spoken[tool]?.(args) ?? []) : [];
  if (lines.length > 0) return lines.map((line) => `${program} ${line}`).join(' && ');
  const act = Object.hasOwn(managers, tool) ? managers[tool]?.(args) : undefined;
  return act === undefined ? 'ask your manager' : `ask your manager to ${act}`;
}

/** The longer ones first. */
const inHints: readonly (readonly [words: string, persons: string])[] = [
  ['Call list_workers for ids and names', '`crewmux status` shows the names'],
  ['the attach command is in list_workers', '`crewmux attach`'],
  ['answer_worker, as attention in crew_status shows', '`crewmux answer`'],
  ['interrupt_workers first', 'interrupt it in its pane first'],
  ['use interrupt_workers', 'press Escape in its pane'],
  ['adopt_worker with force: true first', 'have your manager take it over first'],
  ['adopt_worker does so in one that runs', 'a manager that runs can do so as well'],
  ['close_workers with force: true', '`crewmux close --force`'],
  ['approve_plan with action relaunch', '`crewmux plan approve --action relaunch`'],
  ['edit_plan with add', 'your manager'],
  ['edit_plan with another test_command, or "" for none, changes', 'your manager can change'],
  ['or leave jobs out with edit_plan skip', 'or have your manager leave jobs out'],
  ['and give rules with set_permissions', 'and have your manager give rules'],
  ['again with set_permissions', 'again through your manager'],
  ['with set_permissions', 'through your manager'],
  ['without it open_pull_request writes the text and opens nothing', 'without it nobody opens a pull request'],
  [
    'list_worktrees shows them; with remove_orphans it takes away those that hold nothing',
    'Your manager can list them, and remove those that hold nothing',
  ],
  ['list_worktrees tells what there is; restore_work what was saved', 'Your manager can tell what was saved'],
  ['list_worktrees tells the branches there are', '`git branch` tells the branches there are'],
  ['spawn_workers with project_path', 'your manager, with a worker in'],
  ['Pass into with another branch', 'Pass --into with another branch'],
  ['doctor says', '`crewmux doctor` says'],
  ['run doctor again', 'run `crewmux doctor` again'],
  ['pass force: true', 'pass --force'],
  ['with force: true', 'with --force'],
  ['list_tasks and plan_status show', '`crewmux status` and `crewmux plan` show'],
  ['list_tasks', '`crewmux status`'],
  ['list_workers', '`crewmux status`'],
  ['crew_status', '`crewmux status`'],
  ['examine_worker', '`crewmux status --json`'],
  ['check_conflicts', '`crewmux status`'],
  ['wait_idle_workers', '`crewmux status --watch`'],
  ['wait_tasks', '`crewmux status --watch`'],
  ['answer_worker', '`crewmux answer`'],
  ['message_workers', '`crewmux message`'],
  ['restart_workers', '`crewmux restart`'],
  ['close_workers', '`crewmux close`'],
  ['merge_worker', '`crewmux merge`'],
  ['diff_worker', '`crewmux diff`'],
  ['list_agent_sessions', '`crewmux sessions`'],
  ['read_worker_logs', '`crewmux logs`'],
  ['read_worker_screen', '`crewmux attach`'],
  ['plan_status', '`crewmux plan`'],
  ['approve_plan', '`crewmux plan approve`'],
  ['cancel_plan', '`crewmux plan cancel`'],
];

/** Tools without a word of their own and without a sentence above. */
const others = [
  ...['spawn_workers', 'discover_workers', 'adopt_worker', 'annotate_worker', 'interrupt_workers', 'read_reports'],
  ...['check_idle_workers', 'poll_worker_changes', 'set_permissions', 'submit_task', 'update_task', 'create_plan'],
  ...['edit_plan', 'list_worktrees', 'sync_worker', 'open_pull_request', 'cleanup_worktrees', 'restore_work'],
  ...['issue_tracker_help'],
];

const jsonObject = String.raw`\{(?:"(?:[^"\\]|\\.)*"|[^{}"]|\{(?:"(?:[^"\\]|\\.)*"|[^{}"])*\})*\}`;
const toolNames = [...new Set([...Object.keys(spoken), ...Object.keys(managers), ...others])];
const calls = new RegExp(String.raw`\b(?:${toolNames.join('|')}) ${jsonObject}`, 'g');
const phrases = new RegExp(String.raw`\b(?:${inHints.map(([words]) => words).join('|')})(?!\w)`, 'g');
const bare = new RegExp(String.raw`\b(?:([Cc])all )?(?:${others.join('|')})\b`, 'g');
const persons = new Map(inHints);

/** What to do, for somebody at a terminal: no tool stands in it, and no call of one. */
export const personsHint = (hint: string): string =>
  hint
    .replace(calls, (call) => {
      const words = personsCall(call);
      return words.startsWith('crewmux ') ? `\`${words}\`` : words;
    })
    .replace(phrases, (words) => persons.get(words) ?? words)
    .replace(bare, (_, call: string | undefined) =>
      call === undefined ? 'your manager' : call === 'C' ? 'Ask your manager' : 'ask your manager',
    );
